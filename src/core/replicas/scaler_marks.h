// Machines that a scaler named to go together with a smaller size.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/model/machine.h"

namespace millwright::core {

struct ScalerMark {
  std::string machine;
  WallTime at{};

  friend bool operator==(const ScalerMark&, const ScalerMark&) = default;
};

struct ScalerMarkPlan {
  std::vector<ScalerMark>
      keep;  // what still has to be remembered; written before anything is marked
  std::vector<ScalerMark> mark;  // machines to be marked as the next to go

  friend bool operator==(const ScalerMarkPlan&, const ScalerMarkPlan&) = default;
};

// Names of machines that are gone, going or failed are dropped: they go anyway. One that is marked
// is not marked again, and keeps its first time.
ScalerMarkPlan PlanScalerMarks(std::span<const ScalerMark> named,
                               std::span<const Machine> machines);

}  // namespace millwright::core
