// What several parts of a machine's life do to its node.
#include <algorithm>

#include "controllers/machine/machine_controller.h"

namespace millwright::controllers {

using dialects::MachineRecord;
using dialects::NodeRecord;

// Empties the node of a machine that stays. After its time, counted from `began`, by force; a run
// that came to nothing is begun anew later.
Task<Result<DrainLook>> MachineController::EmptyNode(const MachineRecord& machine, WallTime began) {
  const WallTime now = surroundings_.clock.Now();
  const WallTime force_at = began + machine.limits().drain.value_or(surroundings_.settings.drain);
  core::Force force = core::Force::kNone;
  if (now > force_at) force = core::Force::kTimeOver;
  if (machine.forced_drain) force = core::Force::kUser;
  CO_TRY(DrainLook look, co_await drainer_.Look({.machine = machine.meta.key,
                                                 .machine_uid = machine.meta.uid,
                                                 .node = machine.node,
                                                 .rules = DrainRulesFor(machine, force)}));
  const bool over =
      look.state == core::DrainState::kDone || look.state == core::DrainState::kTimeOver;
  if (over) drainer_.Forget(machine.meta.uid);
  if (look.state == core::DrainState::kTimeOver) {
    const Duration pause = force == core::Force::kNone ? surroundings_.settings.retry.short_time
                                                       : surroundings_.settings.retry.long_time;
    look.look_again = surroundings_.clock.Now() + pause;
  } else if (force == core::Force::kNone) {
    look.look_again =
        std::min(look.look_again.value_or(force_at), force_at + std::chrono::milliseconds(1));
  }
  co_return look;
}

// A condition on the node; its time is that of its last change.
Task<Result<void>> MachineController::Say(std::string name, core::Condition condition) {
  const NodeRecord* node = caches_.FindNode(name);
  if (node == nullptr) co_return Ok();
  const WallTime now = surroundings_.clock.Now();
  condition.since = now;
  if (const auto said = node->conditions.Find(condition.type)) {
    const bool same = said->status == condition.status && said->reason == condition.reason;
    if (same) condition.since = said->since;
    if (same && said->message == condition.message) co_return Ok();
  }
  const auto written = co_await nodes_->SetCondition(node->meta, std::move(condition), now);
  if (!written && written.error().kind() == ErrorKind::kNotFound) co_return Ok();
  co_return written;
}

}  // namespace millwright::controllers
