#include "controllers/contract/set/set_controller.h"

#include <fmt/format.h>

#include <algorithm>

#include "controllers/contract/shared/belonging.h"
#include "controllers/contract/shared/resources.h"
#include "controllers/shared/calendar.h"
#include "controllers/shared/earlier.h"
#include "controllers/shared/pace.h"
#include "controllers/shared/unreadable.h"
#include "dialects/capi/body_parts.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::MachineRecord;
using capi::SetRecord;
using kube::ObjectKey;
using kube::Requeue;

SetController::SetController(Surroundings& s, Caches& caches, Externals& externals)
    : surroundings_(s),
      caches_(caches),
      externals_(externals),
      log_(s.log.For("contract.set")),
      sets_(s.management, kSets, caches.sets.guard()),
      machines_(s.management, kMachines, caches.machines.guard()),
      controller_(s.executor, s.clock, log_,
                  {.name = "machineset", .workers = s.settings.set_workers, .queue = {}},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  caches_.sets.OnChange([this](const SetRecord* before, const SetRecord* after) {
    if (after == nullptr) return Forget(*before);
    controller_.queue().Add(after->meta.key);
  });
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    if (before != nullptr) WakeOwnersOf(*before);
    if (after != nullptr) WakeOwnersOf(*after);
    if (after == nullptr || after->deleting()) removed_.erase((after ? after : before)->meta.uid);
    if (after == nullptr) in_sync_.erase(before->meta.uid);
  });
  caches_.machines.OnBroken([this](const kube::Unreadable& machine) {
    controller_.queue().Add({machine.meta.key.namespace_, machine.owner_name});
  });
  caches_.clusters.OnChange(
      [this](const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
        if (after == nullptr) return;
        const bool same = before != nullptr && before->paused == after->paused &&
                          before->topology_version == after->topology_version &&
                          before->annotations == after->annotations;
        if (same) return;
        for (const SetRecord* set : caches_.sets_by_cluster.Find(ClusterKey(after->meta.key))) {
          controller_.queue().Add(set->meta.key);
        }
      });
  caches_.deployments.OnChange(
      [this](const capi::DeploymentRecord*, const capi::DeploymentRecord* after) {
        if (after == nullptr) return;
        for (const SetRecord* set : caches_.sets_by_owner.Find(OwnerKey(after->meta.uid))) {
          controller_.queue().Add(set->meta.key);
        }
      });
  externals_.OnChange([this](const ExternalKind& kind, const capi::ExternalRecord* before,
                             const capi::ExternalRecord* after) {
    WakeUsersOf(kind, after != nullptr ? *after : *before);
  });
  externals_.OnKind([this](const ExternalKind& kind) {
    for (const SetRecord& set : caches_.sets.store().objects()) {
      const capi::MachineSpec& wish = set.spec.machine_template.spec;
      const auto is = [&](const capi::Reference& reference) {
        return reference.defined() && kind.group == reference.group &&
               reference.kind.starts_with(kind.kind);
      };
      const capi::ClusterRecord* cluster = caches_.clusters.store().Find(ClusterOf(set));
      const bool control_plane = cluster != nullptr && KindOf(cluster->control_plane) == kind;
      if (is(wish.infrastructure) || is(wish.bootstrap) || control_plane) {
        controller_.queue().Add(set.meta.key);
      }
    }
  });
}

void SetController::Forget(const SetRecord& set) {
  created_.erase(set.meta.uid);
  swept_.erase(set.meta.uid);
}

void SetController::WakeOwnersOf(const MachineRecord& machine) {
  if (const kube::OwnerReference* owner = ControllerOf(machine)) {
    if (owner->kind == capi::kSetKind) {
      controller_.queue().Add({machine.meta.key.namespace_, owner->name});
    }
    return;
  }
  for (const SetRecord* set : caches_.sets_by_cluster.Find(ClusterKey(ClusterOf(machine)))) {
    if (!set->spec.selector.IsEverything() && set->spec.selector.Matches(machine.labels)) {
      controller_.queue().Add(set->meta.key);
    }
  }
}

