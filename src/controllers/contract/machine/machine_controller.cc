#include "controllers/contract/machine/machine_controller.h"

#include <algorithm>

#include "controllers/contract/machine/machine_patch.h"
#include "controllers/shared/calendar.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

using capi::MachineRecord;
using kube::ObjectKey;
using kube::Requeue;

namespace {

bool IsInitialized(const capi::ClusterRecord& cluster) {
  return capi::Is(cluster.status.conditions, capi::types::kControlPlaneInitialized,
                  capi::Truth::kTrue);
}

// What of a cluster its machines look at.
bool MattersToMachines(const capi::ClusterRecord& before, const capi::ClusterRecord& after) {
  return IsInitialized(before) != IsInitialized(after) || before.paused != after.paused ||
         before.deleting() != after.deleting() ||
         before.status.infrastructure_provisioned != after.status.infrastructure_provisioned;
}

std::string_view RevisionOf(const capi::Header& object) {
  const auto found = object.annotations.find(capi::annotations::kRevision);
  return found == object.annotations.end() ? std::string_view() : found->second;
}

// Sets and deployments change with each of their machines; these look at little of that.
bool MattersToMachines(const capi::SetRecord& before, const capi::SetRecord& after) {
  return before.template_text != after.template_text || RevisionOf(before) != RevisionOf(after) ||
         before.labels != after.labels || before.meta.uid != after.meta.uid;
}
bool MattersToMachines(const capi::DeploymentRecord& before, const capi::DeploymentRecord& after) {
  return before.template_text != after.template_text || RevisionOf(before) != RevisionOf(after) ||
         before.spec.rollout_after != after.spec.rollout_after;
}

}  // namespace

MachineController::MachineController(Surroundings& surroundings, Caches& caches,
                                     Externals& externals, RemoteClusters& remotes)
    : surroundings_(surroundings),
      caches_(caches),
      externals_(externals),
      remotes_(remotes),
      log_(surroundings.log.For("contract.machine")),
      machines_(surroundings.management, kMachines, caches.machines.guard()),
      node_rules_{.taints = surroundings.settings.taint_propagation,
                  .labels = surroundings.settings.node_labels,
                  .annotations = surroundings.settings.node_annotations},
      controller_(surroundings.executor, surroundings.clock,
                  surroundings.log.For("contract.machine"),
                  {.name = "machine", .workers = surroundings.settings.machine_workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }),
      drains_(surroundings, [this](const ObjectKey& machine) { Wake(machine); }) {
  Listen();
}

Task<void> MachineController::Run() {
  TaskGroup tasks(surroundings_.executor);
  tasks.Spawn([this] { return drains_.Run(); });
  co_await controller_.Run();
  tasks.Cancel();
  co_await tasks.Join();
}

void MachineController::Listen() {
  caches_.machines.OnChange([this](const MachineRecord* before, const MachineRecord* after) {
    if (after == nullptr) {
      drains_.Forget(before->meta.uid);
      update_calls_.erase(before->meta.uid);
    }
    Wake((after != nullptr ? after : before)->meta.key);
  });
  caches_.clusters.OnChange(
      [this](const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
        if (after == nullptr) return;
        if (before == nullptr || MattersToMachines(*before, *after)) WakeAllOf(after->meta.key);
      });
  caches_.sets.OnChange([this](const capi::SetRecord* before, const capi::SetRecord* after) {
    if (before != nullptr && after != nullptr && !MattersToMachines(*before, *after)) return;
    const Uid& set = (after != nullptr ? after : before)->meta.uid;
    for (const MachineRecord* machine : caches_.machines_by_owner.Find(OwnerKey(set))) {
      Wake(machine->meta.key);
    }
  });
  caches_.deployments.OnChange(
      [this](const capi::DeploymentRecord* before, const capi::DeploymentRecord* after) {
        if (before != nullptr && after != nullptr && !MattersToMachines(*before, *after)) return;
        const Uid& deployment = (after != nullptr ? after : before)->meta.uid;
        for (const capi::SetRecord* set : caches_.sets_by_owner.Find(OwnerKey(deployment))) {
          for (const auto* machine : caches_.machines_by_owner.Find(OwnerKey(set->meta.uid))) {
            Wake(machine->meta.key);
          }
        }
      });
  caches_.drain_rules.OnChange(
      [this](const capi::DrainRuleRecord* before, const capi::DrainRuleRecord* after) {
        const std::string& space = (after != nullptr ? after : before)->meta.key.namespace_;
        for (const MachineRecord& machine : caches_.machines.store().objects()) {
          const bool concerned = machine.deleting() && machine.meta.key.namespace_ == space;
          if (concerned) Wake(machine.meta.key);
        }
      });
  externals_.OnChange([this](const ExternalKind& kind, const capi::ExternalRecord* before,
                             const capi::ExternalRecord* after) {
    WakeOwnerOf(kind, after != nullptr ? *after : *before);
  });
  externals_.OnKind([this](const ExternalKind& kind) {
    for (const MachineRecord& machine : caches_.machines.store().objects()) {
      const bool names_it =
          KindOf(machine.spec.infrastructure) == kind || KindOf(machine.spec.bootstrap) == kind;
      // Control planes are looked at when machines go.
      if (names_it || machine.deleting()) Wake(machine.meta.key);
    }
  });
  remotes_.OnConnection([this](const ObjectKey& cluster) { WakeAllOf(cluster); });
  remotes_.OnSilence(surroundings_.settings.conditions_grace,
                     [this](const ObjectKey& cluster) { WakeAllOf(cluster); });
  remotes_.OnNode(
      [this](const ObjectKey& cluster, const RemoteNode* before, const RemoteNode* after) {
        WakeForNode(cluster, after != nullptr ? *after : *before);
      });
}

