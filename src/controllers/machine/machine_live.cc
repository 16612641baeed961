// What a look at a live machine does: its health, its node, and its instance if it has none.
#include <fmt/format.h>

#include <algorithm>

#include "controllers/machine/machine_controller.h"
#include "controllers/shared/earlier.h"
#include "controllers/shared/live_node.h"
#include "core/health/node.h"
#include "core/lifecycle/machine.h"

namespace millwright::controllers {

using core::HealthEvent;
using core::LiveStep;
using dialects::MachineRecord;
using dialects::MachineReport;
using dialects::NodeRecord;
using kube::Requeue;

namespace {

MachineReport::What WhatOf(HealthEvent event) {
  using What = MachineReport::What;
  switch (event) {
    case HealthEvent::kNone: return What::kConditions;
    case HealthEvent::kJoined: return What::kJoined;
    case HealthEvent::kRecovered: return What::kRejoined;
    case HealthEvent::kBecameUnwell: return What::kUnwell;
    case HealthEvent::kNodeLost: return What::kNodeLost;
    case HealthEvent::kJoinTimedOut: return What::kJoinTimedOut;
    case HealthEvent::kUnwellTooLong: return What::kGivenUp;
    case HealthEvent::kUpdateSucceeded: return What::kUpdateSucceeded;
    case HealthEvent::kUpdateFailed: return What::kUpdateFailed;
    case HealthEvent::kUpdateTimedOut: return What::kUpdateTimedOut;
  }
  return What::kConditions;
}

// What must not be said of a machine because of an old view of its node.
bool IsBad(HealthEvent event) {
  return event == HealthEvent::kBecameUnwell || event == HealthEvent::kNodeLost ||
         event == HealthEvent::kJoinTimedOut || event == HealthEvent::kUnwellTooLong;
}

// What the event took, or was allowed to take.
Duration TookFor(HealthEvent event, const MachineRecord& machine, const core::HealthLimits& limits,
                 WallTime now) {
  if (event == HealthEvent::kJoinTimedOut) return limits.join;
  if (event == HealthEvent::kUnwellTooLong) return limits.health;
  if (event == HealthEvent::kUpdateTimedOut) return limits.update;
  return now - machine.core.created;
}

}  // namespace

core::HealthLimits MachineController::LimitsOf(const MachineRecord& machine) const {
  const Settings& settings = surroundings_.settings;
  const dialects::MachineLimits& own = machine.limits();
  return {.join = own.creation.value_or(settings.creation),
          .health = own.health.value_or(settings.health),
          .update = own.update.value_or(settings.update_in_place),
          .never_fail_for_health = own.never_fail_for_health};
}

Task<Result<Requeue>> MachineController::Live(MachineRecord machine) {
  const core::LiveView view{
      .has_finalizer = !With(machine.finalizers.get(), surroundings_.dialect.names().finalizer),
      .frozen = frozen_,
      .valid = machine.problem.empty(),
      .class_state = classes_.StateOf(machine.class_name),
      .phase = machine.core.phase,
      .has_instance = !machine.instance.empty(),
      .has_node_name = !machine.node.empty()};
  const core::LivePlan plan = core::PlanLiveMachine(view);
  switch (plan.step) {
    case LiveStep::kLeaveToDeletion: co_return Requeue::WhenChanged();
    case LiveStep::kAddFinalizer:
      CO_CHECK(co_await machines_.AddFinalizer(machine.meta, machine.finalizers.get(),
                                               surroundings_.dialect.names().finalizer));
      co_return Requeue::WhenChanged();
    case LiveStep::kWait: {
      if (frozen_) co_return Requeue::WhenChanged();  // Thaw wakes everyone
      std::string problem = machine.problem;
      if (problem.empty()) problem = classes_.ProblemOf(machine.class_name);
      co_return co_await Complain(machine, std::move(problem), plan.retry);
    }
    case LiveStep::kProtectClass:
      // Whoever cares for classes does that as soon as a machine uses one, and then we are woken.
      co_return After(plan.retry);
    case LiveStep::kCheckNode: break;
  }

  if (reset_.contains(machine.meta.key)) {
    if (machine.core.phase == core::Phase::kUnhealthy) {
      CO_CHECK(co_await Show(
          machine, {.what = MachineReport::What::kHealthReset, .phase = core::Phase::kRunning}));
    }
    reset_.erase(machine.meta.key);
    co_return Requeue::After(Duration::zero());
  }

  std::optional<WallTime> look_again;
  if (core::HasNodeToCheck(view) && surroundings_.expects_nodes()) {
    CO_TRY(const HealthOutcome health, co_await FollowHealth(machine));
    if (health.written) co_return Requeue::WhenChanged();
    look_again = health.look_again;
    CO_TRY(const bool synced, co_await SyncNode(machine));
    (void)synced;
    CO_TRY(const auto update, co_await FollowUpdate(machine));
    look_again = Earlier(look_again, update);
  }
  CO_TRY(const auto preserve, co_await Preserve(machine));
  look_again = Earlier(look_again, preserve);
  if (core::NeedsInstance(view)) co_return co_await Make(machine);
  if (!look_again) co_return Requeue::WhenChanged();
  co_return Requeue::After(std::max(*look_again - surroundings_.clock.Now(), Duration::zero()));
}

// How a machine stands with that node, or none.
MachineController::HealthSight MachineController::SightOf(const MachineRecord& machine,
                                                          const NodeRecord* node) const {
  HealthSight sight{.view = {.phase = machine.core.phase,
                             .created = sightings_.Created(machine),
                             .phase_since = sightings_.PhaseSince(machine),
                             .node_exists = node != nullptr,
                             .had_node = !machine.conditions.empty()}};
  if (node == nullptr) return sight;
  const std::vector<std::string>& watched = machine.limits().node_conditions
                                                ? *machine.limits().node_conditions
                                                : surroundings_.settings.node_conditions;
  std::vector<core::Condition> conditions = node->conditions.list();
  sight.view.node_well = core::IsNodeWell(conditions, watched);
  sight.view.node_held =
      core::HasTaint(node->taints.get(), surroundings_.dialect.names().hold_taint);
  dialects::NodeFacts facts = surroundings_.dialect.ReadNodeFacts(*node);
  if (facts.update_result > 0) sight.view.update_result = core::UpdateResult::kSucceeded;
  if (facts.update_result < 0) sight.view.update_result = core::UpdateResult::kFailed;
  sight.update_failure = std::move(facts.update_failure);
  if (core::ConditionsDiffer(machine.conditions.list(), conditions, update_condition_)) {
    sight.conditions = std::move(conditions);
  }
  return sight;
}

core::HealthPlan MachineController::PlanHealthOf(const MachineRecord& machine,
                                                 const HealthSight& sight, WallTime now) {
  core::HealthPlan plan = core::PlanHealth(sight.view, LimitsOf(machine), now);
  if (plan.event == HealthEvent::kUnwellTooLong && !MayGiveUp(machine)) {
    plan.event = HealthEvent::kNone;  // a change of a sibling wakes us
  }
  return plan;
}

Task<Result<MachineController::HealthOutcome>> MachineController::FollowHealth(
    MachineRecord& machine) {
  const WallTime now = surroundings_.clock.Now();
  const core::HealthLimits limits = LimitsOf(machine);
  HealthSight sight = SightOf(machine, caches_.FindNode(machine.node));
  core::HealthPlan plan = PlanHealthOf(machine, sight, now);
  if (IsBad(plan.event)) {
    // The cache of nodes may be older than the machine, which another leader may have found well.
    CO_TRY(const auto live, co_await ReadLiveNode(*surroundings_.target, machine.node));
    sight = SightOf(machine, live ? &*live : nullptr);
    plan = PlanHealthOf(machine, sight, now);
  }
  HealthOutcome outcome{.look_again = plan.look_again};
  if (plan.event == HealthEvent::kNone && !sight.conditions) co_return outcome;

  MachineReport report{.what = WhatOf(plan.event),
                       .took = TookFor(plan.event, machine, limits, now),
                       .conditions = std::move(sight.conditions)};
  if (plan.event == HealthEvent::kUpdateFailed) report.message = std::move(sight.update_failure);
  if (plan.event != HealthEvent::kNone) {
    report.phase = core::PhaseAfter(plan.event, machine.core.phase);
  }
  const bool given_up = plan.event == HealthEvent::kUnwellTooLong;
  if (given_up) given_up_.insert_or_assign(DeploymentOf(machine), machine.meta.key);
  const auto shown = co_await Show(machine, std::move(report));
  if (!shown && given_up) given_up_.erase(DeploymentOf(machine));
  CO_CHECK(shown);
  outcome.written = true;
  if (plan.event == HealthEvent::kJoined || plan.event == HealthEvent::kRecovered) {
    const auto dropped = co_await tokens_->Drop(machine.meta.uid, machine.meta.key.name);
    if (!dropped) {
      log_.Warning(
          "bootstrap token stays until it expires",
          {{"machine", machine.meta.key.ToString()}, {"error", dropped.error().message()}});
    }
  }
  co_return outcome;
}

// One at a time: machines of a deployment are not given up faster than they are replaced.
bool MachineController::MayGiveUp(const MachineRecord& machine) {
  const std::string deployment = DeploymentOf(machine);
  const auto last = given_up_.find(deployment);
  if (last != given_up_.end()) {
    // It is being written, or was and is not seen yet.
    const MachineRecord* found = caches_.machines.store().Find(last->second);
    const bool under_way = found != nullptr && found->meta.uid != machine.meta.uid &&
                           found->core.phase == core::Phase::kUnhealthy;
    if (under_way || caches_.machines.guard().IsBehind(last->second)) {
      waiting_[deployment].insert(machine.meta.key);
      return false;
    }
    given_up_.erase(last);
  }
  std::vector<core::Machine> siblings;
  if (!deployment.empty()) {
    for (const MachineRecord* sibling : caches_.machines_by_deployment.Find(deployment)) {
      siblings.push_back(dialects::Whole(*sibling));
    }
  }
  const bool may =
      core::MayReplace(dialects::Whole(machine), siblings, surroundings_.settings.max_replacements);
  if (may) {
    waiting_[deployment].erase(machine.meta.key);
    if (waiting_[deployment].empty()) waiting_.erase(deployment);
  } else {
    waiting_[deployment].insert(machine.meta.key);
  }
  return may;
}

// What the machine wants of its node. A node that is going is left alone, and its machine goes too.
Task<Result<bool>> MachineController::SyncNode(const MachineRecord& machine) {
  const NodeRecord* node = caches_.FindNode(machine.node);
  if (node == nullptr || caches_.nodes->guard().IsBehind(node->meta.key)) co_return false;
  if (node->meta.deleting_since) {
    log_.Info("node is to be deleted, and so its machine",
              {{"machine", machine.meta.key.ToString()}, {"node", machine.node.view()}});
    CO_CHECK(co_await machines_.Delete(machine.meta));
    co_return true;
  }
  const dialects::ClassRecord* of =
      caches_.classes.store().Find({surroundings_.settings.namespace_, machine.class_name});
  NodeChange change = surroundings_.dialect.SyncedNode(machine, of, *node);
  if (change.none()) co_return false;
  CO_CHECK(co_await nodes_->Write(node->meta, std::move(change)));
  co_return true;
}

}  // namespace millwright::controllers
