#include "core/preserve/plan.h"

namespace millwright::core {
namespace {

enum class Verdict { kPreserve, kStop, kStopAndForget };

Verdict Judge(const PreserveView& machine, WallTime now) {
  const bool expired = machine.until && *machine.until <= now;
  const bool failed = machine.phase == Phase::kFailed;
  switch (machine.wish.wish) {
    case PreserveWish::kNone:
    case PreserveWish::kNever: return Verdict::kStop;
    case PreserveWish::kNow: return expired ? Verdict::kStopAndForget : Verdict::kPreserve;
    case PreserveWish::kWhenFailed:
      if (expired) return Verdict::kStopAndForget;
      return failed ? Verdict::kPreserve : Verdict::kStop;  // it will be kept when it fails again
    case PreserveWish::kAutomatic:
      return failed && !expired ? Verdict::kPreserve : Verdict::kStopAndForget;
  }
  return Verdict::kStop;
}

PreservePlan Preserve(const PreserveView& machine, WallTime now) {
  PreservePlan plan{.kind = PreservePlan::Kind::kPreserve};
  if (!machine.until) plan.set_until = now + machine.time_limit;
  plan.look_again = machine.until ? *machine.until : now + machine.time_limit;
  if (!machine.has_node_name || !machine.node_exists) return plan;

  const bool failed = machine.phase == Phase::kFailed;
  plan.drain = failed && !machine.said_drained;
  plan.taint = plan.drain && !machine.tainted;
  plan.untaint = machine.phase == Phase::kRunning && machine.tainted;
  if (machine.said_preserved && !plan.drain) return plan;
  plan.hold_scale_down = !machine.scale_down_disabled;
  plan.say = true;
  return plan;
}

PreservePlan Stop(const PreserveView& machine, bool forget) {
  if (!machine.until) return {};
  const bool node = machine.has_node_name && machine.node_exists;
  return {.kind = PreservePlan::Kind::kStop,
          .clear_until = true,
          .forget_wishes = forget,
          .release_scale_down = node && machine.scale_down_ours,
          .untaint = node && machine.tainted,
          .say = node};
}

}  // namespace

PreservePlan PlanPreservation(const PreserveView& machine, WallTime now) {
  if (!machine.wish.readable) return {};
  PreservePlan plan;
  switch (Judge(machine, now)) {
    case Verdict::kPreserve: plan = Preserve(machine, now); break;
    case Verdict::kStop: plan = Stop(machine, false); break;
    case Verdict::kStopAndForget: plan = Stop(machine, true); break;
  }
  plan.note_node_wish = machine.wish.note_on_machine && !plan.forget_wishes;
  return plan;
}

}  // namespace millwright::core