void MachineController::WakeAllOf(const ObjectKey& cluster) {
  for (const MachineRecord* machine : caches_.machines_by_cluster.Find(ClusterKey(cluster))) {
    Wake(machine->meta.key);
  }
}

// The machine that controls it, and one that names it: it may not be owned yet.
void MachineController::WakeOwnerOf(const ExternalKind& kind, const capi::ExternalRecord& object) {
  const std::string& space = object.meta.key.namespace_;
  const kube::OwnerReference* owner = ControllerOf(object);
  if (owner != nullptr && owner->kind == capi::kMachineKind &&
      GroupOf(owner->api_version) == capi::kGroup) {
    Wake({space, owner->name});
    return;
  }
  const capi::Reference reference{kind.kind, object.meta.key.name, kind.group};
  for (const auto* machine : caches_.machines_by_reference.Find(ReferenceKey(space, reference))) {
    Wake(machine->meta.key);
  }
}

// Names of nodes are unique within a cluster only, and so the index is.
void MachineController::WakeForNode(const ObjectKey& cluster, const RemoteNode& node) {
  const auto& by_name = caches_.machines_by_node.Find(NodeKey(cluster, node.meta.key.name));
  if (by_name.size() == 1) return Wake(by_name.front()->meta.key);
  if (node.provider_id.empty()) return;
  const auto& by_id =
      caches_.machines_by_provider_id.Find(ProviderIdKey(cluster, node.provider_id));
  if (by_id.size() == 1) Wake(by_id.front()->meta.key);
}

void MachineController::Tell(const MachineRecord& machine, kube::EventSeverity severity,
                             std::string reason, std::string message) {
  surroundings_.events.Record({.about = {.api_version = std::string(capi::kApiVersion),
                                         .kind = std::string(capi::kMachineKind),
                                         .key = machine.meta.key,
                                         .uid = machine.meta.uid},
                               .severity = severity,
                               .reason = std::move(reason),
                               .message = std::move(message),
                               .action = {}});
}

