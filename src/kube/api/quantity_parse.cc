#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <string>

#include "kube/api/quantity.h"

namespace millwright::kube {
namespace {

constexpr unsigned __int128 kNanosPerUnit = 1'000'000'000;
constexpr unsigned __int128 kMaxUnits = std::numeric_limits<int64_t>::max();
constexpr unsigned __int128 kMaxNanos = kMaxUnits * kNanosPerUnit;

// What a suffix stands for: 2^twos * 10^tens.
struct Suffix {
  std::string_view text;
  Quantity::Format format = Quantity::Format::kDecimalSi;
  int twos = 0;
  int64_t tens = 0;
};

using enum Quantity::Format;
constexpr std::array<Suffix, 16> kSuffixes = {{
    {"Ki", kBinarySi, 10, 0},
    {"Mi", kBinarySi, 20, 0},
    {"Gi", kBinarySi, 30, 0},
    {"Ti", kBinarySi, 40, 0},
    {"Pi", kBinarySi, 50, 0},
    {"Ei", kBinarySi, 60, 0},
    {"n", kDecimalSi, 0, -9},
    {"u", kDecimalSi, 0, -6},
    {"m", kDecimalSi, 0, -3},
    {"", kDecimalSi, 0, 0},
    {"k", kDecimalSi, 0, 3},
    {"M", kDecimalSi, 0, 6},
    {"G", kDecimalSi, 0, 9},
    {"T", kDecimalSi, 0, 12},
    {"P", kDecimalSi, 0, 15},
    {"E", kDecimalSi, 0, 18},
}};

// "e3", "E-6", "e+12". Exponents are held to what can still matter for texts of any sane length.
std::optional<Suffix> ReadExponent(std::string_view text) {
  text.remove_prefix(1);
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  int64_t exponent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), exponent);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  constexpr int64_t kBeyondAnyText = int64_t{1} << 40;
  return Suffix{.text = {},
                .format = kDecimalExponent,
                .tens = std::clamp(exponent, -kBeyondAnyText, kBeyondAnyText)};
}

std::optional<Suffix> ReadSuffix(std::string_view text) {
  for (const Suffix& suffix : kSuffixes) {
    if (suffix.text == text) return suffix;
  }
  if (text.starts_with('e') || text.starts_with('E')) return ReadExponent(text);
  return std::nullopt;
}

// Digits with the decimal point before digits[point]; the point may lie outside the digits.
struct Decimal {
  std::string digits;
  int64_t point = 0;

  char DigitAt(int64_t place) const {
    const bool inside = place >= 0 && place < static_cast<int64_t>(digits.size());
    return inside ? digits[static_cast<size_t>(place)] : '0';
  }
};

// The digits left of the point, or the cap if that is less.
unsigned __int128 WholePart(const Decimal& number) {
  unsigned __int128 whole = 0;
  for (int64_t place = 0; place < number.point; ++place) {
    whole = whole * 10 + static_cast<unsigned>(number.DigitAt(place) - '0');
    if (whole > kMaxUnits) return kMaxUnits + 1;
    const bool only_zeros_follow = place >= static_cast<int64_t>(number.digits.size());
    if (whole == 0 && only_zeros_follow) return 0;
  }
  return whole;
}

// The digits right of the point times `unit`, rounded up. Exact for any number of digits: going
// from the last digit to the first, each step divides by ten and only remembers whether anything
// was lost.
unsigned __int128 FractionPart(const Decimal& number, unsigned __int128 unit) {
  unsigned __int128 sum = 0;
  bool lost = false;
  auto shift = [&](unsigned digit) {
    sum += digit * unit;
    lost = lost || sum % 10 != 0;
    sum /= 10;
  };
  const int64_t first = std::max<int64_t>(number.point, 0);
  for (int64_t place = static_cast<int64_t>(number.digits.size()); place-- > first;) {
    shift(static_cast<unsigned>(number.DigitAt(place) - '0'));
  }
  for (int64_t zeros = -number.point; zeros > 0 && sum != 0; --zeros) shift(0);
  return sum + (lost ? 1 : 0);
}

unsigned __int128 Nanos(const Decimal& number, const Suffix& suffix) {
  const unsigned __int128 multiplier = static_cast<unsigned __int128>(1) << suffix.twos;
  const unsigned __int128 whole = WholePart(number);
  if (whole > kMaxUnits / multiplier) return kMaxNanos;
  const unsigned __int128 unit = multiplier * kNanosPerUnit;
  return whole * unit + FractionPart(number, unit);
}

Failure Invalid(std::string_view text, std::string_view why) {
  return Fail(ErrorKind::kInvalid,
              fmt::format("'{}' is not a quantity like 500m, 1.5Gi or 2e3: {}", text, why));
}

}  // namespace

Result<Quantity> ParseQuantity(std::string_view text) {
  std::string_view rest = text;
  const bool negative = rest.starts_with('-');
  if (negative || rest.starts_with('+')) rest.remove_prefix(1);

  const size_t whole_length = std::min(rest.find_first_not_of("0123456789"), rest.size());
  Decimal number{std::string(rest.substr(0, whole_length)), static_cast<int64_t>(whole_length)};
  rest.remove_prefix(whole_length);
  if (rest.starts_with('.')) {
    rest.remove_prefix(1);
    const std::string_view fraction = rest.substr(0, rest.find_first_not_of("0123456789"));
    number.digits += fraction;
    rest.remove_prefix(fraction.size());
  }
  if (number.digits.empty()) return Invalid(text, "it has no digits");

  auto suffix = ReadSuffix(rest);
  if (!suffix) return Invalid(text, fmt::format("unknown suffix '{}'", rest));
  number.point += suffix->tens;
  const unsigned __int128 nanos = Nanos(number, *suffix);
  const bool below_one = nanos > 0 && nanos < kNanosPerUnit;
  if (below_one && suffix->format == kBinarySi) suffix->format = kDecimalSi;
  const auto signed_nanos = static_cast<__int128>(std::min(nanos, kMaxNanos));
  return Quantity::FromNanos(negative ? -signed_nanos : signed_nanos, suffix->format);
}

}  // namespace millwright::kube
