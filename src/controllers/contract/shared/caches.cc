#include "controllers/contract/shared/caches.h"

#include <utility>

namespace millwright::controllers::contract {

using capi::ClusterRecord;
using capi::DeploymentRecord;
using capi::DrainRuleRecord;
using capi::HealthCheckRecord;
using capi::MachineRecord;
using capi::SetRecord;

namespace {

kube::ReflectorOptions Within(const Surroundings& surroundings,
                              const kube::GroupVersionResource& resource) {
  return {.resource = resource, .namespace_ = surroundings.settings.namespace_};
}

kube::ReflectorOptions OfDefinitions() { return {.resource = kDefinitions, .metadata_only = true}; }

kube::ReflectorOptions OfSecrets(const Surroundings& surroundings) {
  kube::ReflectorOptions options = Within(surroundings, kSecrets);
  options.label_selector = std::string(capi::labels::kCluster);
  options.metadata_only = true;
  return options;
}

template <class T>
auto By(Result<T> (capi::Reader::*read)(kube::JsonObject), capi::Reader& reader) {
  return [read, &reader](kube::JsonObject object) { return (reader.*read)(object); };
}

void AddOwnerKey(const capi::Header& object, std::vector<Text>& keys) {
  const kube::OwnerReference* owner = ControllerOf(object);
  keys.push_back(owner != nullptr ? OwnerKey(owner->uid) : OrphanKey(object.meta.key.namespace_));
}

void AddClusterKey(const auto& object, std::vector<Text>& keys) {
  keys.push_back(ClusterKey(ClusterOf(object)));
}

void AddReferences(const std::string& space, const capi::MachineSpec& spec,
                   std::vector<Text>& keys) {
  for (const capi::Reference* to : {&spec.bootstrap, &spec.infrastructure}) {
    if (to->defined()) keys.push_back(ReferenceKey(space, *to));
  }
}

void AddReferenceKeys(const MachineRecord& machine, std::vector<Text>& keys) {
  AddReferences(machine.meta.key.namespace_, machine.spec, keys);
}

void AddTemplateKeys(const auto& object, std::vector<Text>& keys) {
  AddReferences(object.meta.key.namespace_, object.spec.machine_template.spec, keys);
}

}  // namespace

std::string OwnerKey(const Uid& owner) { return owner.str(); }
std::string OrphanKey(const std::string& namespace_) { return "/" + namespace_; }
std::string ClusterKey(const kube::ObjectKey& cluster) { return cluster.ToString(); }
std::string NodeKey(const kube::ObjectKey& cluster, const std::string& node) {
  return ClusterKey(cluster) + "/" + node;
}
std::string ProviderIdKey(const kube::ObjectKey& cluster, const std::string& provider_id) {
  return ClusterKey(cluster) + "/" + provider_id;
}
std::string ReferenceKey(const std::string& namespace_, const capi::Reference& reference) {
  return reference.kind + "." + reference.group + "/" + namespace_ + "/" + reference.name;
}

kube::ObjectKey ClusterOf(const MachineRecord& machine) {
  return {machine.meta.key.namespace_, machine.spec.cluster};
}
kube::ObjectKey ClusterOf(const SetRecord& set) {
  return {set.meta.key.namespace_, set.spec.cluster};
}
kube::ObjectKey ClusterOf(const DeploymentRecord& deployment) {
  return {deployment.meta.key.namespace_, deployment.spec.cluster};
}
kube::ObjectKey ClusterOf(const HealthCheckRecord& check) {
  return {check.meta.key.namespace_, check.cluster};
}

const kube::OwnerReference* ControllerOf(const capi::Header& object) {
  for (const kube::OwnerReference& owner : object.owners) {
    if (owner.IsController()) return &owner;
  }
  return nullptr;
}

const kube::OwnerReference* OwnerOfKind(const capi::Header& object, std::string_view kind) {
  for (const kube::OwnerReference& owner : object.owners) {
    const std::string_view group =
        std::string_view(owner.api_version).substr(0, owner.api_version.find('/'));
    if (owner.kind == kind && group == capi::kGroup) return &owner;
  }
  return nullptr;
}

Caches::Caches(Surroundings& s)
    : clusters(s.executor, s.management, s.clock, s.random, s.log.For("contract.clusters"),
               Within(s, kClusters), By(&capi::Reader::Cluster, reader_)),
      machines(s.executor, s.management, s.clock, s.random, s.log.For("contract.machines"),
               Within(s, kMachines), By(&capi::Reader::Machine, reader_)),
      sets(s.executor, s.management, s.clock, s.random, s.log.For("contract.sets"),
           Within(s, kSets), By(&capi::Reader::Set, reader_)),
      deployments(s.executor, s.management, s.clock, s.random, s.log.For("contract.deployments"),
                  Within(s, kDeployments), By(&capi::Reader::Deployment, reader_)),
      health_checks(s.executor, s.management, s.clock, s.random,
                    s.log.For("contract.health_checks"), Within(s, kHealthChecks),
                    By(&capi::Reader::HealthCheck, reader_)),
      drain_rules(s.executor, s.management, s.clock, s.random, s.log.For("contract.drain_rules"),
                  Within(s, kDrainRules), By(&capi::Reader::DrainRule, reader_)),
      definitions(s.executor, s.management, s.clock, s.random, s.log.For("contract.definitions"),
                  OfDefinitions(), ReadLabelled),
      secrets(s.executor, s.management, s.clock, s.random, s.log.For("contract.secrets"),
              OfSecrets(s), ReadLabelled),
      machines_by_owner(machines.AddIndex(AddOwnerKey)),
      machines_by_cluster(machines.AddIndex(AddClusterKey<MachineRecord>)),
      control_planes_by_cluster(machines.AddIndex([](const MachineRecord& machine, auto& keys) {
        if (machine.labels.contains(capi::labels::kControlPlane)) AddClusterKey(machine, keys);
      })),
      machines_by_node(machines.AddIndex([](const MachineRecord& machine, auto& keys) {
        if (machine.status.node.empty()) return;
        keys.push_back(NodeKey(ClusterOf(machine), machine.status.node));
      })),
      machines_by_provider_id(machines.AddIndex([](const MachineRecord& machine, auto& keys) {
        if (machine.spec.provider_id.empty()) return;
        keys.push_back(ProviderIdKey(ClusterOf(machine), machine.spec.provider_id));
      })),
      machines_by_reference(machines.AddIndex(AddReferenceKeys)),
      sets_by_owner(sets.AddIndex(AddOwnerKey)),
      sets_by_cluster(sets.AddIndex(AddClusterKey<SetRecord>)),
      sets_by_template(sets.AddIndex(AddTemplateKeys<SetRecord>)),
      deployments_by_cluster(deployments.AddIndex(AddClusterKey<DeploymentRecord>)),
      deployments_by_template(deployments.AddIndex(AddTemplateKeys<DeploymentRecord>)),
      health_checks_by_cluster(health_checks.AddIndex(AddClusterKey<HealthCheckRecord>)),
      drain_rules_by_namespace(drain_rules.AddIndex([](const DrainRuleRecord& rule, auto& keys) {
        keys.push_back(rule.meta.key.namespace_);
      })),
      tasks_(s.executor) {}

Task<void> Caches::Run() {
  const auto run = [this](auto& informer) { tasks_.Spawn([&informer] { return informer.Run(); }); };
  run(clusters);
  run(machines);
  run(sets);
  run(deployments);
  run(health_checks);
  run(drain_rules);
  run(definitions);
  run(secrets);
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Wake> Caches::WaitSynced() {
  if (co_await clusters.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await machines.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await sets.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await deployments.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await health_checks.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await drain_rules.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  if (co_await definitions.WaitSynced() == Wake::kCancelled) co_return Wake::kCancelled;
  co_return co_await secrets.WaitSynced();
}

bool Caches::synced() const {
  return clusters.synced() && machines.synced() && sets.synced() && deployments.synced() &&
         health_checks.synced() && drain_rules.synced() && definitions.synced() && secrets.synced();
}

const SetRecord* Caches::SetOf(const MachineRecord& machine) const {
  const kube::OwnerReference* owner = OwnerOfKind(machine, capi::kSetKind);
  return owner == nullptr ? nullptr : sets.store().Find({machine.meta.key.namespace_, owner->name});
}

const DeploymentRecord* Caches::DeploymentOf(const SetRecord& set) const {
  const auto label = set.labels.find(std::string(capi::labels::kDeployment));
  return label == set.labels.end()
             ? nullptr
             : deployments.store().Find({set.meta.key.namespace_, label->second});
}

}  // namespace millwright::controllers::contract
