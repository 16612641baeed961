#include "cli/contract_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/contract_words.h"
#include "cli/rollout_state.h"
#include "cli/seen.h"
#include "controllers/contract/deployment/deployment_view.h"
#include "controllers/contract/set/set_view.h"
#include "dialects/capi/names.h"

namespace millwright::cli {

namespace capi = dialects::capi;
namespace contract = controllers::contract;

namespace {

TreeItem Item(std::string_view kind, const capi::Header& object, ShownState state) {
  return {.kind = std::string(kind),
          .namespace_ = object.meta.key.namespace_,
          .name = object.meta.key.name,
          .ready = state.ready ? "yes" : "no",
          .state = std::move(state.word),
          .mood = state.mood,
          .created = object.created,
          .message = std::move(state.line),
          .detail = {},
          .children = {}};
}

std::string Of(int part, int whole) { return fmt::format("{}/{}", part, whole); }

TreeItem ExternalItem(const ExternalView& external, const capi::Reference& reference,
                      ExternalRole role) {
  ShownState state = StateOf(external, role);
  TreeItem item{.kind = reference.kind,
                .namespace_ = {},
                .name = reference.name,
                .ready = external.seen == nullptr ? "" : (state.ready ? "yes" : "no"),
                .state = std::move(state.word),
                .mood = state.mood,
                .created = {},
                .message = std::move(state.line),
                .detail = {},
                .children = {}};
  if (external.seen != nullptr) {
    item.created = external.seen->object.created;
    item.detail = external.seen->object.provider_id;
  }
  return item;
}

// One that is well is not worth a line, unless everything is wanted.
void AddExternal(const ContractSeen& seen, const capi::Header& of, const capi::Reference& reference,
                 ExternalRole role, bool everything, std::vector<TreeItem>& into) {
  if (!reference.defined()) return;
  const ExternalView external = seen.Look(of, reference);
  if (!everything && StateOf(external, role).ready) return;
  into.push_back(ExternalItem(external, reference, role));
}

TreeItem NodeItem(const capi::MachineRecord& machine) {
  ShownState state = NodeStateOf(machine);
  return {.kind = "Node",
          .namespace_ = {},
          .name = machine.status.node,
          .ready = state.ready ? "yes" : "no",
          .state = std::move(state.word),
          .mood = state.mood,
          .created = {},
          .message = std::move(state.line),
          .detail = {},
          .children = {}};
}

template <class Record>
bool IsOf(const Record& record, const capi::ClusterRecord& cluster, const std::string& named) {
  return record.meta.key.namespace_ == cluster.meta.key.namespace_ &&
         named == cluster.meta.key.name;
}

template <class Owner>
bool AnyControls(const std::vector<Owner>& owners, const capi::Header& object) {
  return std::ranges::any_of(
      owners, [&](const Owner& owner) { return IsControlledBy(object, owner.meta.uid); });
}

// What has no owner among what we show.
bool StandsAlone(const ContractSeen& seen, const capi::SetRecord& set) {
  return !AnyControls(seen.deployments, set);
}
bool StandsAlone(const ContractSeen& seen, const capi::MachineRecord& machine) {
  return !AnyControls(seen.sets, machine);
}

// A control plane of machines has them below it.
TreeItem ControlPlaneItem(const ContractSeen& seen, const capi::ClusterRecord& cluster,
                          bool everything) {
  const ExternalView external = seen.Look(cluster, cluster.control_plane);
  TreeItem item = ExternalItem(external, cluster.control_plane, ExternalRole::kControlPlane);
  if (external.seen == nullptr) return item;
  for (const capi::MachineRecord* machine : seen.MachinesOf(external.seen->object)) {
    item.children.push_back(ContractItem(seen, *machine, everything));
  }
  return item;
}

bool IsOfControlPlane(const ContractSeen& seen, const capi::ClusterRecord& cluster,
                      const capi::MachineRecord& machine) {
  const ExternalView plane = seen.Look(cluster, cluster.control_plane);
  return plane.seen != nullptr && IsControlledBy(machine, plane.seen->object.meta.uid);
}

bool IsMissing(const ContractSeen& seen, const capi::Header& object, const std::string& cluster) {
  return seen.ClusterOf(object, cluster) == nullptr;
}

}  // namespace

TreeItem ContractItem(const ContractSeen& seen, const capi::MachineRecord& machine,
                      bool everything) {
  TreeItem item = Item(capi::kMachineKind, machine, StateOf(machine));
  if (item.message.empty() && !machine.spec.provider_id.empty()) {
    item.message = "instance " + machine.spec.provider_id;
  }
  if (!machine.spec.version.empty()) item.detail = machine.spec.version;
  AddExternal(seen, machine, machine.spec.bootstrap, ExternalRole::kBootstrap, everything,
              item.children);
  AddExternal(seen, machine, machine.spec.infrastructure, ExternalRole::kInfrastructure, everything,
              item.children);
  if (!machine.status.node.empty()) item.children.push_back(NodeItem(machine));
  return item;
}

TreeItem ContractItem(const ContractSeen& seen, const capi::SetRecord& set,
                      const capi::DeploymentRecord* owner, bool everything) {
  const bool current = contract::IsCurrent(set, owner);
  const int wished = set.spec.replicas.value_or(0);
  const int ready = set.status.ready.value_or(0);
  const bool enough = ready == wished && set.status.replicas.value_or(0) == wished;
  const std::string alone = enough ? "Ready" : "Scaling";
  ShownState state{.word = owner == nullptr ? alone
                           : current        ? "Current"
                                            : "Old",
                   .mood = !enough   ? Mood::kBusy
                           : current ? Mood::kFine
                                     : Mood::kPlain,
                   .ready = enough,
                   .line = {}};
  if (IsPaused(set.status.conditions)) state.word = "Paused";
  if (set.deleting()) state.word = "Deleting";
  TreeItem item = Item(capi::kSetKind, set, std::move(state));
  item.ready = Of(ready, wished);
  if (const std::int64_t revision = contract::RevisionOf(set); revision > 0) {
    item.message = fmt::format("revision {}", revision);
  }
  for (const capi::MachineRecord* machine : seen.MachinesOf(set)) {
    item.children.push_back(ContractItem(seen, *machine, everything));
  }
  return item;
}

TreeItem ContractItem(const ContractSeen& seen, const capi::DeploymentRecord& deployment,
                      bool everything) {
  const dialects::DeploymentRecord shown = AsShown(deployment);
  RolloutState rollout = StateOf(shown);
  TreeItem item = Item(capi::kDeploymentKind, deployment,
                       {.word = std::move(rollout.word),
                        .mood = rollout.mood,
                        .ready = true,
                        .line = std::move(rollout.sentence)});
  item.ready = Of(shown.seen.ready, shown.core.replicas);
  item.detail = StrategyText(shown.core);
  for (const capi::SetRecord* set : seen.SetsOf(deployment)) {
    // Kept to be gone back to; `rollout history` lists them.
    const bool history = IsHistory(*set, deployment) && seen.MachinesOf(*set).empty();
    if (history && !everything) continue;
    item.children.push_back(ContractItem(seen, *set, &deployment, everything));
  }
  return item;
}

TreeItem ContractItem(const ContractSeen& seen, const capi::ClusterRecord& cluster,
                      bool everything) {
  TreeItem item = Item(capi::kClusterKind, cluster, StateOf(cluster));
  AddExternal(seen, cluster, cluster.infrastructure, ExternalRole::kClusterInfrastructure,
              everything, item.children);
  if (cluster.control_plane.defined()) {
    TreeItem plane = ControlPlaneItem(seen, cluster, everything);
    if (everything || plane.ready != "yes" || !plane.children.empty()) {
      item.children.push_back(std::move(plane));
    }
  }
  for (const auto& deployment : seen.deployments) {
    if (!IsOf(deployment, cluster, deployment.spec.cluster)) continue;
    item.children.push_back(ContractItem(seen, deployment, everything));
  }
  for (const auto& set : seen.sets) {
    if (!IsOf(set, cluster, set.spec.cluster) || !StandsAlone(seen, set)) continue;
    item.children.push_back(ContractItem(seen, set, nullptr, everything));
  }
  for (const auto& machine : seen.machines) {
    if (!IsOf(machine, cluster, machine.spec.cluster) || !StandsAlone(seen, machine)) continue;
    if (IsOfControlPlane(seen, cluster, machine)) continue;
    item.children.push_back(ContractItem(seen, machine, everything));
  }
  return item;
}

std::vector<TreeItem> ContractForest(const ContractSeen& seen, bool everything) {
  std::vector<TreeItem> items;
  for (const auto& cluster : seen.clusters) {
    items.push_back(ContractItem(seen, cluster, everything));
  }
  for (const auto& deployment : seen.deployments) {
    if (!IsMissing(seen, deployment, deployment.spec.cluster)) continue;
    items.push_back(ContractItem(seen, deployment, everything));
  }
  for (const auto& set : seen.sets) {
    if (!IsMissing(seen, set, set.spec.cluster) || !StandsAlone(seen, set)) continue;
    items.push_back(ContractItem(seen, set, nullptr, everything));
  }
  for (const auto& machine : seen.machines) {
    if (!IsMissing(seen, machine, machine.spec.cluster) || !StandsAlone(seen, machine)) continue;
    items.push_back(ContractItem(seen, machine, everything));
  }
  return items;
}

std::optional<TreeItem> ContractTree(const ContractSeen& seen, std::string_view name,
                                     bool everything) {
  std::optional<MachineKind> only;
  if (const auto slash = name.find('/'); slash != name.npos) {
    const auto kind = ParseMachineKind(name.substr(0, slash));
    if (!kind) return std::nullopt;
    only = *kind;
    name.remove_prefix(slash + 1);
  }
  const auto may_be = [&](MachineKind kind) { return !only || *only == kind; };
  if (may_be(MachineKind::kCluster)) {
    const auto* found = FindNamed(seen.clusters, name);
    if (found != nullptr) return ContractItem(seen, *found, everything);
  }
  if (may_be(MachineKind::kDeployment)) {
    const auto* found = FindNamed(seen.deployments, name);
    if (found != nullptr) return ContractItem(seen, *found, everything);
  }
  if (may_be(MachineKind::kSet)) {
    const auto* found = FindNamed(seen.sets, name);
    if (found != nullptr) return ContractItem(seen, *found, nullptr, everything);
  }
  if (may_be(MachineKind::kMachine)) {
    const auto* found = FindNamed(seen.machines, name);
    if (found != nullptr) return ContractItem(seen, *found, everything);
  }
  return std::nullopt;
}

}  // namespace millwright::cli
