#include "core/health/gate.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace millwright::core {
namespace {

std::optional<int> ParseNumber(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = error == std::errc() && end == text.data() + text.size() && number >= 0;
  return whole ? std::optional(number) : std::nullopt;
}

}  // namespace

Result<UnhealthyRange> ParseUnhealthyRange(std::string_view text) {
  const auto refuse = [&](const char* why) {
    return Fail(ErrorKind::kInvalid, "\"" + std::string(text) + "\" " + why);
  };
  const size_t dash = text.find('-');
  if (!text.starts_with('[') || !text.ends_with(']') || dash == std::string_view::npos) {
    return refuse("is no range of the form [least-most]");
  }
  const auto least = ParseNumber(text.substr(1, dash - 1));
  const auto most = ParseNumber(text.substr(dash + 1, text.size() - dash - 2));
  if (!least || !most) return refuse("is no range of two numbers");
  if (*least > *most) return refuse("ends before it begins");
  return UnhealthyRange{*least, *most};
}

Gate DecideGate(const GatePolicy& policy, int expected, int healthy) {
  const int unhealthy = expected - healthy;
  const UnhealthyRange range = policy.range.value_or(
      UnhealthyRange{0, std::max(policy.at_most.Resolve(expected, Round::kDown), 0)});
  Gate gate{.allowed = range.least <= unhealthy && unhealthy <= range.most, .unhealthy = unhealthy};
  if (gate.allowed) gate.more_allowed = range.most - unhealthy;
  return gate;
}

}  // namespace millwright::core
