// Whether so many machines are unhealthy that something else must be wrong, and nothing is
// replaced.
#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "core/model/amount.h"

namespace millwright::core {

struct UnhealthyRange {
  int least = 0;
  int most = 0;

  friend bool operator==(const UnhealthyRange&, const UnhealthyRange&) = default;
};

// "[2-5]": remediation only if between two and five machines are unhealthy.
Result<UnhealthyRange> ParseUnhealthyRange(std::string_view text);

struct GatePolicy {
  Amount at_most = Amount::Percent(100);
  std::optional<UnhealthyRange> range;  // takes precedence
};

struct Gate {
  bool allowed = false;
  int unhealthy = 0;  // all that are not known to be healthy, also those that start or go
  int more_allowed = 0;

  friend bool operator==(const Gate&, const Gate&) = default;
};

Gate DecideGate(const GatePolicy& policy, int expected, int healthy);

}  // namespace millwright::core
