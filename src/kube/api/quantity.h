// Amounts of a resource as Kubernetes writes them: "500m", "1.5Gi", "2e3".
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::kube {

// An exact decimal number with nine places, within plus or minus 2^63-1, and the family of suffixes
// it is written with. Finer fractions are rounded away from zero when parsed; larger numbers are
// capped, both when parsed and in sums. (The reference implementation documents this cap but misses
// it on some paths.)
class Quantity {
 public:
  enum class Format {
    kDecimalSi,        // n u m (none) k M G T P E: powers of 1000
    kBinarySi,         // Ki Mi Gi Ti Pi Ei: powers of 1024
    kDecimalExponent,  // e3, e6, ...
  };

  Quantity() = default;
  explicit Quantity(int64_t units, Format format = Format::kDecimalSi);

  static Quantity FromMilli(int64_t thousandths, Format format = Format::kDecimalSi);
  static Quantity FromNanos(__int128 billionths, Format format = Format::kDecimalSi);

  Format format() const { return format_; }
  bool IsZero() const { return nanos_ == 0; }
  bool IsNegative() const { return nanos_ < 0; }

  // Whole units, and whole thousandths: rounded away from zero, so that a request is never
  // understated. Thousandths beyond 64 bits are capped.
  int64_t Value() const;
  int64_t MilliValue() const;

  // The one canonical text: no fraction digits, the largest suffix of its family that keeps the
  // number whole. Binary amounts below 1024 or with a fraction are written in decimal.
  std::string ToString() const;

  // A zero takes over the other side's format, so that a sum is written as its terms are.
  Quantity& operator+=(const Quantity& other);
  Quantity& operator-=(const Quantity& other);
  Quantity operator-() const;

  friend Quantity operator+(Quantity a, const Quantity& b) { return a += b; }
  friend Quantity operator-(Quantity a, const Quantity& b) { return a -= b; }

  // By amount: 1000m equals 1, and 1Ki equals 1024.
  friend bool operator==(const Quantity& a, const Quantity& b) { return a.nanos_ == b.nanos_; }
  friend std::strong_ordering operator<=>(const Quantity& a, const Quantity& b) {
    return a.nanos_ <=> b.nanos_;
  }

 private:
  __int128 nanos_ = 0;
  Format format_ = Format::kDecimalSi;
};

// Fails with kInvalid and says which part is wrong.
Result<Quantity> ParseQuantity(std::string_view text);

}  // namespace millwright::kube
