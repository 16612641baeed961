// A PodDisruptionBudget: whom it protects, and how many of them may be away.
#pragma once

#include "core/drain/budget.h"
#include "kube/api/labels.h"
#include "kube/projection/meta.h"

namespace millwright::controllers {

struct BudgetRecord {
  kube::Meta meta;
  kube::LabelSelector selector = kube::LabelSelector::Nothing();
  core::DisruptionBudget numbers;

  friend bool operator==(const BudgetRecord&, const BudgetRecord&) = default;
};

// A budget whose selector cannot be read covers nothing.
Result<BudgetRecord> ReadBudget(kube::JsonObject budget);

}  // namespace millwright::controllers
