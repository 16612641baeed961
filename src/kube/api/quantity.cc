#include "kube/api/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace millwright::kube {
namespace {

constexpr __int128 kNanosPerUnit = 1'000'000'000;
constexpr __int128 kNanosPerMilli = 1'000'000;
constexpr __int128 kMaxNanos = std::numeric_limits<int64_t>::max() * kNanosPerUnit;

// From 10^-9 upwards, one for each factor of 1000.
constexpr std::array<std::string_view, 10> kDecimalSuffixes = {"n", "u", "m", "",  "k",
                                                               "M", "G", "T", "P", "E"};
constexpr int kSmallestExponent = -9;
constexpr int kLargestExponent = 18;

// From 1024^0 upwards.
constexpr std::array<std::string_view, 7> kBinarySuffixes = {"",   "Ki", "Mi", "Gi",
                                                             "Ti", "Pi", "Ei"};

__int128 Cap(__int128 nanos) { return std::clamp(nanos, -kMaxNanos, kMaxNanos); }

__int128 DivideAwayFromZero(__int128 number, __int128 divisor) {
  const __int128 quotient = number / divisor;
  if (number % divisor == 0) return quotient;
  return number < 0 ? quotient - 1 : quotient + 1;
}

std::string WriteDecimal(__int128 nanos, bool as_exponent) {
  int exponent = kSmallestExponent;
  while (nanos % 1000 == 0 && exponent < kLargestExponent) {
    nanos /= 1000;
    exponent += 3;
  }
  if (!as_exponent) {
    const auto place = static_cast<size_t>((exponent - kSmallestExponent) / 3);
    return fmt::format("{}{}", nanos, kDecimalSuffixes.at(place));
  }
  return exponent == 0 ? fmt::format("{}", nanos) : fmt::format("{}e{}", nanos, exponent);
}

std::string WriteBinary(int64_t units) {
  size_t power = 0;
  while (units % 1024 == 0 && power + 1 < kBinarySuffixes.size()) {
    units /= 1024;
    ++power;
  }
  return fmt::format("{}{}", units, kBinarySuffixes.at(power));
}

}  // namespace

Quantity::Quantity(int64_t units, Format format)
    : nanos_(Cap(units * kNanosPerUnit)), format_(format) {}

Quantity Quantity::FromMilli(int64_t thousandths, Format format) {
  return FromNanos(thousandths * kNanosPerMilli, format);
}

Quantity Quantity::FromNanos(__int128 billionths, Format format) {
  Quantity quantity;
  quantity.nanos_ = Cap(billionths);
  quantity.format_ = format;
  return quantity;
}

int64_t Quantity::Value() const {
  return static_cast<int64_t>(DivideAwayFromZero(nanos_, kNanosPerUnit));
}

int64_t Quantity::MilliValue() const {
  const __int128 milli = DivideAwayFromZero(nanos_, kNanosPerMilli);
  return static_cast<int64_t>(std::clamp<__int128>(milli, std::numeric_limits<int64_t>::min(),
                                                   std::numeric_limits<int64_t>::max()));
}

std::string Quantity::ToString() const {
  if (nanos_ == 0) return "0";
  switch (format_) {
    case Format::kDecimalExponent: return WriteDecimal(nanos_, true);
    case Format::kBinarySi: {
      const bool small = nanos_ > -1024 * kNanosPerUnit && nanos_ < 1024 * kNanosPerUnit;
      if (small || nanos_ % kNanosPerUnit != 0) break;
      return WriteBinary(static_cast<int64_t>(nanos_ / kNanosPerUnit));
    }
    case Format::kDecimalSi: break;
  }
  return WriteDecimal(nanos_, false);
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (IsZero()) format_ = other.format_;
  nanos_ = Cap(nanos_ + other.nanos_);
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) { return *this += -other; }

Quantity Quantity::operator-() const { return FromNanos(-nanos_, format_); }

}  // namespace millwright::kube