// Templates that come or go, and control planes that change.
void SetController::WakeUsersOf(const ExternalKind& kind, const capi::ExternalRecord& object) {
  const ObjectKey& key = object.meta.key;
  if (const kube::OwnerReference* owner = OwnerOfKind(object, capi::kSetKind)) {
    controller_.queue().Add({key.namespace_, owner->name});
  }
  const capi::Reference itself{kind.kind, key.name, kind.group};
  for (const SetRecord* set : caches_.sets_by_template.Find(ReferenceKey(key.namespace_, itself))) {
    controller_.queue().Add(set->meta.key);
  }
  const auto label = object.labels.find(capi::labels::kCluster);
  if (label == object.labels.end()) return;
  const capi::ClusterRecord* cluster =
      caches_.clusters.store().Find({key.namespace_, label->second});
  if (cluster == nullptr || cluster->control_plane != itself) return;
  for (const SetRecord* set : caches_.sets_by_cluster.Find(ClusterKey(cluster->meta.key))) {
    controller_.queue().Add(set->meta.key);
  }
}

// Whether the cache lacks something that we did.
bool SetController::IsBehind(const SetRecord& set) {
  if (caches_.sets.guard().IsBehind(set.meta.key)) return true;
  const auto waiting = created_.find(set.meta.uid);
  if (waiting == created_.end()) return false;
  // Only as far as the first that is missing: each machine's arrival asks this again.
  std::vector<ObjectKey>& unseen = waiting->second;
  while (!unseen.empty() && !caches_.machines.guard().IsBehind(unseen.back())) unseen.pop_back();
  if (!unseen.empty()) return true;
  created_.erase(waiting);
  return false;
}

// Those it controls, in an order that does not depend on how they came. One whose labels do not
// match any more is nobody's business until they do.
SetController::Members SetController::FindMembers(const SetRecord& set) const {
  Members members;
  if (!set.spec.selector_problem.empty()) return members;
  for (const MachineRecord* machine : caches_.machines_by_owner.Find(OwnerKey(set.meta.uid))) {
    if (set.spec.selector.Matches(machine->labels)) members.push_back(machine);
  }
  std::ranges::sort(members, {},
                    [](const MachineRecord* m) -> const std::string& { return m->meta.key.name; });
  return members;
}

Task<Result<Requeue>> SetController::Reconcile(ObjectKey key) {
  const SetRecord* found = caches_.sets.store().Find(key);
  const std::size_t machines =
      found != nullptr ? caches_.machines_by_owner.Find(OwnerKey(found->meta.uid)).size() : 0;
  controller_.queue().Rest(key, surroundings_.clock.Elapsed() + RestAfter(machines, kContractPace));
  co_return co_await Look(key);
}

Task<Result<Requeue>> SetController::Look(ObjectKey key) {
  const SetRecord* found = caches_.sets.store().Find(key);
  if (found == nullptr || !surroundings_.settings.Watches(found->labels)) {
    co_return Requeue::WhenChanged();
  }
  Pass pass{.set = *found};
  if (IsBehind(pass.set)) co_return Requeue::After(kube::WriteGuard::kLookAgain);
  const capi::ClusterRecord* cluster = caches_.clusters.store().Find(ClusterOf(pass.set));
  if (cluster == nullptr) {
    co_return Fail(ErrorKind::kUnavailable,
                   fmt::format("cluster {} does not exist", pass.set.spec.cluster));
  }
  pass.cluster = *cluster;
  if (const auto label = pass.set.labels.find(capi::labels::kDeployment);
      label != pass.set.labels.end()) {
    const capi::DeploymentRecord* deployment =
        caches_.deployments.store().Find({key.namespace_, label->second});
    if (deployment != nullptr) pass.deployment = *deployment;
    // A set that goes needs it no more.
    if (deployment == nullptr && !pass.set.deleting()) {
      co_return Fail(ErrorKind::kUnavailable,
                     fmt::format("deployment {} does not exist", label->second));
    }
  }
  CO_TRY(const bool prepared, co_await Prepare(pass));
  if (!prepared) co_return Requeue::WhenChanged();
  // A machine that cannot be read is there all the same: whoever counts the others alone would make
  // one in its place.
  if (const auto* machine = caches_.machines.store().FindBroken(pass.set.meta.uid)) {
    pass.facts.machines_known = false;
    pass.Note(Failure(CannotBeRead("machine", *machine)));
    Tell(pass.set, kube::EventSeverity::kWarning, "UnreadableMachine",
         pass.result.error().message());
  }
  if (!pass.set.spec.selector_problem.empty()) {
    pass.facts.machines_known = false;
    pass.Note(Fail(ErrorKind::kInvalid, pass.set.spec.selector_problem));
  } else if (pass.set.deleting()) {
    co_await Finish(pass);
  } else if (pass.facts.machines_known) {
    CO_TRY(const bool adopted, co_await Adopt(pass.set));
    if (adopted) co_return Requeue::WhenChanged();
    co_await Steps(pass);
  }
  co_return co_await Report(pass);
}

