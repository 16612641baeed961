#include "controllers/deployment/deployment_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/shared/ownership.h"
#include "controllers/shared/pace.h"
#include "controllers/shared/unreadable.h"
#include "core/rollout/history.h"
#include "core/rollout/limits.h"
#include "core/rollout/revision.h"
#include "core/rollout/roles.h"
#include "core/stepwise/activity.h"

namespace millwright::controllers {

using core::stepwise::Activity;
using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::NodeRecord;
using dialects::SetRecord;
using kube::ObjectKey;
using kube::Requeue;

const SetRecord* DeploymentController::Pass::Find(const std::string& name) const {
  const auto found = std::ranges::find(sets, name, [](const SetRecord& s) { return s.core.name; });
  return found == sets.end() ? nullptr : &*found;
}

DeploymentController::DeploymentController(Surroundings& s, Caches& caches)
    : surroundings_(s),
      caches_(caches),
      log_(s.log.For("controllers.deployment")),
      deployments_(s.control, s.dialect.kinds().deployment.resource, caches.deployments.guard()),
      sets_(s.control, s.dialect.kinds().set.resource, caches.sets.guard()),
      machines_(s.control, s.dialect.kinds().machine.resource, caches.machines.guard()),
      marker_(s, caches),
      controller_(s.executor, s.clock, log_,
                  {.name = "machinedeployment", .workers = s.settings.workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  caches_.deployments.OnChange(
      [this](const DeploymentRecord* before, const DeploymentRecord* after) {
        if (after == nullptr) {
          created_.erase(before->meta.uid);
          complained_.erase(before->meta.uid);
        }
        controller_.queue().Add((after != nullptr ? after : before)->meta.key);
      });
  caches_.sets.OnChange([this](const SetRecord* before, const SetRecord* after) {
    if (before != nullptr) Wake(*before);
    if (after != nullptr) Wake(*after);
  });
  caches_.sets.OnBroken([this](const kube::Unreadable& set) {
    controller_.queue().Add({set.meta.key.namespace_, set.owner_name});
  });
  // Sets tell how many machines there are. Only that the last one is gone, or that one has a node
  // now that is to be marked, is not in their reports.
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    const bool gone = after == nullptr;
    const bool has_node = after != nullptr && !after->node.empty() &&
                          (before == nullptr || before->node != after->node);
    const bool updated =
        before != nullptr && after != nullptr &&
        (before->core.in_place != after->core.in_place ||
         (after->core.in_place.succeeded && before->core.phase != after->core.phase));
    if (gone || has_node || updated) WakeOwnerOf(gone ? *before : *after);
  });
  if (!caches_.nodes) return;
  caches_.nodes->OnChange(
      [this](const NodeRecord* before, const NodeRecord* after) { OnNode(before, after); });
}

void DeploymentController::WakeOwnerOf(const MachineRecord& machine) {
  if (!machine.owner) return;
  const SetRecord* set =
      caches_.sets.store().Find({machine.meta.key.namespace_, machine.owner->name});
  if (set != nullptr) Wake(*set);
}

// Of nodes only the marks of updates in place matter here.
void DeploymentController::OnNode(const NodeRecord* before, const NodeRecord* after) {
  if (after == nullptr) return;
  const dialects::NodeFacts facts = surroundings_.dialect.ReadNodeFacts(*after);
  const bool marked = facts.candidate || facts.selected || facts.update_result != 0;
  if (before == nullptr && !marked) return;
  if (before != nullptr) {
    const dialects::NodeFacts old = surroundings_.dialect.ReadNodeFacts(*before);
    const bool same = old.candidate == facts.candidate && old.selected == facts.selected &&
                      old.update_result == facts.update_result;
    if (same) return;
  }
  for (const MachineRecord* machine : caches_.machines_by_node.Find(after->meta.key.name)) {
    WakeOwnerOf(*machine);
  }
}

void DeploymentController::Wake(const SetRecord& set) {
  if (set.owner) {
    controller_.queue().Add({set.meta.key.namespace_, set.owner->name});
    return;
  }
  for (const DeploymentRecord& deployment : caches_.deployments.store().objects()) {
    if (!deployment.selector.IsEverything() && deployment.selector.Matches(set.labels)) {
      controller_.queue().Add(deployment.meta.key);
    }
  }
}

