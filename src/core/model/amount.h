// "3" or "25%": how users limit things in proportion to something.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace millwright::core {

enum class Round { kUp, kDown };

class Amount {
 public:
  Amount() = default;
  static Amount Of(int number) { return Amount(number, false); }
  static Amount Percent(int percent) { return Amount(percent, true); }

  // Only the percent form ("25%"); a number is not written as a string, so "5" is an error. Whoever
  // accepts that (one dialect does) parses the number first.
  static Result<Amount> ParsePercent(std::string_view text);

  // A number is itself, whatever the total; a percentage is rounded as the caller's rule says.
  int Resolve(int total, Round round) const;

  bool is_percent() const { return is_percent_; }
  int value() const { return value_; }
  std::string ToString() const;

  friend bool operator==(const Amount&, const Amount&) = default;

 private:
  Amount(int value, bool is_percent) : value_(value), is_percent_(is_percent) {}

  int value_ = 0;
  bool is_percent_ = false;
};

}  // namespace millwright::core
