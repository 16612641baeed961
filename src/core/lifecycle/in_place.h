// How far a node has come with an update in place, as a condition on it says.
#pragma once

#include <optional>

#include "core/health/machine.h"

namespace millwright::core {

enum class UpdateStage {
  kNone,
  kCandidate,
  kSelected,
  kDrained,
  kReady,  // whoever updates the node may begin
  kSucceeded,
  kFailed,
};

struct UpdateView {
  UpdateStage stage = UpdateStage::kNone;
  bool offered = false;   // the node is marked as a candidate
  bool selected = false;  // and as chosen
  UpdateResult result = UpdateResult::kNone;
};

enum class UpdateAct {
  kNothing,
  kShowCandidate,
  kShowSelected,
  kDrain,  // then kShowDrained, then kShowReady
  kShowReady,
  kShowSucceeded,
  kShowFailed,
};

UpdateAct PlanUpdate(const UpdateView& node);

}  // namespace millwright::core
