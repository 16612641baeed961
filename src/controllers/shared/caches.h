// What is seen: caches of the objects that decisions need all the time, with their indexes.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/task_group.h"
#include "controllers/shared/surroundings.h"
#include "kube/informer/informer.h"

namespace millwright::controllers {

extern const kube::GroupVersionResource kNodes;

class Caches {
 public:
  explicit Caches(Surroundings& surroundings);

  // Runs all of them until cancelled.
  Task<void> Run();

  // Until every cache has seen a whole state.
  Task<Wake> WaitSynced();
  bool synced() const;

  kube::Informer<dialects::MachineRecord> machines;
  kube::Informer<dialects::SetRecord> sets;
  kube::Informer<dialects::DeploymentRecord> deployments;
  kube::Informer<dialects::ClassRecord> classes;
  std::optional<kube::Informer<dialects::NodeRecord>> nodes;  // none: there is no target

  // By the UID of the controlling owner; those without one under "".
  const kube::Index<dialects::MachineRecord>& machines_by_owner;
  const kube::Index<dialects::MachineRecord>& machines_by_node;
  const kube::Index<dialects::MachineRecord>& machines_by_class;
  const kube::Index<dialects::MachineRecord>& machines_by_deployment;  // the label's value
  const kube::Index<dialects::SetRecord>& sets_by_owner;
  const kube::Index<dialects::ClassRecord>& classes_by_secret;  // the secret's name

  // Null if the node is not there, or nobody looks at nodes.
  const dialects::NodeRecord* FindNode(std::string_view name) const;

  // A machine together with what its node says about it. Without its UID, which would be a copy
  // for each machine of a set that none of its planners asks for.
  core::Machine Observe(const dialects::MachineRecord& machine) const;

 private:
  Surroundings& surroundings_;
  dialects::NodeReader node_reader_;
  mutable kube::ObjectKey node_key_;  // kept: who looks at all nodes makes no text for each
  TaskGroup tasks_;
};

}  // namespace millwright::controllers
