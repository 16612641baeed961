// Whether this process works, as a metric.
#pragma once

#include "base/metrics.h"
#include "cli/controller_plan.h"
#include "kube/runtime/manager.h"

namespace millwright::cli {

// 0 for each lease of the plan, and 1 while the manager holds it. Both outlive the manager's run.
void ShowLeading(kube::Manager& manager, Metrics& metrics, const ControllerPlan& plan);

}  // namespace millwright::cli
