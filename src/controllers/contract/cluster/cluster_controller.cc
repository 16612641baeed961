#include "controllers/contract/cluster/cluster_controller.h"

#include <boost/json.hpp>

#include <algorithm>

#include "controllers/contract/cluster/kubeconfig_secret.h"
#include "controllers/shared/calendar.h"
#include "controllers/shared/pace.h"
#include "dialects/capi/contract.h"
#include "dialects/capi/status/patch.h"
#include "dialects/capi/status/paused.h"
#include "dialects/capi/status/words.h"

namespace millwright::controllers::contract {

namespace json = boost::json;
using capi::ClusterRecord;
using core::ObjectState;
using kube::ObjectKey;
using kube::Requeue;

namespace {

bool HasEndpoint(const ClusterRecord& cluster) {
  return !cluster.endpoint_host.empty() && cluster.endpoint_port != 0;
}

bool IsControlPlane(const capi::MachineRecord& machine) {
  return machine.labels.find(capi::labels::kControlPlane) != machine.labels.end();
}

capi::SeenExternal Seen(const ExternalLook& look) {
  capi::SeenExternal seen{.state = look.state, .ready = {}, .conditions_problem = {}};
  if (look.object) {
    seen.ready = look.object->ready_condition;
    seen.conditions_problem = look.object->conditions_problem;
  }
  return seen;
}

void CopyEndpoint(const capi::ExternalRecord& from, ClusterRecord& cluster) {
  if (HasEndpoint(cluster) || from.endpoint_host.empty()) return;
  cluster.endpoint_host = from.endpoint_host;
  cluster.endpoint_port = from.endpoint_port;
}

json::object ClusterPatch(const ClusterRecord& before, const ClusterRecord& after) {
  json::object patch;
  if (before.finalizers != after.finalizers) {
    patch["metadata"] = json::object{{"finalizers", json::value_from(after.finalizers)}};
  }
  if (before.endpoint_host != after.endpoint_host || before.endpoint_port != after.endpoint_port) {
    patch["spec"] =
        json::object{{"controlPlaneEndpoint",
                      json::object{{"host", after.endpoint_host}, {"port", after.endpoint_port}}}};
  }
  return patch;
}

bool IsOwnedBy(const capi::Header& object, const kube::Meta& owner) {
  return std::ranges::any_of(object.owners,
                             [&](const kube::OwnerReference& one) { return one.uid == owner.uid; });
}

// Nothing that a decision depends on: mostly what we wrote ourselves.
bool IsOnlyStatus(const ClusterRecord& before, const ClusterRecord& after) {
  return before.meta.generation == after.meta.generation && before.meta.uid == after.meta.uid &&
         before.deleting() == after.deleting() && before.labels == after.labels &&
         before.annotations == after.annotations && before.finalizers == after.finalizers;
}

// What a cluster shows of everything in it is for people, so once a second is enough however small
// it is. One that goes is in no need to wait for that.
Duration RestOf(const ClusterRecord& cluster, std::size_t machines) {
  return cluster.deleting() ? RestAfter(machines, kContractPace) : std::chrono::seconds(1);
}

Error Joined(const std::vector<Error>& errors) {
  std::string message;
  for (const Error& error : errors) message += (message.empty() ? "" : "; ") + error.message();
  return {errors.front().kind(), std::move(message)};
}

}  // namespace

ClusterController::ClusterController(Surroundings& surroundings, Caches& caches,
                                     Externals& externals, RemoteClusters& remotes)
    : surroundings_(surroundings),
      caches_(caches),
      externals_(externals),
      remotes_(remotes),
      log_(surroundings.log.For("contract.cluster")),
      clusters_(surroundings.management, kClusters, caches.clusters.guard()),
      clusters_by_reference_(caches.clusters.AddIndex([](const ClusterRecord& cluster, auto& keys) {
        for (const auto* to : {&cluster.infrastructure, &cluster.control_plane}) {
          if (to->defined()) keys.push_back(ReferenceKey(cluster.meta.key.namespace_, *to));
        }
      })),
      controller_(surroundings.executor, surroundings.clock,
                  surroundings.log.For("contract.cluster"),
                  {.name = "cluster", .workers = surroundings.settings.cluster_workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  Listen();
  ListenToFamily();
}

void ClusterController::Listen() {
  caches_.clusters.OnChange([this](const ClusterRecord* before, const ClusterRecord* after) {
    if (before != nullptr && after != nullptr && IsOnlyStatus(*before, *after)) {
      return controller_.queue().Add(after->meta.key);
    }
    Wake((after != nullptr ? after : before)->meta.key);
  });
  caches_.secrets.OnChange([this](const LabelledRecord* before, const LabelledRecord* after) {
    const LabelledRecord& secret = after != nullptr ? *after : *before;
    const auto label = secret.labels.find(capi::labels::kCluster);
    if (label == secret.labels.end()) return;
    const std::string& name = secret.meta.key.name;
    if (name == label->second + "-ca" || name == label->second + "-kubeconfig") {
      Wake({secret.meta.key.namespace_, label->second});
    }
  });
  externals_.OnChange([this](const ExternalKind& kind, const capi::ExternalRecord* before,
                             const capi::ExternalRecord* after) {
    const ObjectKey& key = (after != nullptr ? after : before)->meta.key;
    const std::string reference = ReferenceKey(key.namespace_, {kind.kind, key.name, kind.group});
    for (const auto* cluster : clusters_by_reference_.Find(reference)) Wake(cluster->meta.key);
  });
  externals_.OnKind([this](const ExternalKind& kind) {
    for (const ClusterRecord& cluster : caches_.clusters.store().objects()) {
      if (KindOf(cluster.infrastructure) == kind || KindOf(cluster.control_plane) == kind) {
        Wake(cluster.meta.key);
      }
    }
  });
  remotes_.OnConnection([this](const ObjectKey& cluster) { Wake(cluster); });
  remotes_.OnSilence(surroundings_.settings.connection_grace,
                     [this](const ObjectKey& cluster) { Wake(cluster); });
}

// What belongs to it is shown, and the last of it that goes lets the cluster go.
void ClusterController::ListenToFamily() {
  caches_.machines.OnChange(
      [this](const capi::MachineRecord* before, const capi::MachineRecord* after) {
        const ObjectKey cluster = ClusterOf(after != nullptr ? *after : *before);
        const bool joined =
            after != nullptr && (before == nullptr || before->status.node != after->status.node);
        // It may make the cluster initialized.
        if (joined && IsControlPlane(*after)) return Wake(cluster);
        const bool shown = before == nullptr || after == nullptr ||
                           before->status.conditions != after->status.conditions ||
                           before->labels != after->labels || before->owners != after->owners;
        if (shown) controller_.queue().Add(cluster);
      });
  const auto wake_deleting = [this](const kube::Unreadable& object) {
    for (const ClusterRecord& cluster : caches_.clusters.store().objects()) {
      const bool waits =
          cluster.deleting() && cluster.meta.key.namespace_ == object.meta.key.namespace_;
      if (waits) controller_.queue().Add(cluster.meta.key);
    }
  };
  caches_.machines.OnBroken(wake_deleting);
  caches_.sets.OnBroken(wake_deleting);
  caches_.deployments.OnBroken(wake_deleting);
  caches_.sets.OnChange([this](const capi::SetRecord* before, const capi::SetRecord* after) {
    controller_.queue().Add(ClusterOf(after != nullptr ? *after : *before));
  });
  caches_.deployments.OnChange(
      [this](const capi::DeploymentRecord* before, const capi::DeploymentRecord* after) {
        controller_.queue().Add(ClusterOf(after != nullptr ? *after : *before));
      });
}

Task<Result<Requeue>> ClusterController::AddFinalizer(ClusterRecord cluster) {
  ClusterRecord next = cluster;
  next.finalizers.emplace_back(capi::finalizers::kCluster);
  CO_CHECK(co_await clusters_.Patch(cluster.meta, ClusterPatch(cluster, next)));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> ClusterController::ShowPause(ClusterRecord cluster) {
  capi::ClusterStatus next = cluster.status;
  capi::Set(next.conditions, capi::types::kPaused,
            capi::PausedShown(cluster.paused, cluster, capi::kClusterKind), cluster.meta.generation,
            surroundings_.clock.Now());
  CO_CHECK(
      co_await clusters_.Patch(cluster.meta, capi::StatusPatch(cluster.status, next), "status"));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> ClusterController::Reconcile(ObjectKey key) {
  const ClusterRecord* found = caches_.clusters.store().Find(key);
  if (found == nullptr || !surroundings_.settings.Watches(found->labels)) {
    co_return Requeue::WhenChanged();
  }
  if (caches_.clusters.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const bool ours =
      std::ranges::find(found->finalizers, capi::finalizers::kCluster) != found->finalizers.end();
  if (!found->deleting() && !ours) co_return co_await AddFinalizer(*found);
  const capi::PausePlan pause =
      capi::PlanPause(found->paused, *found, capi::kClusterKind, found->status.conditions);
  if (pause.write && pause.paused) co_return co_await ShowPause(*found);
  if (pause.paused) co_return Requeue::WhenChanged();

  const auto& machines = caches_.machines_by_cluster.Find(ClusterKey(key));
  controller_.queue().Rest(key, surroundings_.clock.Elapsed() + RestOf(*found, machines.size()));
  Pass pass{.seen = *found, .cluster = *found};
  pass.infrastructure = externals_.Find(found->infrastructure, key.namespace_);
  pass.control_plane = externals_.Find(found->control_plane, key.namespace_);
  if (pass.infrastructure.soon || pass.control_plane.soon) co_return Requeue::WhenChanged();
  const RemoteHealth health = remotes_.HealthOf(key);
  pass.facts.last_probe = health.last_success;
  pass.facts.probe_failures = health.failures;
  pass.facts.probe_grace = surroundings_.settings.connection_grace;

  co_await LearnInfrastructure(pass);
  co_await LearnControlPlane(pass);
  if (pass.seen.deleting()) {
    co_await Delete(pass);
  } else {
    co_await KeepKubeconfig(pass);
  }
  if (co_await IsCancelled()) co_return Fail(ErrorKind::kCancelled, "asked to stop");
  co_return co_await Finish(pass);
}

Task<Result<Requeue>> ClusterController::Finish(Pass& pass) {
  kube::Meta meta = pass.seen.meta;
  CO_TRY(meta, co_await clusters_.Patch(meta, ClusterPatch(pass.seen, pass.cluster)));
  pass.cluster.meta = meta;
  const WallTime now = surroundings_.clock.Now();
  pass.facts.family = FamilyOf(pass);  // only now: the caches may change at each wait
  const capi::ClusterReport report = capi::NextClusterStatus(pass.cluster, pass.facts, now);
  CO_TRY(meta, co_await clusters_.Patch(meta, capi::StatusPatch(pass.seen.status, report.status),
                                        "status"));
  if (pass.finished) {
    ClusterRecord last = pass.cluster;
    std::erase(last.finalizers, capi::finalizers::kCluster);
    const auto gone = co_await clusters_.Patch(meta, ClusterPatch(pass.cluster, last));
    if (!gone && gone.error().kind() != ErrorKind::kNotFound) co_return Failure(gone.error());
    co_return Requeue::WhenChanged();
  }
  if (!pass.errors.empty()) co_return Failure(Joined(pass.errors));
  // A silence is told by the connection itself.
  if (report.machines_due) co_return Requeue::After(WaitFor(*report.machines_due, now));
  co_return Requeue::WhenChanged();
}

capi::ClusterFamily ClusterController::FamilyOf(const Pass& pass) const {
  const kube::Meta& cluster = pass.seen.meta;
  const std::string key = ClusterKey(cluster.key);
  capi::ClusterFamily family;
  const auto& deployments = caches_.deployments_by_cluster.Find(key);
  family.deployments.assign(deployments.begin(), deployments.end());
  for (const auto* set : caches_.sets_by_cluster.Find(key)) {
    if (IsOwnedBy(*set, cluster)) family.sets.push_back(set);
  }
  for (const auto* machine : caches_.machines_by_cluster.Find(key)) {
    if (IsControlPlane(*machine)) {
      family.control_plane_machines.push_back(machine);
      continue;
    }
    family.workers.push_back(machine);
    if (IsOwnedBy(*machine, cluster)) family.loose.push_back(machine);
  }
  const ExternalLook& plane = pass.control_plane;
  family.control_plane = plane.object ? &*plane.object : nullptr;
  family.control_plane_known = plane.state != ObjectState::kUnreadable;
  family.is_v1beta2 = !plane.served || plane.served->contract.is_v1beta2;
  return family;
}

Task<Result<void>> ClusterController::Own(const Pass& pass, capi::Reference reference,
                                          const ExternalLook& look) {
  const auto change = PlanClusterOwnership(*look.object, pass.seen.meta, pass.seen.topology);
  if (!change) co_return Ok();
  co_return co_await externals_.Patch(std::move(reference), look.object->meta,
                                      OwnershipPatch(*change));
}

Task<void> ClusterController::LearnInfrastructure(Pass& pass) {
  ExternalLook& look = pass.infrastructure;
  ClusterRecord& cluster = pass.cluster;
  if (look.state == ObjectState::kNone) {
    cluster.status.infrastructure_provisioned = true;
    co_return;
  }
  pass.facts.infrastructure = Seen(look);
  if (look.state == ObjectState::kUnreadable) {
    co_return pass.Failed(Error(ErrorKind::kInvalid, look.why));
  }
  const bool before = cluster.status.infrastructure_provisioned.value_or(false);
  if (look.state == ObjectState::kMissing) {
    if (before && !cluster.deleting()) {
      pass.Failed(Error(ErrorKind::kNotFound,
                        cluster.infrastructure.kind + " is gone while its cluster exists"));
    }
    co_return;
  }
  const Result<void> owned = co_await Own(pass, cluster.infrastructure, look);
  if (!owned) co_return pass.Failed(owned.error());
  if (look.object->deleting()) co_return;
  const bool provisioned = capi::IsProvisioned(*look.object, look.served->contract);
  if (!provisioned && !before) co_return;
  CopyEndpoint(*look.object, cluster);
  const Result<std::string> domains = capi::FailureDomainList(*look.object);
  if (!domains) co_return pass.Failed(domains.error());
  if (!domains->empty()) {
    auto text = caches_.reader().Canonical(*domains);
    if (!text) co_return pass.Failed(text.error());
    cluster.status.failure_domains = *text;
  }
  cluster.status.infrastructure_provisioned = true;
}

Task<void> ClusterController::LearnControlPlane(Pass& pass) {
  ExternalLook& look = pass.control_plane;
  ClusterRecord& cluster = pass.cluster;
  pass.facts.control_plane = Seen(look);
  const auto note = [&pass](bool initialized) {
    pass.facts.control_plane_initialized = initialized;
    if (initialized) pass.cluster.status.control_plane_initialized = true;
  };
  if (look.state == ObjectState::kNone) {
    const auto& machines = caches_.control_planes_by_cluster.Find(ClusterKey(cluster.meta.key));
    co_return note(std::ranges::any_of(
        machines, [](const auto* machine) { return !machine->status.node.empty(); }));
  }
  if (look.state == ObjectState::kUnreadable) {
    pass.facts.control_plane_failed_to_read = true;
    co_return pass.Failed(Error(ErrorKind::kInvalid, look.why));
  }
  if (look.state == ObjectState::kMissing) co_return;
  const Result<void> owned = co_await Own(pass, cluster.control_plane, look);
  if (!owned) co_return pass.Failed(owned.error());
  if (look.object->deleting()) co_return;
  CopyEndpoint(*look.object, cluster);
  note(capi::IsControlPlaneInitialized(*look.object, look.served->contract));
}

// A control plane with a provider of its own has its kubeconfig from there.
Task<void> ClusterController::KeepKubeconfig(Pass& pass) {
  const ClusterRecord& cluster = pass.cluster;
  if (cluster.control_plane.defined() || !HasEndpoint(cluster)) co_return;
  const ObjectKey secret = KubeconfigSecretOf(cluster.meta.key);
  if (caches_.secrets.store().Find(secret) != nullptr) co_return;
  const Result<void> created = co_await CreateKubeconfig(cluster);
  if (!created) pass.Failed(created.error());
}

Task<Result<void>> ClusterController::CreateKubeconfig(ClusterRecord cluster) {
  kube::Client& client = surroundings_.management;
  const std::string& space = cluster.meta.key.namespace_;
  // Without an authority there is nothing to do; the secret wakes us.
  CO_TRY(const auto ca, co_await client.Find(kSecrets, {space, cluster.meta.key.name + "-ca"}));
  if (!ca) co_return Ok();
  CO_TRY(const ClusterAuthority authority, ReadAuthority(ca->text()));
  CO_TRY(const SecretText kubeconfig,
         MakeKubeconfig(cluster, authority, surroundings_.clock.Now(), surroundings_.random));
  const auto created = co_await client.Create(kSecrets, KubeconfigSecretOf(cluster.meta.key),
                                              KubeconfigSecret(cluster, kubeconfig).Reveal());
  if (created || created.error().kind() == ErrorKind::kAlreadyExists) co_return Ok();
  co_return Failure(created.error());
}

Task<void> ClusterController::Delete(Pass& pass) {
  if (!co_await DeleteWorkers(pass)) co_return;
  if (!co_await DeleteExternal(pass, pass.seen.control_plane, pass.control_plane,
                               "WaitingForControlPlaneDeletion")) {
    co_return;
  }
  if (!co_await DeleteExternal(pass, pass.seen.infrastructure, pass.infrastructure,
                               "WaitingForInfrastructureDeletion")) {
    co_return;
  }
  pass.facts.deleting = capi::Shown{.status = capi::Truth::kTrue,
                                    .reason = std::string(capi::reasons::kDeletionCompleted),
                                    .message = "Deletion completed"};
  pass.finished = true;
}

// True: there are none left. Machines of a control plane go with it, if it has a provider.
Task<bool> ClusterController::DeleteWorkers(Pass& pass) {
  const std::string key = ClusterKey(pass.seen.meta.key);
  struct Child {
    kube::GroupVersionResource resource;
    kube::Meta meta;
  };
  std::vector<Child> to_delete;
  std::size_t left = 0;
  const auto add = [&](const kube::GroupVersionResource& resource, const capi::Header& object) {
    ++left;
    if (IsOwnedBy(object, pass.seen.meta) && !object.deleting())
      to_delete.push_back({resource, object.meta});
  };
  for (const auto* deployment : caches_.deployments_by_cluster.Find(key)) {
    add(kDeployments, *deployment);
  }
  for (const auto* set : caches_.sets_by_cluster.Find(key)) add(kSets, *set);
  for (const auto* machine : caches_.machines_by_cluster.Find(key)) {
    const bool provided = IsControlPlane(*machine) && pass.seen.control_plane.defined();
    if (!provided) add(kMachines, *machine);
  }
  // Whose they are cannot be told, so any in the namespace may be this cluster's.
  for (const auto* kind : {&caches_.deployments.store().broken(), &caches_.sets.store().broken(),
                           &caches_.machines.store().broken()}) {
    left += static_cast<std::size_t>(std::ranges::count_if(*kind, [&](const auto& object) {
      return object.first.namespace_ == pass.seen.meta.key.namespace_;
    }));
  }
  if (left == 0) co_return true;
  pass.facts.deleting = capi::Shown{
      .status = capi::Truth::kTrue,
      .reason = "WaitingForWorkersDeletion",
      .message = "Waiting for " + std::to_string(left) + " dependent objects to be deleted"};
  for (const Child& child : to_delete) {
    const Result<void> deleted = co_await surroundings_.management.Delete(
        child.resource, child.meta.key, {.uid = child.meta.uid});
    if (!deleted) pass.Failed(deleted.error());
  }
  co_return false;
}

// True: it is gone, or there never was one.
Task<bool> ClusterController::DeleteExternal(Pass& pass, capi::Reference reference,
                                             const ExternalLook& look, std::string_view reason) {
  if (look.state == ObjectState::kNone || look.state == ObjectState::kMissing) co_return true;
  pass.facts.deleting = capi::Shown{.status = capi::Truth::kTrue,
                                    .reason = std::string(reason),
                                    .message = "Waiting for " + reference.kind + " to be deleted"};
  if (look.object && look.object->deleting()) co_return false;
  std::optional<Uid> seen;
  if (look.object) seen = look.object->meta.uid;
  const Result<void> deleted =
      co_await externals_.Delete(reference, pass.seen.meta.key.namespace_, std::move(seen));
  if (!deleted) pass.Failed(deleted.error());
  co_return false;
}

}  // namespace millwright::controllers::contract
