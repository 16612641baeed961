#include "core/replicas/scaler_marks.h"

#include <algorithm>

namespace millwright::core {

ScalerMarkPlan PlanScalerMarks(std::span<const ScalerMark> named,
                               std::span<const Machine> machines) {
  ScalerMarkPlan plan;
  for (const ScalerMark& mark : named) {
    const auto machine = std::ranges::find(machines, Text(mark.machine), &Machine::name);
    if (machine == machines.end() || machine->IsDeleting() || machine->phase == Phase::kFailed)
      continue;
    plan.keep.push_back(mark);
    const bool marked = machine->disposal.chosen && machine->disposal.marked_at;
    if (!marked) plan.mark.push_back({mark.machine, machine->disposal.marked_at.value_or(mark.at)});
  }
  return plan;
}

}  // namespace millwright::core