Task<Result<Requeue>> DeploymentController::Reconcile(ObjectKey key) {
  const DeploymentRecord* found = caches_.deployments.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  const DeploymentRecord deployment = *found;
  if (IsBehind(deployment)) co_return Requeue::After(kube::WriteGuard::kLookAgain);
  const bool deleting = deployment.meta.deleting_since.has_value();
  const std::string& finalizer = surroundings_.dialect.names().finalizer;

  if (!deployment.problem.empty() && !deleting) {
    CO_CHECK(co_await ReportProblem(deployment));
    co_return Requeue::WhenChanged();
  }
  if (!deleting && With(deployment.finalizers, finalizer)) {
    CO_CHECK(co_await deployments_.AddFinalizer(deployment.meta, deployment.finalizers, finalizer));
    co_return Requeue::WhenChanged();
  }
  if (!deployment.selector.IsEverything()) CO_CHECK(co_await Claim(deployment));

  // Its machines are not gone: they would all be made once more in another set.
  if (const auto* set = caches_.sets.store().FindBroken(deployment.meta.uid)) {
    const Error held = CannotBeRead("machine set", *set);
    Tell(deployment, kube::EventSeverity::kWarning, "UnreadableMachineSet", held.message());
    co_return Failure(held);
  }
  Pass pass = Look(deployment);
  const Activity activity = core::stepwise::ChooseActivity(
      deployment.core,
      {.deleting = deleting,
       .has_finalizer = !With(deployment.finalizers, finalizer).has_value(),
       .has_sets = !pass.sets.empty(),
       .selects_everything = deployment.selector.IsEverything(),
       .scaling_event = core::IsScalingEvent({.deployment = deployment.core,
                                              .current = pass.scene.current,
                                              .old = pass.scene.old,
                                              .reported_replicas = deployment.seen.replicas})});
  switch (activity) {
    case Activity::kNothing: co_return Requeue::WhenChanged();
    case Activity::kComplainAboutSelector:
      if (std::exchange(complained_[deployment.meta.uid], deployment.meta.generation) !=
          deployment.meta.generation) {
        Tell(deployment, kube::EventSeverity::kWarning, "SelectingAll",
             "This deployment is selecting all machines. A non-empty selector is required.");
      }
      break;
    case Activity::kDeleteSets:
    case Activity::kLetGo: co_return co_await Finish(pass);
    case Activity::kScale:
    case Activity::kRollBack:
    case Activity::kRollOut: break;
  }

  if (activity != Activity::kComplainAboutSelector) {
    CO_TRY(const bool named, co_await NameVictims(pass));
    if (named) co_return Requeue::WhenChanged();
  }
  if (activity == Activity::kRollBack) {
    CO_TRY(const bool rolled_back, co_await RollBack(pass));
    if (rolled_back) co_return Requeue::WhenChanged();
  }
  if (activity == Activity::kScale) PlanScale(pass);
  if (activity == Activity::kRollOut && UpdatesInPlace(pass)) {
    if (!CanUpdateInPlace(pass)) co_return Requeue::WhenChanged();
    if (IsBehindInPlace(pass)) co_return Requeue::After(std::chrono::seconds(1));
    PlanInPlace(pass);
    CO_CHECK(co_await Transfer(pass));
  } else if (activity == Activity::kRollOut) {
    PlanRollOut(pass);
  }
  CO_CHECK(co_await WriteSets(pass));
  if (pass.in_place) CO_CHECK(co_await MarkUpdates(pass));
  const bool complete = IsComplete(pass);
  if (!pass.moved && (complete || deployment.core.paused)) CO_CHECK(co_await ForgetOldSets(pass));
  if (activity == Activity::kRollOut) {
    const bool marked = co_await marker_.Mark(
        pass.sets, pass.has_current() ? pass.scene.current->name : std::string(),
        core::stepwise::PlanNodeMarks(pass.scene, complete));
    if (!marked) {
      pass.look_again = std::min(pass.look_again.value_or(WallTime::max()),
                                 surroundings_.clock.Now() + std::chrono::seconds(1));
    }
  }
  CO_TRY(const auto look_again, co_await Report(pass));
  const auto next =
      std::min(pass.look_again.value_or(WallTime::max()), look_again.value_or(WallTime::max()));
  const Requeue requeue =
      next == WallTime::max()
          ? Requeue::WhenChanged()
          : Requeue::After(std::max(next - surroundings_.clock.Now(), Duration::zero()));
  co_return requeue.Resting(RestAfter(CountMachines(pass), kCloudPace));
}

