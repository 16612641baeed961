#include "dialects/capi/node_sync.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/rollout/up_to_date.h"
#include "dialects/capi/names.h"

namespace millwright::dialects::capi {

namespace {

constexpr std::string_view kRoleDomain = "node-role.kubernetes.io";
constexpr std::string_view kRestrictedDomain = "node-restriction.kubernetes.io";
constexpr std::string_view kManagedDomain = "node.cluster.x-k8s.io";

const core::TaintId kUninitialized{std::string(taints::kUninitialized), "NoSchedule"};
const core::TaintId kOutdated{std::string(taints::kOutdated), "PreferNoSchedule"};

// The part before the slash, or all of it.
std::string_view DomainOf(std::string_view key) { return key.substr(0, key.find('/')); }

bool IsWithin(std::string_view domain, std::string_view parent) {
  if (!domain.ends_with(parent)) return false;
  domain.remove_suffix(parent.size());
  return domain.empty() || domain.ends_with('.');
}

bool MatchesAny(const std::vector<kube::Pattern>& patterns, std::string_view key) {
  return std::ranges::any_of(patterns, [&](const kube::Pattern& p) { return p.Matches(key); });
}

bool IsManagedLabel(std::string_view key, const NodeSyncRules& rules) {
  const std::string_view domain = DomainOf(key);
  return domain == kRoleDomain || IsWithin(domain, kRestrictedDomain) ||
         IsWithin(domain, kManagedDomain) || MatchesAny(rules.labels, key);
}

bool IsManagedAnnotation(std::string_view key, const NodeSyncRules& rules) {
  return IsWithin(DomainOf(key), kManagedDomain) || MatchesAny(rules.annotations, key);
}

core::FindPresent PresentIn(const kube::TextMap& texts) {
  return [&texts](std::string_view key) { return texts.Get(key); };
}

std::set<std::string> SplitList(std::string_view list) {
  std::set<std::string> items;
  while (!list.empty()) {
    const size_t end = std::min(list.find(','), list.size());
    if (end > 0) items.emplace(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return items;
}

std::set<std::string> TrackedKeys(const NodeRecord& node, std::string_view annotation) {
  return SplitList(node.annotations.At(annotation));
}

// In order, because the map is.
std::string KeyList(const core::StringMap& texts) {
  std::vector<std::string_view> keys;
  for (const auto& [key, value] : texts) keys.push_back(key);
  return fmt::format("{}", fmt::join(keys, ","));
}

Result<std::int64_t> RevisionOf(const Header& object) {
  const auto found = object.annotations.find(annotations::kRevision);
  if (found == object.annotations.end()) return 0;
  const std::string& text = found->second;
  std::int64_t revision = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), revision);
  if (error != std::errc() || end != text.data() + text.size()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("annotation {} of {} is \"{}\", which is no number",
                            annotations::kRevision, object.meta.key.name, text));
  }
  return revision;
}

Result<bool> IsOutdatedMachine(const NodeSyncView& view) {
  if (view.set == nullptr || view.deployment == nullptr) return false;
  TRY(const std::int64_t set_revision, RevisionOf(*view.set));
  TRY(const std::int64_t deployment_revision, RevisionOf(*view.deployment));
  return core::IsOutdated(set_revision, deployment_revision);
}

core::StringMap WantedLabels(const MachineRecord& machine, const NodeSyncView& view,
                             const NodeSyncRules& rules) {
  core::StringMap wanted;
  for (const auto& [key, value] : machine.labels) {
    if (IsManagedLabel(key, rules)) wanted.emplace(key, value);
  }
  if (view.interruptible) wanted[std::string(labels::kInterruptible)] = "";
  return wanted;
}

// Those that say whose node it is. They are ours always, so nobody needs to remember them.
core::StringMap BackReference(const MachineRecord& machine) {
  core::StringMap wanted{{std::string(annotations::kNodeCluster), machine.spec.cluster},
                         {std::string(annotations::kNodeNamespace), machine.meta.key.namespace_},
                         {std::string(annotations::kNodeMachine), machine.meta.key.name}};
  for (const kube::OwnerReference& owner : machine.owners) {
    if (!owner.IsController()) continue;
    wanted[std::string(annotations::kNodeOwnerKind)] = owner.kind;
    wanted[std::string(annotations::kNodeOwnerName)] = owner.name;
  }
  return wanted;
}

bool IsBackReference(std::string_view key) {
  constexpr std::string_view kKeys[] = {annotations::kNodeCluster, annotations::kNodeNamespace,
                                        annotations::kNodeMachine, annotations::kNodeOwnerKind,
                                        annotations::kNodeOwnerName};
  return std::ranges::find(kKeys, key) != std::end(kKeys);
}

core::StringMap WantedAnnotations(const MachineRecord& machine, const NodeSyncRules& rules) {
  core::StringMap wanted;
  for (const auto& [key, value] : machine.annotations) {
    if (!IsBackReference(key) && IsManagedAnnotation(key, rules)) wanted.emplace(key, value);
  }
  return wanted;
}

Result<std::optional<std::set<core::TaintId>>> TrackedTaintsOf(const NodeRecord& node) {
  const Text* found = node.annotations.Find(annotations::kTaintsFromMachine);
  if (found == nullptr) return std::nullopt;
  std::set<core::TaintId> tracked;
  for (const std::string& entry : SplitList(*found)) {
    const size_t colon = entry.rfind(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == entry.size()) {
      return Fail(ErrorKind::kInvalid,
                  fmt::format("annotation {} has \"{}\", which is no key:effect",
                              annotations::kTaintsFromMachine, entry));
    }
    tracked.insert({entry.substr(0, colon), entry.substr(colon + 1)});
  }
  return tracked;
}

std::string TaintList(const std::set<core::TaintId>& tracked) {
  std::set<std::string> entries;
  for (const core::TaintId& id : tracked) entries.insert(fmt::format("{}:{}", id.key, id.effect));
  return fmt::format("{}", fmt::join(entries, ","));
}

// From the taints that are there to those that should be, as a change of those that differ.
std::optional<TaintChange> ChangeOf(const std::vector<core::Taint>& present,
                                    const std::vector<core::Taint>& wanted) {
  TaintChange change;
  for (const core::Taint& taint : wanted) {
    if (std::ranges::find(present, taint) == present.end()) change.wanted.push_back(taint);
  }
  for (const core::Taint& taint : present) {
    if (!core::HasTaint(wanted, core::IdOf(taint))) change.ours.insert(core::IdOf(taint));
  }
  if (change.wanted.empty() && change.ours.empty()) return std::nullopt;
  return change;
}

}  // namespace

