#include "core/lifecycle/in_place.h"

namespace millwright::core {
namespace {

// A node that was updated once may become a candidate again, when its mark of success is gone.
bool MayBecomeCandidate(const UpdateView& node) {
  if (!node.offered) return false;
  if (node.stage == UpdateStage::kNone) return true;
  return node.stage == UpdateStage::kSucceeded && node.result == UpdateResult::kNone;
}

}  // namespace

UpdateAct PlanUpdate(const UpdateView& node) {
  if (MayBecomeCandidate(node)) return UpdateAct::kShowCandidate;
  switch (node.stage) {
    case UpdateStage::kNone:
    case UpdateStage::kSucceeded: return UpdateAct::kNothing;
    case UpdateStage::kCandidate:
      return node.selected ? UpdateAct::kShowSelected : UpdateAct::kNothing;
    case UpdateStage::kSelected: return UpdateAct::kDrain;
    case UpdateStage::kDrained: return UpdateAct::kShowReady;
    case UpdateStage::kReady:
    case UpdateStage::kFailed: break;
  }
  if (node.result == UpdateResult::kSucceeded) return UpdateAct::kShowSucceeded;
  const bool news = node.result == UpdateResult::kFailed && node.stage != UpdateStage::kFailed;
  return news ? UpdateAct::kShowFailed : UpdateAct::kNothing;
}

}  // namespace millwright::core
