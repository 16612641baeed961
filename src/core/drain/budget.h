// Disruption budgets that can never be met.
#pragma once

#include <cstdint>

namespace millwright::core {

struct DisruptionBudget {
  std::int64_t generation = 0;
  std::int64_t observed_generation = 0;
  int expected = 0;
  int healthy = 0;
  int allowed = 0;
  int disrupted = 0;  // pods that are going with its leave

  friend bool operator==(const DisruptionBudget&, const DisruptionBudget&) = default;
};

// Everything it protects is healthy, nothing is going, and still nothing may go: waiting will not
// help, a person has to change it.
bool ForbidsForGood(const DisruptionBudget& budget);

}  // namespace millwright::core