Task<Result<Requeue>> MachineController::AddFinalizer(MachineRecord machine) {
  MachineRecord next = machine;
  next.finalizers.emplace_back(capi::finalizers::kMachine);
  CO_CHECK(co_await machines_.Patch(machine.meta, MachinePatch(machine, next)));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> MachineController::ShowPause(MachineRecord machine, bool cluster_paused) {
  capi::MachineStatus next = machine.status;
  capi::Set(next.conditions, capi::types::kPaused,
            capi::PausedShown(cluster_paused, machine, capi::kMachineKind), machine.meta.generation,
            surroundings_.clock.Now());
  CO_CHECK(
      co_await machines_.Patch(machine.meta, capi::StatusPatch(machine.status, next), "status"));
  co_return Requeue::WhenChanged();
}

// An owner that is named and not there stops everything but a deletion.
Result<void> MachineController::FindOwners(Pass& pass) const {
  const kube::OwnerReference* owner = OwnerOfKind(pass.seen, capi::kSetKind);
  if (owner == nullptr) return {};
  const capi::SetRecord* set = caches_.SetOf(pass.seen);
  if (set == nullptr) {
    if (pass.deleting()) return {};
    return Fail(ErrorKind::kNotFound, "MachineSet " + owner->name + " does not exist");
  }
  pass.set = *set;
  const auto label = set->labels.find(capi::labels::kDeployment);
  if (label == set->labels.end()) return {};
  const capi::DeploymentRecord* deployment = caches_.DeploymentOf(*set);
  if (deployment == nullptr) {
    if (pass.deleting()) return {};
    return Fail(ErrorKind::kNotFound, "MachineDeployment " + label->second + " does not exist");
  }
  pass.deployment = *deployment;
  return {};
}

Task<Result<Requeue>> MachineController::Reconcile(ObjectKey key) {
  const MachineRecord* found = caches_.machines.store().Find(key);
  if (found == nullptr || !surroundings_.settings.Watches(found->labels)) {
    co_return Requeue::WhenChanged();
  }
  if (caches_.machines.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const capi::ClusterRecord* cluster = caches_.clusters.store().Find(ClusterOf(*found));
  if (cluster == nullptr) {
    co_return Fail(ErrorKind::kNotFound, "Cluster " + found->spec.cluster + " does not exist");
  }
  const bool ours =
      std::ranges::find(found->finalizers, capi::finalizers::kMachine) != found->finalizers.end();
  if (!found->deleting() && !ours) co_return co_await AddFinalizer(*found);
  const capi::PausePlan pause =
      capi::PlanPause(cluster->paused, *found, capi::kMachineKind, found->status.conditions);
  if (pause.write && pause.paused) co_return co_await ShowPause(*found, cluster->paused);
  if (pause.paused) co_return Requeue::WhenChanged();

  Pass pass{.seen = *found, .machine = *found, .cluster = *cluster};
  CO_CHECK(FindOwners(pass));
  pass.remote = remotes_.Find(ClusterOf(*found));
  pass.bootstrap = externals_.Find(found->spec.bootstrap, key.namespace_);
  pass.infrastructure = externals_.Find(found->spec.infrastructure, key.namespace_);
  if (pass.deleting()) {
    pass.control_plane = externals_.Find(cluster->control_plane, key.namespace_);
  }
  // Once they are listed we are woken; until then nothing is known, not even what is wrong.
  if (pass.bootstrap.soon || pass.infrastructure.soon || pass.control_plane.soon) {
    co_return Requeue::WhenChanged();
  }

  KeepLabels(pass);
  co_await LearnBootstrap(pass);
  co_await LearnInfrastructure(pass);
  co_await FollowNode(pass);
  LearnCertificates(pass);
  if (pass.deleting()) {
    co_await Delete(pass);
  } else {
    co_await UpdateInPlace(pass);
  }
  if (co_await IsCancelled()) co_return Fail(ErrorKind::kCancelled, "asked to stop");
  co_return co_await Finish(pass);
}

// The spec first, so that the status is about the generation that it leads to; but the finalizer
// last, because nothing can be written after it.
Task<Result<Requeue>> MachineController::Finish(Pass& pass) {
  kube::Meta meta = pass.seen.meta;
  CO_TRY(meta, co_await machines_.Patch(meta, MachinePatch(pass.seen, pass.machine)));
  pass.machine.meta = meta;
  pass.facts.set = pass.set ? &*pass.set : nullptr;
  pass.facts.deployment = pass.deployment ? &*pass.deployment : nullptr;
  const WallTime now = surroundings_.clock.Now();
  const capi::MachineReport report = capi::NextMachineStatus(pass.machine, pass.facts, now);
  // With its last finalizer a machine goes; nobody would see what it said.
  const bool goes = pass.finished && pass.machine.finalizers.size() <= 1;
  if (!goes) {
    CO_TRY(meta, co_await machines_.Patch(meta, capi::StatusPatch(pass.seen.status, report.status),
                                          "status"));
  }
  if (pass.finished) {
    MachineRecord last = pass.machine;
    std::erase(last.finalizers, capi::finalizers::kMachine);
    const Result<kube::Meta> gone =
        co_await machines_.Patch(meta, MachinePatch(pass.machine, last));
    if (!gone && gone.error().kind() != ErrorKind::kNotFound) co_return Failure(gone.error());
    co_return Requeue::WhenChanged();
  }
  if (report.look_again) pass.LookAgain(*report.look_again);
  std::optional<Duration> after;
  if (pass.look_again) {
    after = std::max<Duration>(WaitFor(*pass.look_again, now), std::chrono::seconds(1));
  }
  if (!pass.errors.empty()) {
    // A time that ends does so however long the next try is put off.
    if (after) controller_.queue().AddAfter(meta.key, *after);
    co_return Failure(Joined(std::move(pass.errors)));
  }
  co_return after ? Requeue::After(*after) : Requeue::WhenChanged();
}

}  // namespace millwright::controllers::contract
