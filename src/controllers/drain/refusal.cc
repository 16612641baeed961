#include "controllers/drain/refusal.h"

namespace millwright::controllers {

Refusal ExplainRefusal(std::span<const BudgetRecord* const> budgets, const kube::Labels& pod,
                       std::string said) {
  const BudgetRecord* full = nullptr;
  for (const BudgetRecord* budget : budgets) {
    if (!budget->selector.Matches(pod)) continue;
    const kube::ObjectKey& key = budget->meta.key;
    if (core::ForbidsForGood(budget->numbers)) {
      return {core::DrainAnswer::kForbidden,
              "PodDisruptionBudget " + key.ToString() +
                  " allows no disruption, and will not until somebody changes it",
              key};
    }
    // The first one, unless a later one is certainly exhausted.
    if (full == nullptr || (full->numbers.allowed > 0 && budget->numbers.allowed <= 0)) {
      full = budget;
    }
  }
  if (full == nullptr) return {core::DrainAnswer::kRefused, std::move(said), {}};
  return {core::DrainAnswer::kRefused,
          "PodDisruptionBudget " + full->meta.key.ToString() + " allows no disruption now",
          full->meta.key};
}

}  // namespace millwright::controllers
