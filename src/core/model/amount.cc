#include "core/model/amount.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

namespace millwright::core {

Result<Amount> Amount::ParsePercent(std::string_view text) {
  const std::string shown(text);
  if (!text.ends_with('%')) {
    return Fail(ErrorKind::kInvalid, "\"" + shown + "\" is neither a number nor a percentage");
  }
  text.remove_suffix(1);
  int percent = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorKind::kInvalid, "\"" + shown + "\" is not a percentage");
  }
  return Percent(percent);
}

int Amount::Resolve(int total, Round round) const {
  if (!is_percent_) return value_;
  const std::int64_t hundredths = std::int64_t{value_} * total;
  std::int64_t whole = hundredths / 100;
  const std::int64_t rest = hundredths % 100;
  if (round == Round::kUp && rest > 0) ++whole;
  if (round == Round::kDown && rest < 0) --whole;
  return static_cast<int>(std::clamp<std::int64_t>(whole, std::numeric_limits<int>::min(),
                                                   std::numeric_limits<int>::max()));
}

std::string Amount::ToString() const { return std::to_string(value_) + (is_percent_ ? "%" : ""); }

}  // namespace millwright::core
