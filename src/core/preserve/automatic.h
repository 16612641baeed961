// Keeping some failed machines of a set without being asked, up to a quota.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/model/machine.h"

namespace millwright::core {

struct AutoPreservePlan {
  std::vector<std::string> keep;     // wish them to be kept
  std::vector<std::string> release;  // take our wish back

  friend bool operator==(const AutoPreservePlan&, const AutoPreservePlan&) = default;
};

// The newest failures are kept; if the quota shrank, the oldest are released. What people asked for
// is theirs, and does not count.
AutoPreservePlan PlanAutoPreservation(std::span<const Machine> machines, int quota);

}  // namespace millwright::core