// What has to be so before anything else. False: something was written, or it is left alone.
Task<Result<bool>> SetController::Prepare(const Pass& pass) {
  const SetRecord& set = pass.set;
  const std::string finalizer(capi::finalizers::kSet);
  const auto finalizers = set.deleting() ? std::nullopt : With(set.finalizers, finalizer);
  const capi::PausePlan pause =
      capi::PlanPause(pass.cluster.paused, set, capi::kSetKind, set.status.conditions);
  if (pause.paused && finalizers) {
    CO_CHECK(co_await sets_.AddFinalizer(set.meta, set.finalizers, finalizer));
    co_return false;
  }
  if (pause.write && pause.paused) {
    capi::SetStatus next = set.status;
    capi::Set(next.conditions, capi::types::kPaused,
              capi::PausedShown(pass.cluster.paused, set, capi::kSetKind), set.meta.generation,
              surroundings_.clock.Now());
    CO_CHECK(co_await sets_.Patch(set.meta, capi::StatusPatch(set.status, next), "status"));
  }
  if (pause.paused) co_return false;
  if (set.deleting()) co_return true;
  const bool standalone = OwnerOfKind(set, capi::kDeploymentKind) == nullptr &&
                          !set.labels.contains(capi::labels::kDeployment);
  json::object patch = ClusterMarks(set, pass.cluster, standalone);
  if (set.spec.selector_problem.empty()) {
    json::object spec =
        SelectorMarks(set.spec.selector_labels, set.spec.machine_template.labels, set.spec.cluster);
    if (!spec.empty()) patch["spec"] = std::move(spec["spec"]);
  }
  AddFinalizers(patch, finalizers);
  if (patch.empty()) co_return true;
  CO_CHECK(co_await sets_.Patch(set.meta, std::move(patch)));
  co_return false;
}

// True: a machine was adopted, and will be seen.
Task<Result<bool>> SetController::Adopt(const SetRecord& set) {
  std::vector<std::pair<kube::Meta, json::object>> adoptions;
  if (!set.spec.selector.IsEverything()) {
    for (const MachineRecord* machine :
         caches_.machines_by_owner.Find(OrphanKey(set.meta.key.namespace_))) {
      if (!set.spec.selector.Matches(machine->labels) || machine->deleting()) continue;
      if (caches_.machines.guard().IsBehind(machine->meta.key)) continue;
      std::vector<kube::OwnerReference> owners = machine->owners;
      std::erase_if(owners, [&](const auto& owner) { return owner.uid == set.meta.uid; });
      owners.push_back(capi::ControllerReference(capi::kSetKind, set));
      adoptions.emplace_back(machine->meta,
                             json::object{{"metadata", {{"ownerReferences", OwnersJson(owners)}}}});
    }
  }
  bool adopted = false;
  for (auto& [machine, patch] : adoptions) {
    const auto written = co_await machines_.Patch(machine, std::move(patch));
    if (written) {
      adopted = true;
      Tell(set, kube::EventSeverity::kNormal, "SuccessfulAdopt",
           fmt::format("Adopted Machine {}", machine.key.name));
    } else {
      Tell(set, kube::EventSeverity::kWarning, "FailedAdopt",
           fmt::format("Failed to adopt Machine {}: {}", machine.key.name,
                       written.error().message()));
    }
  }
  co_return adopted;
}

