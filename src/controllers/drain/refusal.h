// Why an eviction was refused: which budget it was, and whether waiting helps.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "controllers/drain/budget_record.h"
#include "core/drain/run.h"

namespace millwright::controllers {

struct Refusal {
  core::DrainAnswer answer = core::DrainAnswer::kRefused;
  std::string why;
  std::optional<kube::ObjectKey> budget;  // whose leave is awaited, if that is known
};

// `budgets` are those of the pod's namespace; `said` is what the server said, for when none of them
// explains it.
Refusal ExplainRefusal(std::span<const BudgetRecord* const> budgets, const kube::Labels& pod,
                       std::string said);

}  // namespace millwright::controllers
