// What is seen of the management cluster: caches of what decisions need all the time, with their
// indexes. Objects of providers are in external/, nodes in remote/.
#pragma once

#include <string>

#include "base/task_group.h"
#include "controllers/contract/shared/labelled_record.h"
#include "controllers/contract/shared/resources.h"
#include "controllers/contract/shared/surroundings.h"
#include "dialects/capi/read.h"
#include "dialects/capi/records.h"
#include "kube/informer/informer.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

// Keys of indexes.
std::string OwnerKey(const Uid& owner);                  // of the controlling owner
std::string OrphanKey(const std::string& namespace_);    // no controlling owner
std::string ClusterKey(const kube::ObjectKey& cluster);  // "namespace/name"
std::string NodeKey(const kube::ObjectKey& cluster, const std::string& node);
std::string ProviderIdKey(const kube::ObjectKey& cluster, const std::string& provider_id);
std::string ReferenceKey(const std::string& namespace_, const capi::Reference& reference);

// The cluster that an object names.
kube::ObjectKey ClusterOf(const capi::MachineRecord& machine);
kube::ObjectKey ClusterOf(const capi::SetRecord& set);
kube::ObjectKey ClusterOf(const capi::DeploymentRecord& deployment);
kube::ObjectKey ClusterOf(const capi::HealthCheckRecord& check);

// Null if there is none.
const kube::OwnerReference* ControllerOf(const capi::Header& object);

// The first owner of that kind in our group, whatever version it was written in; null if none.
const kube::OwnerReference* OwnerOfKind(const capi::Header& object, std::string_view kind);

class Caches {
 public:
  explicit Caches(Surroundings& surroundings);

  // Runs all of them until cancelled.
  Task<void> Run();

  // Until every cache has seen a whole state.
  Task<Wake> WaitSynced();
  bool synced() const;

  kube::Informer<capi::ClusterRecord> clusters;
  kube::Informer<capi::MachineRecord> machines;
  kube::Informer<capi::SetRecord> sets;
  kube::Informer<capi::DeploymentRecord> deployments;
  kube::Informer<capi::HealthCheckRecord> health_checks;
  kube::Informer<capi::DrainRuleRecord> drain_rules;
  kube::Informer<LabelledRecord> definitions;  // of kinds; no namespace
  kube::Informer<LabelledRecord> secrets;      // those that belong to clusters, without contents

  const kube::Index<capi::MachineRecord>& machines_by_owner;  // OwnerKey, OrphanKey
  const kube::Index<capi::MachineRecord>& machines_by_cluster;
  const kube::Index<capi::MachineRecord>& control_planes_by_cluster;  // only machines of those
  const kube::Index<capi::MachineRecord>& machines_by_node;
  const kube::Index<capi::MachineRecord>& machines_by_provider_id;
  const kube::Index<capi::MachineRecord>& machines_by_reference;  // bootstrap and infrastructure
  const kube::Index<capi::SetRecord>& sets_by_owner;              // OwnerKey, OrphanKey
  const kube::Index<capi::SetRecord>& sets_by_cluster;
  const kube::Index<capi::SetRecord>& sets_by_template;  // ReferenceKey
  const kube::Index<capi::DeploymentRecord>& deployments_by_cluster;
  const kube::Index<capi::DeploymentRecord>& deployments_by_template;  // ReferenceKey
  const kube::Index<capi::HealthCheckRecord>& health_checks_by_cluster;
  const kube::Index<capi::DrainRuleRecord>& drain_rules_by_namespace;

  // The set that a machine belongs to, and the deployment of that set: by owner reference and by
  // label. Null if the object names none, or it is not there.
  const capi::SetRecord* SetOf(const capi::MachineRecord& machine) const;
  const capi::DeploymentRecord* DeploymentOf(const capi::SetRecord& set) const;

  // Canonical JSON for records that are made here.
  capi::Reader& reader() { return reader_; }

 private:
  capi::Reader reader_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers::contract