Task<void> SetController::Steps(Pass& pass) {
  co_await OwnTemplates(pass);
  co_await Remediate(pass);
  co_await Synchronize(pass);
  if (surroundings_.settings.in_place_updates) co_await Receive(pass);
  co_await SweepClones(pass);
  // What was decided from is old now. The machines' changes wake us.
  if (!pass.wrote) co_await Scale(pass);
}

Task<void> SetController::OwnTemplates(Pass& pass) {
  const capi::MachineSpec& wish = pass.set.spec.machine_template.spec;
  const std::string& space = pass.set.meta.key.namespace_;
  pass.infrastructure_template = externals_.Find(wish.infrastructure, space);
  pass.bootstrap_template = externals_.Find(wish.bootstrap, space);
  co_await OwnTemplate(pass, wish.infrastructure, pass.infrastructure_template);
  co_await OwnTemplate(pass, wish.bootstrap, pass.bootstrap_template);
}

Task<void> SetController::OwnTemplate(Pass& pass, const capi::Reference& reference,
                                      const ExternalLook& look) {
  switch (look.state) {
    case core::ObjectState::kNone: co_return;
    case core::ObjectState::kUnreadable:
      // Until the kind was listed nothing is wrong, and the listener wakes us.
      if (!look.soon) pass.Note(Fail(ErrorKind::kUnavailable, look.why));
      co_return;
    case core::ObjectState::kMissing: {
      pass.facts.missing_templates.push_back(reference.kind);
      const capi::DeploymentRecord* deployment = pass.deployment ? &*pass.deployment : nullptr;
      if (IsCurrent(pass.set, deployment)) {
        pass.Note(Fail(ErrorKind::kUnavailable,
                       fmt::format("{} {} does not exist", reference.kind, reference.name)));
      }
      co_return;
    }
    case core::ObjectState::kFound: break;
  }
  kube::WriteGuard* guard = externals_.GuardOf(KindOf(reference));
  if (guard != nullptr && guard->IsBehind(look.object->meta.key)) co_return;
  pass.Note(co_await externals_.Patch(reference, look.object->meta,
                                      TemplateMarks(reference, *look.object, pass.cluster)));
}

Task<void> SetController::Finish(Pass& pass) {
  std::vector<kube::Meta> going;
  for (const MachineRecord* machine : FindMembers(pass.set)) {
    if (!machine->deleting() && !removed_.contains(machine->meta.uid)) {
      going.push_back(machine->meta);
    }
  }
  pass.Note(co_await RemoveMachines(pass, std::move(going)));
}

Task<Result<Requeue>> SetController::Report(Pass& pass) {
  const SetRecord& set = pass.set;
  const Members members = FindMembers(set);
  if (set.deleting() && members.empty() && pass.facts.machines_known) {
    CO_CHECK(co_await sets_.RemoveFinalizer(set.meta, set.finalizers,
                                            std::string(capi::finalizers::kSet)));
    co_return Requeue::WhenChanged();
  }
  pass.facts.machines = members;
  pass.facts.succeeded = pass.result.has_value();
  const WallTime now = surroundings_.clock.Now();
  capi::SetReport report = capi::NextSetStatus(set, pass.facts, now);
  CO_CHECK(co_await sets_.Patch(set.meta, capi::StatusPatch(set.status, report.status), "status"));
  if (!pass.result) co_return Failure(pass.result.error());
  const std::optional<WallTime> again = Earlier(pass.look_again, report.look_again);
  if (again) co_return Requeue::After(WaitFor(*again, now));
  co_return Requeue::WhenChanged();
}

void SetController::Tell(const SetRecord& set, kube::EventSeverity severity, std::string reason,
                         std::string message) {
  surroundings_.events.Record({.about = {std::string(capi::kApiVersion),
                                         std::string(capi::kSetKind), set.meta.key, set.meta.uid},
                               .severity = severity,
                               .reason = std::move(reason),
                               .message = std::move(message),
                               .action = {}});
}

}  // namespace millwright::controllers::contract
