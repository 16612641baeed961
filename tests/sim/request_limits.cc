#include "tests/sim/request_limits.h"

#include <fmt/format.h>

namespace millwright::sim {

namespace {

// One of an object's writes fails, is tried again soon, later, and later still:
// a dozen in the first minute. Twenty objects share a collection's path, and machines the secret of
// their class, which nobody keeps.
constexpr int kMostOfOne = 60;
constexpr int kMostOfShared = 600;

bool IsShared(std::string_view method, std::string_view path) {
  if (method == "GET") return path.contains("/secrets/");
  return method == "POST" && !path.ends_with("/eviction");
}

}  // namespace

std::optional<std::string> RequestLimits::Add(std::string_view method, std::string_view path,
                                              SteadyTime now) {
  if (now >= minute_ + std::chrono::minutes(1)) {
    minute_ = now;
    counts_.clear();
  }
  const int count = ++counts_[fmt::format("{} {}", method, path)];
  const int most = IsShared(method, path) ? kMostOfShared : kMostOfOne;
  if (count != most + 1) return std::nullopt;
  return fmt::format("more than {} times in a minute: {} {}", most, method, path);
}

}  // namespace millwright::sim
