#include "cli/contract_seen.h"

#include <algorithm>
#include <set>

#include "cli/record_list.h"
#include "controllers/contract/deployment/deployment_view.h"
#include "controllers/contract/set/set_view.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

template <class Record>
std::vector<const Record*> ControlledBy(const std::vector<Record>& records, const Uid& owner) {
  return Select(records, [&](const Record& record) { return IsControlledBy(record, owner); });
}

}  // namespace

void ContractSeen::Add(const ServedExternal& of, capi::ExternalRecord object) {
  capi::Reference reference{.kind = of.kind, .name = object.meta.key.name, .group = of.group};
  std::pair key(object.meta.key.namespace_, std::move(reference));
  externals.insert_or_assign(std::move(key), SeenExternal{std::move(object), of.contract});
}

void ContractSeen::Sort() {
  SortByKey(clusters);
  SortByKey(deployments);
  SortByKey(sets);
  SortByKey(machines);
}

bool IsControlledBy(const capi::Header& object, const Uid& owner) {
  return std::ranges::any_of(object.owners, [&](const kube::OwnerReference& reference) {
    return reference.IsController() && reference.uid == owner;
  });
}

const capi::ClusterRecord* ContractSeen::ClusterOf(const capi::Header& object,
                                                   std::string_view name) const {
  const auto found = std::ranges::find_if(clusters, [&](const capi::ClusterRecord& cluster) {
    return cluster.meta.key.namespace_ == object.meta.key.namespace_ &&
           cluster.meta.key.name == name;
  });
  return found == clusters.end() ? nullptr : &*found;
}

std::vector<const capi::SetRecord*> ContractSeen::SetsOf(
    const capi::DeploymentRecord& deployment) const {
  auto owned = ControlledBy(sets, deployment.meta.uid);
  std::ranges::sort(owned, {}, [](const capi::SetRecord* set) {
    return std::pair(-contract::RevisionOf(*set), std::string_view(set->meta.key.name));
  });
  return owned;
}

std::vector<const capi::MachineRecord*> ContractSeen::MachinesOf(const capi::Header& owner) const {
  return ControlledBy(machines, owner.meta.uid);
}

ExternalView ContractSeen::Look(const capi::Header& from, const capi::Reference& reference) const {
  const auto found = externals.find({from.meta.key.namespace_, reference});
  if (found != externals.end()) return {&found->second, {}};
  const auto why = unread.find(capi::DefinitionName(reference.kind, reference.group));
  if (why != unread.end()) return {nullptr, "cannot be looked at: " + why->second};
  return {nullptr, "does not exist"};
}

std::vector<std::pair<std::string, std::string>> ExternalKindsOf(const ContractSeen& seen) {
  std::set<std::pair<std::string, std::string>> kinds;
  const auto add = [&kinds](const capi::Reference& reference) {
    if (reference.defined()) kinds.emplace(reference.group, reference.kind);
  };
  for (const capi::ClusterRecord& cluster : seen.clusters) {
    add(cluster.infrastructure);
    add(cluster.control_plane);
  }
  for (const capi::MachineRecord& machine : seen.machines) {
    add(machine.spec.infrastructure);
    add(machine.spec.bootstrap);
  }
  return {kinds.begin(), kinds.end()};
}

bool IsHistory(const capi::SetRecord& set, const capi::DeploymentRecord& deployment) {
  return set.spec.replicas.value_or(0) == 0 && set.status.replicas.value_or(0) == 0 &&
         !contract::IsCurrent(set, &deployment);
}

dialects::DeploymentRecord AsShown(const capi::DeploymentRecord& deployment) {
  dialects::DeploymentRecord shown;
  shown.meta = deployment.meta;
  shown.created = deployment.created;
  shown.finalizers = deployment.finalizers;
  if (auto view = contract::ViewOf(deployment)) {
    shown.core = *std::move(view);
  } else {
    shown.problem = view.error().message();
  }
  shown.core.name = deployment.meta.key.name;
  shown.core.paused = deployment.spec.paused;
  shown.machine_template.whole = deployment.template_text;
  shown.revision = contract::RevisionOf(deployment);
  shown.observed_generation = deployment.status.observed_generation;
  shown.seen = {.replicas = deployment.status.replicas.value_or(0),
                .updated = deployment.status.up_to_date.value_or(0),
                .ready = deployment.status.ready.value_or(0),
                .available = deployment.status.available.value_or(0)};
  return shown;
}

}  // namespace millwright::cli
