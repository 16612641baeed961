#include "core/drain/budget.h"

namespace millwright::core {

bool ForbidsForGood(const DisruptionBudget& budget) {
  return budget.generation == budget.observed_generation && budget.expected > 0 &&
         budget.healthy >= budget.expected && budget.disrupted == 0 && budget.allowed == 0;
}

}  // namespace millwright::core