Result<NodeChange> SyncNode(const MachineRecord& machine, const NodeRecord& node,
                            const NodeSyncView& view, const NodeSyncRules& rules) {
  const core::StringMap wanted_labels = WantedLabels(machine, view, rules);
  core::StringMap annotations = WantedAnnotations(machine, rules);
  std::set<std::string> our_annotations = TrackedKeys(node, annotations::kAnnotationsFromMachine);
  our_annotations.emplace(annotations::kNodeOwnerKind);
  our_annotations.emplace(annotations::kNodeOwnerName);
  annotations.emplace(annotations::kAnnotationsFromMachine, KeyList(annotations));
  annotations.emplace(annotations::kLabelsFromMachine, KeyList(wanted_labels));
  annotations.merge(BackReference(machine));

  std::vector<core::Taint> wanted_taints = node.taints.get();
  if (rules.taints) {
    TRY(const auto tracked, TrackedTaintsOf(node));
    core::TrackedTaints synced =
        core::SyncTrackedTaints(node.taints.get(), machine.spec.handed_down.taints, tracked);
    wanted_taints = std::move(synced.taints);
    annotations.emplace(annotations::kTaintsFromMachine, TaintList(synced.tracked));
  }
  TRY(const bool outdated, IsOutdatedMachine(view));
  std::vector<core::Taint> marks;
  if (outdated) marks.push_back({kOutdated.key, "", kOutdated.effect});
  wanted_taints = core::SyncTaints(wanted_taints, marks, {kUninitialized, kOutdated});

  NodeChange change;
  change.labels = core::SyncKeys(PresentIn(node.labels), wanted_labels,
                                 TrackedKeys(node, annotations::kLabelsFromMachine));
  change.annotations = core::SyncKeys(PresentIn(node.annotations), annotations, our_annotations);
  change.taints = ChangeOf(node.taints.get(), wanted_taints);
  return change;
}

}  // namespace millwright::dialects::capi
