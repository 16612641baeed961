// PodDisruptionBudgets, read when one of them refused an eviction: which one, and for how long.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/drain/budget.h"
#include "core/drain/run.h"
#include "kube/api/labels.h"
#include "kube/client/client.h"

namespace millwright::controllers {

struct Budget {
  std::string key;  // namespace/name
  kube::LabelSelector selector;
  core::DisruptionBudget numbers;
};

// All budgets of a namespace, by name.
Task<Result<std::vector<Budget>>> ReadBudgets(kube::Client& client, std::string namespace_);

// From the text of a list. A budget whose selector cannot be read covers nothing.
Result<std::vector<Budget>> ParseBudgets(std::string_view list);

struct Refusal {
  core::DrainAnswer answer = core::DrainAnswer::kRefused;
  std::string why;
};

// Whose refusal it was; `said` is what the server said, for when no budget explains it.
Refusal ExplainRefusal(std::span<const Budget> budgets, const kube::Labels& pod, std::string said);

}  // namespace millwright::controllers
