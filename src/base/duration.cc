#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/time.h"

namespace millwright {
namespace {

struct Unit {
  std::string_view name;
  uint64_t nanos;
};

// Both micro signs: U+00B5 is what Go prints, U+03BC is what some keyboards type.
constexpr std::array<Unit, 8> kUnits = {{
    {"ns", 1},
    {"us", 1'000},
    {"\u00b5s", 1'000},
    {"\u03bcs", 1'000},
    {"ms", 1'000'000},
    {"s", 1'000'000'000},
    {"m", 60'000'000'000},
    {"h", 3'600'000'000'000},
}};

// The magnitude of the most negative duration, which has no positive twin.
constexpr uint64_t kMaxMagnitude = uint64_t{1} << 63;

Failure Invalid(std::string_view text, std::string_view why) {
  return Fail(ErrorKind::kInvalid,
              fmt::format("'{}' is not a duration like 300ms or 1h30m: {}", text, why));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Digits to a number, leaving `text` after them; nothing when it exceeds kMaxMagnitude.
std::optional<uint64_t> TakeWhole(std::string_view& text) {
  uint64_t number = 0;
  while (!text.empty() && IsDigit(text.front())) {
    if (number > kMaxMagnitude / 10) return std::nullopt;
    number = number * 10 + static_cast<uint64_t>(text.front() - '0');
    if (number > kMaxMagnitude) return std::nullopt;
    text.remove_prefix(1);
  }
  return number;
}

// A decimal fraction as digits / scale. Digits that no longer fit are dropped, as Go drops them.
struct Fraction {
  uint64_t digits = 0;
  double scale = 1;
};

Fraction TakeFraction(std::string_view& text) {
  Fraction fraction;
  bool full = false;
  for (; !text.empty() && IsDigit(text.front()); text.remove_prefix(1)) {
    if (full) continue;
    const uint64_t longer = fraction.digits * 10 + static_cast<uint64_t>(text.front() - '0');
    full = fraction.digits > (kMaxMagnitude - 1) / 10 || longer > kMaxMagnitude;
    if (full) continue;
    fraction.digits = longer;
    fraction.scale *= 10;
  }
  return fraction;
}

const Unit* TakeUnit(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() && text[length] != '.' && !IsDigit(text[length])) ++length;
  for (const Unit& unit : kUnits) {
    if (unit.name == text.substr(0, length)) {
      text.remove_prefix(length);
      return &unit;
    }
  }
  return nullptr;
}

// One number with its unit, in nanoseconds; on failure, a word on what is wrong.
std::expected<uint64_t, std::string_view> TakeTerm(std::string_view& text) {
  const size_t before = text.size();
  const auto whole = TakeWhole(text);
  if (!whole) return std::unexpected("it is too long");
  bool has_digits = text.size() != before;
  Fraction fraction;
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const size_t before_fraction = text.size();
    fraction = TakeFraction(text);
    has_digits = has_digits || text.size() != before_fraction;
  }
  if (!has_digits) return std::unexpected("a number is missing");
  const Unit* unit = TakeUnit(text);
  if (unit == nullptr) return std::unexpected("the unit must be one of ns, us, ms, s, m, h");

  if (*whole > kMaxMagnitude / unit->nanos) return std::unexpected("it is too long");
  uint64_t nanos = *whole * unit->nanos;
  if (fraction.digits > 0) {
    // In floating point and in this order, because Go does so and 1.000000001h must be the same.
    nanos += static_cast<uint64_t>(static_cast<double>(fraction.digits) *
                                   (static_cast<double>(unit->nanos) / fraction.scale));
    if (nanos > kMaxMagnitude) return std::unexpected("it is too long");
  }
  return nanos;
}

// `nanos` in units of 10^places nanoseconds, without trailing zeros: (1500, 3) is "1.5".
std::string Decimal(uint64_t nanos, int places) {
  uint64_t scale = 1;
  for (int i = 0; i < places; ++i) scale *= 10;
  std::string text = std::to_string(nanos / scale);
  if (nanos % scale == 0) return text;
  std::string digits = fmt::format("{:0{}}", nanos % scale, places);
  digits.erase(digits.find_last_not_of('0') + 1);
  return text + "." + digits;
}

}  // namespace

std::string FormatDuration(Duration duration) {
  const bool negative = duration.count() < 0;
  const auto bits = static_cast<uint64_t>(duration.count());
  const uint64_t nanos = negative ? -bits : bits;
  const std::string sign = negative ? "-" : "";
  if (nanos == 0) return "0s";
  if (nanos < 1'000) return sign + Decimal(nanos, 0) + "ns";
  if (nanos < 1'000'000) return sign + Decimal(nanos, 3) + "\u00b5s";
  if (nanos < 1'000'000'000) return sign + Decimal(nanos, 6) + "ms";

  constexpr uint64_t kMinute = 60'000'000'000;
  const uint64_t minutes = nanos / kMinute;
  std::string text = sign;
  if (minutes >= 60) text += fmt::format("{}h", minutes / 60);
  if (minutes > 0) text += fmt::format("{}m", minutes % 60);
  return text + Decimal(nanos % kMinute, 9) + "s";
}

Result<Duration> ParseDuration(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == "0") return Duration::zero();
  if (rest.empty()) return Invalid(text, "it is empty");

  uint64_t total = 0;
  while (!rest.empty()) {
    const auto term = TakeTerm(rest);
    if (!term) return Invalid(text, term.error());
    if (*term > kMaxMagnitude - total) return Invalid(text, "it is too long");
    total += *term;
  }
  if (negative) return Duration(static_cast<int64_t>(-total));
  if (total == kMaxMagnitude) return Invalid(text, "it is too long");
  return Duration(static_cast<int64_t>(total));
}

}  // namespace millwright
