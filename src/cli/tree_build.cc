// From records to items.
#include <fmt/format.h>

#include <algorithm>

#include "cli/machine_kind.h"
#include "cli/machine_words.h"
#include "cli/rollout_state.h"
#include "cli/tree_view.h"

namespace millwright::cli {

using dialects::DeploymentRecord;
using dialects::MachineRecord;
using dialects::NodeRecord;
using dialects::SetRecord;

namespace {

std::string Of(int part, int whole) { return fmt::format("{}/{}", part, whole); }

TreeItem NodeItem(const NodeRecord& node) {
  const NodeState state = StateOf(node);
  return {.kind = "Node",
          .name = node.meta.key.name,
          .ready = state.ready ? "yes" : "no",
          .state = state.text,
          .mood = state.ready ? Mood::kFine : Mood::kBad,
          .created = node.created,
          .message = state.why,
          .detail = {},
          .children = {}};
}

// Its node may be in a cluster that we do not look at; then the machine's own copy has to do.
std::optional<TreeItem> NodeOf(const Seen& seen, const MachineRecord& machine) {
  if (const NodeRecord* node = seen.NodeOf(machine)) return NodeItem(*node);
  if (machine.node.empty()) return std::nullopt;
  if (!machine.conditions.Find("Ready")) return std::nullopt;
  NodeRecord copy;
  copy.meta.key.name = machine.node;
  copy.conditions = machine.conditions;
  return NodeItem(copy);
}

bool IsOwner(const auto& owner, const Uid& uid) { return owner && owner->uid == uid; }

}  // namespace

TreeRules RulesFor(const dialects::Kinds& kinds, bool instances) {
  return {.deployment_kind = kinds.deployment.kind.kind,
          .set_kind = kinds.set.kind.kind,
          .machine_kind = kinds.machine.kind.kind,
          .instances = instances};
}

TreeItem MachineItem(const Seen& seen, const TreeRules& rules, const MachineRecord& machine) {
  TreeItem item{.kind = rules.machine_kind,
                .namespace_ = machine.meta.key.namespace_,
                .name = machine.meta.key.name,
                .ready = machine.core.available ? "yes" : "no",
                .state = StateOf(machine),
                .mood = MoodOf(machine),
                .created = machine.core.created,
                .message = NewsOf(machine),
                .detail = machine.class_name.empty() ? "" : "class " + machine.class_name.str(),
                .children = {}};
  std::vector<TreeItem>* below = &item.children;
  std::optional<TreeItem> node = NodeOf(seen, machine);
  // Rows of their own for instances make a tall tree; where there is room for it, a word will do.
  const bool untold = !machine.instance.empty() && !rules.instances && item.message.empty();
  if (untold) item.message = "instance " + machine.instance.str();
  if (!machine.instance.empty() && rules.instances) {
    below->push_back({.kind = "Instance",
                      .namespace_ = {},
                      .name = machine.instance,
                      .ready = {},
                      .state = node ? "" : "no node yet",
                      .created = {},
                      .message = {},
                      .detail = {},
                      .children = {}});
    below = &below->back().children;
  }
  if (node) below->push_back(*std::move(node));
  return item;
}

TreeItem SetItem(const Seen& seen, const TreeRules& rules, const SetRecord& set,
                 const DeploymentRecord* owner) {
  const bool current = owner == nullptr || seen.IsCurrent(set, *owner);
  const bool enough =
      set.core.seen.ready == set.core.replicas && set.core.seen.replicas == set.core.replicas;
  TreeItem item{.kind = rules.set_kind,
                .namespace_ = set.meta.key.namespace_,
                .name = set.meta.key.name,
                .ready = Of(set.core.seen.ready, set.core.replicas),
                .state = owner == nullptr ? (enough ? "Ready" : "Scaling")
                         : current        ? "Current"
                                          : "Old",
                .mood = !enough   ? Mood::kBusy
                        : current ? Mood::kFine
                                  : Mood::kPlain,
                .created = set.core.created,
                .message = set.problem,
                .detail = {},
                .children = {}};
  if (set.core.deleting) item.state = "Deleting";
  if (set.core.frozen) {
    item.state = "Frozen";
    item.mood = Mood::kBad;
  }
  if (!set.problem.empty()) item.mood = Mood::kBad;
  if (item.message.empty() && set.core.revision > 0) {
    item.message = fmt::format("revision {}", set.core.revision);
  }
  for (const MachineRecord* machine : seen.MachinesOf(set)) {
    item.children.push_back(MachineItem(seen, rules, *machine));
  }
  return item;
}

TreeItem DeploymentItem(const Seen& seen, const TreeRules& rules,
                        const DeploymentRecord& deployment) {
  RolloutState state = StateOf(deployment);
  TreeItem item{.kind = rules.deployment_kind,
                .namespace_ = deployment.meta.key.namespace_,
                .name = deployment.meta.key.name,
                .ready = Of(deployment.seen.ready, deployment.core.replicas),
                .state = std::move(state.word),
                .mood = state.mood,
                .created = deployment.created,
                .message = std::move(state.sentence),
                .detail = StrategyText(deployment.core),
                .children = {}};
  for (const SetRecord* set : seen.SetsOf(deployment)) {
    const bool history = set->core.replicas == 0 && set->core.seen.replicas == 0 &&
                         !seen.IsCurrent(*set, deployment) && seen.MachinesOf(*set).empty();
    // Kept to be gone back to; `rollout history` lists them.
    if (history && !rules.instances) continue;
    item.children.push_back(SetItem(seen, rules, *set, &deployment));
  }
  return item;
}

std::vector<TreeItem> BuildForest(const Seen& seen, const TreeRules& rules) {
  std::vector<TreeItem> items;
  for (const DeploymentRecord& deployment : seen.deployments) {
    items.push_back(DeploymentItem(seen, rules, deployment));
  }
  for (const SetRecord& set : seen.sets) {
    const bool owned = std::ranges::any_of(seen.deployments, [&](const DeploymentRecord& d) {
      return IsOwner(set.owner, d.meta.uid);
    });
    if (!owned) items.push_back(SetItem(seen, rules, set, nullptr));
  }
  for (const MachineRecord& machine : seen.machines) {
    const bool owned = std::ranges::any_of(
        seen.sets, [&](const SetRecord& set) { return IsOwner(machine.owner, set.meta.uid); });
    if (!owned) items.push_back(MachineItem(seen, rules, machine));
  }
  return items;
}

std::optional<TreeItem> BuildTree(const Seen& seen, const TreeRules& rules, std::string_view name) {
  const auto slash = name.find('/');
  std::optional<MachineKind> only;
  if (slash != name.npos) {
    const auto kind = ParseMachineKind(name.substr(0, slash));
    if (!kind) return std::nullopt;
    only = *kind;
    name.remove_prefix(slash + 1);
  }
  const auto may_be = [&](MachineKind kind) { return !only || *only == kind; };
  if (may_be(MachineKind::kDeployment)) {
    const DeploymentRecord* found = FindNamed(seen.deployments, name);
    if (found != nullptr) return DeploymentItem(seen, rules, *found);
  }
  if (may_be(MachineKind::kSet)) {
    const SetRecord* found = FindNamed(seen.sets, name);
    if (found != nullptr) return SetItem(seen, rules, *found, nullptr);
  }
  if (may_be(MachineKind::kMachine)) {
    const MachineRecord* found = FindNamed(seen.machines, name);
    if (found != nullptr) return MachineItem(seen, rules, *found);
  }
  return std::nullopt;
}

}  // namespace millwright::cli
