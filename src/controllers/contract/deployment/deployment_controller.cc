#include "controllers/contract/deployment/deployment_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/contract/shared/belonging.h"
#include "controllers/contract/shared/resources.h"
#include "controllers/shared/calendar.h"
#include "controllers/shared/earlier.h"
#include "controllers/shared/pace.h"
#include "controllers/shared/unreadable.h"
#include "core/rollout/history.h"
#include "dialects/capi/body_parts.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::DeploymentRecord;
using capi::SetRecord;
using kube::ObjectKey;
using kube::Requeue;

DeploymentController::DeploymentController(Surroundings& s, Caches& caches, Externals& externals)
    : surroundings_(s),
      caches_(caches),
      externals_(externals),
      log_(s.log.For("contract.deployment")),
      deployments_(s.management, kDeployments, caches.deployments.guard()),
      sets_(s.management, kSets, caches.sets.guard()),
      controller_(
          s.executor, s.clock, log_,
          {.name = "machinedeployment", .workers = s.settings.deployment_workers, .queue = {}},
          [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  caches_.deployments.OnChange(
      [this](const DeploymentRecord* before, const DeploymentRecord* after) {
        if (after == nullptr) {
          created_.erase(before->meta.uid);
          return;
        }
        controller_.queue().Add(after->meta.key);
      });
  caches_.sets.OnChange([this](const SetRecord* before, const SetRecord* after) {
    if (before != nullptr) WakeOwnersOf(*before);
    if (after != nullptr) WakeOwnersOf(*after);
    if (after == nullptr || after->deleting()) removed_.erase((after ? after : before)->meta.uid);
    if (after == nullptr) can_update_.erase(before->meta.uid);
  });
  caches_.sets.OnBroken([this](const kube::Unreadable& set) {
    controller_.queue().Add({set.meta.key.namespace_, set.owner_name});
  });
  caches_.clusters.OnChange(
      [this](const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
        if (after == nullptr || (before != nullptr && before->paused == after->paused)) return;
        for (const DeploymentRecord* deployment :
             caches_.deployments_by_cluster.Find(ClusterKey(after->meta.key))) {
          controller_.queue().Add(deployment->meta.key);
        }
      });
  externals_.OnChange([this](const ExternalKind& kind, const capi::ExternalRecord* before,
                             const capi::ExternalRecord* after) {
    const ObjectKey& key = (after != nullptr ? after : before)->meta.key;
    const std::string used = ReferenceKey(key.namespace_, {kind.kind, key.name, kind.group});
    for (const DeploymentRecord* deployment : caches_.deployments_by_template.Find(used)) {
      controller_.queue().Add(deployment->meta.key);
    }
  });
  externals_.OnKind([this](const ExternalKind& kind) {
    if (!kind.kind.ends_with(capi::kTemplateSuffix)) return;
    for (const DeploymentRecord& deployment : caches_.deployments.store().objects()) {
      const capi::MachineSpec& wish = deployment.spec.machine_template.spec;
      if (KindOf(wish.infrastructure) == kind || KindOf(wish.bootstrap) == kind) {
        controller_.queue().Add(deployment.meta.key);
      }
    }
  });
}

void DeploymentController::WakeOwnersOf(const SetRecord& set) {
  if (const kube::OwnerReference* owner = ControllerOf(set)) {
    if (owner->kind == capi::kDeploymentKind) {
      controller_.queue().Add({set.meta.key.namespace_, owner->name});
    }
    return;
  }
  for (const DeploymentRecord* deployment :
       caches_.deployments_by_cluster.Find(ClusterKey(ClusterOf(set)))) {
    if (!deployment->spec.selector.IsEverything() &&
        deployment->spec.selector.Matches(set.labels)) {
      controller_.queue().Add(deployment->meta.key);
    }
  }
}

std::vector<const SetRecord*> DeploymentController::FindSets(
    const DeploymentRecord& deployment) const {
  const auto& found = caches_.sets_by_owner.Find(OwnerKey(deployment.meta.uid));
  std::vector<const SetRecord*> sets(found.begin(), found.end());
  std::ranges::sort(sets, {}, [](const SetRecord* set) { return set->meta.key.name; });
  return sets;
}

// Those of its sets, and those that one of them will adopt. Not all machines are looked through:
// there may be thousands of others in the cluster.
std::vector<const capi::MachineRecord*> DeploymentController::MachinesOf(
    const DeploymentRecord& deployment) const {
  std::vector<const capi::MachineRecord*> machines;
  const auto add = [&](const std::string& owner) {
    for (const capi::MachineRecord* machine : caches_.machines_by_owner.Find(owner)) {
      const bool ours = machine->spec.cluster == deployment.spec.cluster &&
                        deployment.spec.selector.Matches(machine->labels);
      if (ours) machines.push_back(machine);
    }
  };
  for (const SetRecord* set : FindSets(deployment)) add(OwnerKey(set->meta.uid));
  add(OrphanKey(deployment.meta.key.namespace_));
  return machines;
}

// Whether the cache lacks something that we did.
bool DeploymentController::IsBehind(const DeploymentRecord& deployment) {
  if (caches_.deployments.guard().IsBehind(deployment.meta.key)) return true;
  for (const SetRecord* set : FindSets(deployment)) {
    if (caches_.sets.guard().IsBehind(set->meta.key)) return true;
  }
  const auto waiting = created_.find(deployment.meta.uid);
  if (waiting == created_.end()) return false;
  std::erase_if(waiting->second,
                [this](const ObjectKey& set) { return !caches_.sets.guard().IsBehind(set); });
  if (!waiting->second.empty()) return true;
  created_.erase(waiting);
  return false;
}

Task<Result<Requeue>> DeploymentController::Reconcile(ObjectKey key) {
  const DeploymentRecord* found = caches_.deployments.store().Find(key);
  const std::size_t machines = found != nullptr ? MachinesOf(*found).size() : 0;
  controller_.queue().Rest(key, surroundings_.clock.Elapsed() + RestAfter(machines, kContractPace));
  co_return co_await Look(key);
}

Task<Result<Requeue>> DeploymentController::Look(ObjectKey key) {
  const DeploymentRecord* found = caches_.deployments.store().Find(key);
  if (found == nullptr || !surroundings_.settings.Watches(found->labels)) {
    co_return Requeue::WhenChanged();
  }
  Pass pass{.deployment = *found};
  if (IsBehind(pass.deployment)) co_return Requeue::After(kube::WriteGuard::kLookAgain);
  const capi::ClusterRecord* cluster = caches_.clusters.store().Find(ClusterOf(pass.deployment));
  if (cluster == nullptr) {
    co_return Fail(ErrorKind::kUnavailable,
                   fmt::format("cluster {} does not exist", pass.deployment.spec.cluster));
  }
  pass.cluster = *cluster;
  CO_TRY(const bool prepared, co_await Prepare(pass));
  if (!prepared) co_return Requeue::WhenChanged();
  // Its machines are not gone: they would all be made once more in another set.
  if (const auto* set = caches_.sets.store().FindBroken(pass.deployment.meta.uid)) {
    pass.facts.known = false;
    pass.Note(Failure(CannotBeRead("machine set", *set)));
    Tell(pass.deployment, kube::EventSeverity::kWarning, "UnreadableMachineSet",
         pass.result.error().message());
    co_return co_await Report(pass);
  }
  if (pass.deployment.deleting()) {
    co_await Finish(pass);
    co_return co_await Report(pass);
  }
  if (!pass.deployment.spec.selector_problem.empty() ||
      pass.deployment.spec.selector.IsEverything()) {
    pass.facts.known = false;
    pass.Note(Fail(ErrorKind::kInvalid, pass.deployment.spec.selector_problem.empty()
                                            ? "spec.selector selects everything"
                                            : pass.deployment.spec.selector_problem));
    co_return co_await Report(pass);
  }
  CO_TRY(const bool adopted, co_await Adopt(pass.deployment));
  if (adopted) co_return Requeue::WhenChanged();
  for (const SetRecord* set : FindSets(pass.deployment)) pass.sets.push_back(*set);
  co_await OwnTemplates(pass);
  co_await RollOut(pass);
  co_return co_await Report(pass);
}

// What has to be so before anything else. False: something was written, or it is left alone.
Task<Result<bool>> DeploymentController::Prepare(const Pass& pass) {
  const DeploymentRecord& deployment = pass.deployment;
  const std::string finalizer(capi::finalizers::kDeployment);
  const capi::PausePlan pause = capi::PlanPause(
      pass.cluster.paused, deployment, capi::kDeploymentKind, deployment.status.conditions);
  const auto finalizers =
      deployment.deleting() ? std::nullopt : With(deployment.finalizers, finalizer);
  if (pause.paused && finalizers) {
    CO_CHECK(co_await deployments_.AddFinalizer(deployment.meta, deployment.finalizers, finalizer));
    co_return false;
  }
  if (pause.write && pause.paused) {
    capi::DeploymentStatus next = deployment.status;
    capi::Set(next.conditions, capi::types::kPaused,
              capi::PausedShown(pass.cluster.paused, deployment, capi::kDeploymentKind),
              deployment.meta.generation, surroundings_.clock.Now());
    CO_CHECK(co_await deployments_.Patch(deployment.meta,
                                         capi::StatusPatch(deployment.status, next), "status"));
  }
  if (pause.paused) co_return false;
  if (deployment.deleting()) co_return true;
  json::object patch = ClusterMarks(deployment, pass.cluster, true);
  if (deployment.spec.selector_problem.empty()) {
    // Its sets have the label for certain, and a selector is written whole by whoever writes it.
    json::object spec =
        SelectorMarks(deployment.spec.selector_labels, deployment.spec.machine_template.labels,
                      deployment.spec.cluster);
    if (!spec.empty()) patch["spec"] = std::move(spec["spec"]);
  }
  AddFinalizers(patch, finalizers);
  if (patch.empty()) co_return true;
  CO_CHECK(co_await deployments_.Patch(deployment.meta, std::move(patch)));
  co_return false;
}

// True: a set was adopted, and will be seen.
Task<Result<bool>> DeploymentController::Adopt(const DeploymentRecord& deployment) {
  std::vector<std::pair<kube::Meta, json::object>> adoptions;
  for (const SetRecord* set :
       caches_.sets_by_owner.Find(OrphanKey(deployment.meta.key.namespace_))) {
    if (!deployment.spec.selector.Matches(set->labels) || set->deleting()) continue;
    if (caches_.sets.guard().IsBehind(set->meta.key)) continue;
    std::vector<kube::OwnerReference> owners = set->owners;
    std::erase_if(owners, [&](const auto& owner) { return owner.uid == deployment.meta.uid; });
    owners.push_back(capi::ControllerReference(capi::kDeploymentKind, deployment));
    adoptions.emplace_back(set->meta,
                           json::object{{"metadata", {{"ownerReferences", OwnersJson(owners)}}}});
  }
  bool adopted = false;
  for (auto& [set, patch] : adoptions) {
    const auto written = co_await sets_.Patch(set, std::move(patch));
    if (written) {
      adopted = true;
      Tell(deployment, kube::EventSeverity::kNormal, "SuccessfulAdopt",
           fmt::format("Adopted MachineSet {}", set.key.name));
    } else {
      Tell(deployment, kube::EventSeverity::kWarning, "FailedAdopt",
           fmt::format("Failed to adopt MachineSet {}: {}", set.key.name,
                       written.error().message()));
    }
  }
  co_return adopted;
}

Task<void> DeploymentController::OwnTemplates(Pass& pass) {
  const capi::MachineSpec wish = pass.deployment.spec.machine_template.spec;
  for (const capi::Reference* reference : {&wish.infrastructure, &wish.bootstrap}) {
    const ExternalLook look = externals_.Find(*reference, pass.deployment.meta.key.namespace_);
    switch (look.state) {
      case core::ObjectState::kNone: break;
      case core::ObjectState::kMissing:
        pass.facts.missing_templates.push_back(reference->kind);
        break;
      case core::ObjectState::kUnreadable:
        pass.templates_known = false;
        if (!look.soon) pass.Note(Fail(ErrorKind::kUnavailable, look.why));
        break;
      case core::ObjectState::kFound: {
        kube::WriteGuard* guard = externals_.GuardOf(KindOf(*reference));
        if (guard != nullptr && guard->IsBehind(look.object->meta.key)) break;
        pass.Note(co_await externals_.Patch(*reference, look.object->meta,
                                            TemplateMarks(*reference, *look.object, pass.cluster)));
        break;
      }
    }
  }
}

Task<void> DeploymentController::Finish(Pass& pass) {
  std::vector<kube::Meta> going;
  for (const SetRecord* set : FindSets(pass.deployment)) {
    if (!set->deleting() && !removed_.contains(set->meta.uid)) going.push_back(set->meta);
  }
  for (const kube::Meta& set : going) {
    Result<void> removed = co_await sets_.Delete(set);
    if (removed) removed_.insert(set.uid);
    pass.Note(std::move(removed));
  }
}

// Old sets without machines go as soon as the rollout is complete.
Task<void> DeploymentController::CleanUp(Pass& pass, const capi::DeploymentStatus& status) {
  const std::optional<int>& wished = pass.deployment.spec.replicas;
  const bool complete = wished && status.up_to_date == wished && status.replicas == wished &&
                        status.available == wished &&
                        status.observed_generation >= pass.deployment.meta.generation;
  if (!complete || pass.deployment.spec.paused) co_return;
  DeploymentScene scene{.deployment = &pass.deployment, .sets = {}, .new_set = {}, .moves = {}};
  for (const SetRecord& set : pass.sets) scene.sets.push_back(&set);
  std::vector<core::MachineSet> old;
  for (const core::OldSet& role : RolesOf(scene, surroundings_.clock.Now()).old) {
    old.push_back(ViewOf(pass.sets[role.index], pass.deployment));
  }
  for (const std::string& name : core::SetsToForget(old, 0)) {
    const auto set = std::ranges::find(pass.sets, name, [](const SetRecord& record) -> const auto& {
      return record.meta.key.name;
    });
    if (set->deleting() || removed_.contains(set->meta.uid)) continue;
    Result<void> removed = co_await sets_.Delete(set->meta);
    if (removed) {
      removed_.insert(set->meta.uid);
      Tell(pass.deployment, kube::EventSeverity::kNormal, "SuccessfulDelete",
           fmt::format("Deleted MachineSet {}", name));
    } else {
      Tell(pass.deployment, kube::EventSeverity::kWarning, "FailedDelete",
           fmt::format("Failed to delete MachineSet {}: {}", name, removed.error().message()));
    }
    pass.Note(std::move(removed));
  }
}

Task<Result<Requeue>> DeploymentController::Report(Pass& pass) {
  const DeploymentRecord& deployment = pass.deployment;
  const std::vector<const SetRecord*> sets = FindSets(deployment);
  if (deployment.deleting() && sets.empty()) {
    CO_CHECK(co_await deployments_.RemoveFinalizer(deployment.meta, deployment.finalizers,
                                                   std::string(capi::finalizers::kDeployment)));
    co_return Requeue::WhenChanged();
  }
  const WallTime now = surroundings_.clock.Now();
  pass.facts.sets = sets;
  if (pass.facts.known) {
    pass.facts.machines = MachinesOf(deployment);
    const core::SetRoles roles =
        RolesOf({.deployment = &deployment, .sets = sets, .new_set = {}, .moves = {}}, now);
    if (roles.current) pass.facts.current = sets[*roles.current];
    pass.look_again = Earlier(pass.look_again, roles.look_again);
  }
  pass.facts.succeeded = pass.result.has_value();
  capi::DeploymentReport report = capi::NextDeploymentStatus(deployment, pass.facts, now);
  CO_CHECK(co_await deployments_.Patch(
      deployment.meta, capi::StatusPatch(deployment.status, report.status), "status"));
  if (!pass.wrote && pass.result && !deployment.deleting()) {
    co_await CleanUp(pass, report.status);
  }
  if (!pass.result) co_return Failure(pass.result.error());
  const std::optional<WallTime> again = Earlier(pass.look_again, report.look_again);
  if (again && *again > now) co_return Requeue::After(WaitFor(*again, now));
  co_return Requeue::WhenChanged();
}

void DeploymentController::Tell(const DeploymentRecord& deployment, kube::EventSeverity severity,
                                std::string reason, std::string message) {
  surroundings_.events.Record(
      {.about = {std::string(capi::kApiVersion), std::string(capi::kDeploymentKind),
                 deployment.meta.key, deployment.meta.uid},
       .severity = severity,
       .reason = std::move(reason),
       .message = std::move(message),
       .action = {}});
}

}  // namespace millwright::controllers::contract