std::size_t DeploymentController::CountMachines(const Pass& pass) const {
  std::size_t count = 0;
  for (const SetRecord& set : pass.sets) {
    count += caches_.machines_by_owner.Find(set.meta.uid.str()).size();
  }
  return count;
}

// Whether the cache lacks something that we wrote.
bool DeploymentController::IsBehind(const DeploymentRecord& deployment) {
  if (caches_.deployments.guard().IsBehind(deployment.meta.key)) return true;
  for (const SetRecord* set : caches_.sets_by_owner.Find(deployment.meta.uid.str())) {
    if (caches_.sets.guard().IsBehind(set->meta.key)) return true;
  }
  const auto made = created_.find(deployment.meta.uid);
  if (made == created_.end()) return false;
  if (caches_.sets.guard().IsBehind(made->second)) return true;
  created_.erase(made);
  return false;
}

Task<Result<void>> DeploymentController::Claim(const DeploymentRecord& deployment) {
  const OwnerView owner{.uid = deployment.meta.uid,
                        .deleting = deployment.meta.deleting_since.has_value()};
  std::vector<std::pair<core::Claim, kube::Meta>> claims;
  const auto look = [&](const SetRecord& set) {
    const core::Claim claim = Judge(owner, set.owner ? &*set.owner : nullptr,
                                    deployment.selector.Matches(set.labels), set.core.deleting);
    if (claim == core::Claim::kAdopt || claim == core::Claim::kRelease) {
      claims.emplace_back(claim, set.meta);
    }
  };
  for (const SetRecord* set : caches_.sets_by_owner.Find(deployment.meta.uid.str())) look(*set);
  for (const SetRecord* set : caches_.sets_by_owner.Find("")) look(*set);
  const dialects::Kinds& kinds = surroundings_.dialect.kinds();
  for (auto& [claim, set] : claims) {
    const Adoption adoption{kinds.deployment, deployment.meta, kinds.set, set};
    kube::WriteGuard& guard = caches_.sets.guard();
    if (claim == core::Claim::kAdopt) {
      CO_CHECK(co_await Adopt(surroundings_.control, guard, adoption));
    } else {
      CO_CHECK(co_await Release(surroundings_.control, guard, adoption));
    }
  }
  co_return Ok();
}

DeploymentController::Pass DeploymentController::Look(const DeploymentRecord& deployment) const {
  Pass pass{.deployment = deployment, .progress = deployment.progress};
  std::vector<SetRecord> found;
  for (const SetRecord* set : caches_.sets_by_owner.Find(deployment.meta.uid.str())) {
    found.push_back(*set);
    SetRecord& copy = found.back();
    copy.core.matches_template = copy.machine_template.rolls == deployment.machine_template.rolls;
  }
  std::vector<core::MachineSet> sets;
  for (const SetRecord& set : found) sets.push_back(set.core);
  const core::SetRoles roles = core::FindRoles(
      deployment.core, sets, surroundings_.dialect.current_set_rule(), surroundings_.clock.Now());
  pass.look_again = roles.look_again;
  pass.scene.deployment = deployment.core;
  if (roles.current) {
    pass.scene.current = sets[*roles.current];
    pass.sets.push_back(found[*roles.current]);
  }
  for (const core::OldSet& old : roles.old) {
    pass.scene.old.push_back(sets[old.index]);
    pass.sets.push_back(found[old.index]);
    const auto& machines = caches_.machines_by_owner.Find(found[old.index].meta.uid.str());
    pass.scene.old_machines += static_cast<int>(machines.size());
  }
  const bool could_not_create =
      pass.progress && pass.progress->reason == core::ProgressReason::kSetCreateError;
  if (pass.has_current() && (!pass.progress || could_not_create)) {
    pass.progress = core::Progress{core::Progress::Status::kTrue,
                                   core::ProgressReason::kFoundNewSet, surroundings_.clock.Now()};
  }
  pass.progress =
      core::PlanPauseNotice(deployment.core.paused, pass.progress, surroundings_.clock.Now());
  return pass;
}

