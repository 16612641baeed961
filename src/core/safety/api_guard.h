// When an API server cannot be reached, what we see of it is a guess. After a while of that nobody
// judges machines by it any more.
#pragma once

#include <optional>

#include "base/time.h"

namespace millwright::core {

struct ApiGuard {
  bool frozen = false;
  std::optional<WallTime> failing_since;

  friend bool operator==(const ApiGuard&, const ApiGuard&) = default;
};

struct ApiGuardLimits {
  Duration failing_for = std::chrono::seconds(30);  // so long, and we freeze
  Duration look_every = std::chrono::minutes(1);
};

struct ApiGuardStep {
  ApiGuard guard;
  bool thawed = false;  // machines that seemed unwell get their time anew
  Duration look_again{};

  friend bool operator==(const ApiGuardStep&, const ApiGuardStep&) = default;
};

// `reachable`: both servers answered, also with "not found".
ApiGuardStep WatchApi(const ApiGuard& guard, bool reachable, const ApiGuardLimits& limits,
                      WallTime now);

}  // namespace millwright::core
