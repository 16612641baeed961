// A machine that is updated in place: its node shows how far it is, is emptied, and handed to
// whoever updates it.
#include <algorithm>

#include "controllers/machine/machine_controller.h"
#include "core/lifecycle/in_place.h"

namespace millwright::controllers {

using core::UpdateAct;
using core::UpdateStage;
using dialects::MachineRecord;
using dialects::MachineReport;
using dialects::NodeRecord;

Task<Result<std::optional<WallTime>>> MachineController::FollowUpdate(MachineRecord& machine) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  if (node == nullptr || node->meta.deleting_since) co_return std::nullopt;
  const dialects::NodeFacts facts = surroundings_.dialect.ReadNodeFacts(*node);
  core::UpdateView view{
      .stage = facts.update_stage, .offered = facts.candidate, .selected = facts.selected};
  if (facts.update_result > 0) view.result = core::UpdateResult::kSucceeded;
  if (facts.update_result < 0) view.result = core::UpdateResult::kFailed;
  const UpdateAct act = core::PlanUpdate(view);
  if (act == UpdateAct::kNothing) co_return std::nullopt;
  if (caches_.nodes->guard().IsBehind(node->meta.key)) {
    co_return surroundings_.clock.Now() + kNodeSoon;
  }
  switch (act) {
    case UpdateAct::kNothing: break;
    case UpdateAct::kShowCandidate:
      CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kCandidate));
      break;
    case UpdateAct::kShowSelected:
      CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kSelected));
      break;
    case UpdateAct::kDrain:
      co_return co_await PrepareUpdate(
          machine, facts.update_stage_since.value_or(surroundings_.clock.Now()));
    case UpdateAct::kShowReady:
      CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kReady));
      break;
    case UpdateAct::kShowSucceeded:
      CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kSucceeded));
      break;
    case UpdateAct::kShowFailed:
      CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kFailed, facts.update_failure));
      break;
  }
  co_return std::nullopt;
}

Task<Result<void>> MachineController::SayUpdate(std::string node, UpdateStage stage,
                                                std::string failure) {
  co_return co_await Say(std::move(node), surroundings_.dialect.UpdateCondition(stage, failure));
}

// From being chosen to being empty. The phase is shown before the node may be updated: whoever
// updates it looks at the node only.
Task<Result<std::optional<WallTime>>> MachineController::PrepareUpdate(MachineRecord& machine,
                                                                       WallTime since) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  if (!node->unschedulable) CO_CHECK(co_await nodes_->Cordon(node->meta));
  CO_TRY(const DrainLook look, co_await EmptyNode(machine, since));
  if (look.state == core::DrainState::kDone) {
    CO_CHECK(co_await Show(
        machine, {.what = MachineReport::What::kUpdating, .phase = core::Phase::kUpdating}));
    CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kDrained));
    CO_CHECK(co_await SayUpdate(machine.node, UpdateStage::kReady));
    co_return std::nullopt;
  }
  if (look.state != core::DrainState::kRunning) {
    CO_CHECK(co_await Show(
        machine, {.what = MachineReport::What::kUpdateDrainFailed, .message = look.message}));
  }
  co_return look.look_again;
}

}  // namespace millwright::controllers