// A scaler's word about which machines go is first tidied up, then put on the machines.
Task<Result<bool>> DeploymentController::NameVictims(const Pass& pass) {
  const DeploymentRecord& deployment = pass.deployment;
  if (deployment.scaler_marks.empty() && !deployment.scaler_marks_untidy) co_return false;
  std::vector<core::Machine> machines;
  for (const SetRecord& set : pass.sets) {
    for (const MachineRecord* machine : caches_.machines_by_owner.Find(set.meta.uid.str())) {
      machines.push_back(dialects::Whole(*machine));
    }
  }
  const core::ScalerMarkPlan plan = core::PlanScalerMarks(deployment.scaler_marks, machines);
  std::vector<std::pair<kube::Meta, boost::json::object>> patches;
  for (const core::ScalerMark& mark : plan.mark) {
    const MachineRecord* machine =
        caches_.machines.store().Find({deployment.meta.key.namespace_, mark.machine});
    if (machine == nullptr || caches_.machines.guard().IsBehind(machine->meta.key)) continue;
    patches.emplace_back(machine->meta, surroundings_.dialect.Marked(*machine, mark));
  }
  const bool prune = deployment.scaler_marks_untidy || plan.keep != deployment.scaler_marks;
  if (prune) {
    CO_CHECK(co_await deployments_.Patch(deployment.meta,
                                         surroundings_.dialect.PrunedMarks(deployment, plan.keep)));
  }
  for (auto& [machine, patch] : patches) {
    CO_CHECK(co_await machines_.Patch(machine, std::move(patch)));
  }
  co_return prune;
}

Task<Result<Requeue>> DeploymentController::Finish(const Pass& pass) {
  if (pass.sets.empty()) {
    CO_CHECK(co_await deployments_.RemoveFinalizer(pass.deployment.meta, pass.deployment.finalizers,
                                                   surroundings_.dialect.names().finalizer));
    co_return Requeue::WhenChanged();
  }
  for (const SetRecord& set : pass.sets) {
    if (!set.core.deleting) CO_CHECK(co_await sets_.Delete(set.meta));
  }
  CO_TRY(const auto look_again, co_await Report(pass));
  (void)look_again;
  co_return Requeue::WhenChanged();
}

Task<Result<bool>> DeploymentController::RollBack(const Pass& pass) {
  const DeploymentRecord& deployment = pass.deployment;
  std::vector<core::MachineSet> sets;
  for (const SetRecord& set : pass.sets) sets.push_back(set.core);
  const auto index = core::FindRollbackTarget(sets, *deployment.core.rollback_to);
  const SetRecord* target = index ? &pass.sets[*index] : nullptr;
  if (target == nullptr) {
    Tell(deployment, kube::EventSeverity::kWarning, "DeploymentRollbackRevisionNotFound",
         "Unable to find the revision to rollback to.");
  } else if (target->core.matches_template) {
    Tell(deployment, kube::EventSeverity::kWarning, "DeploymentRollbackTemplateUnchanged",
         fmt::format("The rollback revision contains the same template as current deployment {}",
                     deployment.meta.key.name));
    target = nullptr;
  } else {
    Tell(deployment, kube::EventSeverity::kNormal, "DeploymentRollback",
         fmt::format("Rolled back deployment {} to revision {}", deployment.meta.key.name,
                     target->core.revision));
  }
  CO_CHECK(co_await deployments_.Patch(deployment.meta,
                                       surroundings_.dialect.RolledBack(deployment, target)));
  co_return true;
}

void DeploymentController::Tell(const DeploymentRecord& deployment, kube::EventSeverity severity,
                                std::string reason, std::string message) {
  const kube::GroupVersionKind& kind = surroundings_.dialect.kinds().deployment.kind;
  surroundings_.events.Record(
      {.about = {kind.ApiVersion(), kind.kind, deployment.meta.key, deployment.meta.uid},
       .severity = severity,
       .reason = std::move(reason),
       .message = std::move(message)});
}

}  // namespace millwright::controllers
