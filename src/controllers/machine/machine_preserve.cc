// Machines that are kept on purpose: their node is left alone by scalers, and a failed one is
// emptied of pods.
#include <algorithm>

#include "controllers/machine/machine_controller.h"
#include "controllers/shared/earlier.h"

namespace millwright::controllers {

using core::PreservePlan;
using dialects::MachineRecord;
using dialects::NodeRecord;

core::PreserveView MachineController::PreserveViewOf(const MachineRecord& machine,
                                                     const NodeRecord* node) const {
  core::WishSources wishes{.machine = machine.wish, .applied_from_node = machine.applied_from_node};
  core::PreserveView view{
      .phase = machine.core.phase,
      .until = machine.core.preservation.until,
      .time_limit = machine.limits().preserve.value_or(surroundings_.settings.preserve),
      .has_node_name = !machine.node.empty(),
      .node_exists = node != nullptr};
  if (node != nullptr) {
    const dialects::NodeFacts facts = surroundings_.dialect.ReadNodeFacts(*node);
    const dialects::Names& names = surroundings_.dialect.names();
    wishes.node_exists = true;
    wishes.node = facts.wish;
    view.said_preserved = facts.said_kept;
    view.said_drained = facts.said_drained;
    view.tainted = facts.kept_tainted;
    view.scale_down_disabled = node->annotations.Get(names.scale_down_disabled) == "true";
    view.scale_down_ours = node->annotations.contains(names.scale_down_disabled_by_us);
  }
  view.wish = core::ResolveWish(wishes);
  return view;
}

Task<Result<std::optional<WallTime>>> MachineController::Preserve(MachineRecord& machine) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  const core::PreserveView view = PreserveViewOf(machine, node);
  const bool concerns_us = machine.wish || machine.applied_from_node || view.until ||
                           view.wish.from_node || !view.wish.readable;
  if (!concerns_us) co_return std::nullopt;
  const WallTime now = surroundings_.clock.Now();
  const PreservePlan plan = core::PlanPreservation(view, now);
  const bool touches_node = plan.hold_scale_down || plan.release_scale_down || plan.taint ||
                            plan.untaint || plan.drain || plan.say || plan.forget_wishes;
  // The expiry comes first: it is what keeps the machine's set from replacing it.
  if (plan.set_until) {
    auto patch = surroundings_.dialect.KeptUntil(machine, plan.set_until);
    CO_TRY(machine.meta.resource_version,
           co_await machines_.Patch(machine.meta, std::move(patch), "status"));
    machine.core.preservation.until = plan.set_until;
  }
  const bool behind = touches_node && caches_.nodes &&
                      caches_.nodes->guard().IsBehind({.namespace_ = {}, .name = machine.node});
  if (behind) co_return now + kNodeSoon;  // its change wakes us before
  std::optional<WallTime> look_again = plan.look_again;
  if (touches_node && caches_.FindNode(machine.node) != nullptr) {
    CO_TRY(const auto next, co_await PreserveNode(machine, plan, view));
    look_again = Earlier(look_again, next);
  }
  if (plan.note_node_wish || plan.forget_wishes) {
    auto patch = plan.forget_wishes ? surroundings_.dialect.WishesForgotten(machine)
                                    : surroundings_.dialect.NodeWishNoted(machine, view.wish.wish);
    CO_TRY(machine.meta.resource_version, co_await machines_.Patch(machine.meta, std::move(patch)));
  }
  if (plan.clear_until) {
    drainer_.Forget(machine.meta.uid);
    auto patch = surroundings_.dialect.KeptUntil(machine, std::nullopt);
    CO_TRY(machine.meta.resource_version,
           co_await machines_.Patch(machine.meta, std::move(patch), "status"));
    machine.core.preservation.until.reset();
  }
  co_return look_again;
}

// What is to be seen on the node, and its drain. Returns when that is to be looked at again.
Task<Result<std::optional<WallTime>>> MachineController::PreserveNode(
    const MachineRecord& machine, const PreservePlan& plan, const core::PreserveView& view) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  const kube::Meta meta = node->meta;
  const bool said_undrained = surroundings_.dialect.ReadNodeFacts(*node).said_undrained;
  NodeChange change = surroundings_.dialect.KeptNode(*node, plan);
  if (!change.none()) {
    const auto written = co_await nodes_->Write(meta, std::move(change));
    if (!written && written.error().kind() == ErrorKind::kNotFound) co_return std::nullopt;
    CO_CHECK(written);
  }
  dialects::KeptReport report{.stopped = plan.kind == PreservePlan::Kind::kStop,
                              .automatic = view.wish.wish == core::PreserveWish::kAutomatic,
                              .until = machine.core.preservation.until.value_or(WallTime())};
  std::optional<WallTime> look_again;
  if (plan.drain) {
    const WallTime began =
        std::max(machine.phase_since, report.until - view.time_limit);  // of being kept
    CO_TRY(const DrainLook look, co_await EmptyNode(machine, began));
    report.drained = look.state == core::DrainState::kDone;
    look_again = look.look_again;
    const bool in_trouble =
        look.state == core::DrainState::kBlocked || look.state == core::DrainState::kTimeOver;
    // Said once, and while it goes on nothing is said at all.
    if (!*report.drained && (!in_trouble || said_undrained)) co_return look_again;
  }
  if (plan.say) {
    CO_CHECK(co_await Say(machine.node, surroundings_.dialect.KeptCondition(report)));
  }
  co_return look_again;
}

}  // namespace millwright::controllers
