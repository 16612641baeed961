#include "controllers/contract/external/owners.h"

#include <boost/json.hpp>

#include <algorithm>

#include "dialects/capi/names.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;
using kube::OwnerReference;

namespace {

bool IsMaker(const OwnerReference& owner, const OwnershipWish& wish) {
  const std::string_view group = GroupOf(owner.api_version);
  if (owner.kind == capi::kSetKind && group == capi::kGroup) return true;
  return wish.control_plane.defined() && owner.kind == wish.control_plane.kind &&
         group == wish.control_plane.group;
}

bool IsExact(const OwnerReference& a, const OwnerReference& b) {
  return a.api_version == b.api_version && a.kind == b.kind && a.name == b.name && a.uid == b.uid &&
         a.IsController() == b.IsController();
}

}  // namespace

std::string_view GroupOf(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

OwnerReference OwnerReferenceTo(std::string_view kind, const kube::Meta& owner, bool controls) {
  OwnerReference reference;
  reference.api_version = capi::kApiVersion;
  reference.kind = kind;
  reference.name = owner.key.name;
  reference.uid = owner.uid;
  if (controls) {
    reference.controller = true;
    reference.block_owner_deletion = true;
  }
  return reference;
}

Result<std::optional<OwnershipChange>> PlanOwnership(const capi::Header& object,
                                                     const OwnershipWish& wish) {
  const OwnerReference ours = OwnerReferenceTo(capi::kMachineKind, wish.machine, true);
  const auto label = object.labels.find(std::string(capi::labels::kCluster));
  const bool labelled = label != object.labels.end() && label->second == wish.cluster;
  const bool handed_over =
      std::ranges::none_of(object.owners, [&](const auto& owner) { return IsMaker(owner, wish); });
  const bool owned =
      std::ranges::any_of(object.owners, [&](const auto& owner) { return IsExact(owner, ours); });
  if (labelled && handed_over && owned) return std::optional<OwnershipChange>();

  OwnershipChange change{.owners = {}, .cluster_label = wish.cluster};
  bool placed = false;
  for (const OwnerReference& owner : object.owners) {
    if (IsMaker(owner, wish)) continue;
    const bool same = owner.kind == capi::kMachineKind && owner.name == ours.name &&
                      GroupOf(owner.api_version) == capi::kGroup;
    if (same) {
      if (!std::exchange(placed, true)) change.owners.push_back(ours);
      continue;
    }
    if (owner.IsController()) {
      return Fail(ErrorKind::kInvalid, object.meta.key.ToString() + " is controlled by " +
                                           owner.kind + " " + owner.name);
    }
    change.owners.push_back(owner);
  }
  if (!placed) change.owners.push_back(ours);
  return std::optional(std::move(change));
}

std::optional<OwnershipChange> PlanClusterOwnership(const capi::Header& object,
                                                    const kube::Meta& cluster, bool controls) {
  const OwnerReference ours = OwnerReferenceTo(capi::kClusterKind, cluster, controls);
  const auto label = object.labels.find(std::string(capi::labels::kCluster));
  const bool labelled = label != object.labels.end() && label->second == cluster.key.name;
  const bool owned =
      std::ranges::any_of(object.owners, [&](const auto& owner) { return IsExact(owner, ours); });
  if (labelled && owned) return std::nullopt;
  OwnershipChange change{.owners = {}, .cluster_label = cluster.key.name};
  for (const OwnerReference& owner : object.owners) {
    const bool same = owner.kind == capi::kClusterKind && owner.name == ours.name &&
                      GroupOf(owner.api_version) == capi::kGroup;
    if (!same) change.owners.push_back(owner);
  }
  change.owners.push_back(ours);
  return change;
}

boost::json::object OwnershipPatch(const OwnershipChange& change) {
  boost::json::array owners;
  for (const OwnerReference& owner : change.owners) {
    owners.push_back(kube::EncodeOwnerReference(owner));
  }
  boost::json::object labels;
  labels[capi::labels::kCluster] = change.cluster_label;
  boost::json::object metadata;
  metadata["ownerReferences"] = std::move(owners);
  metadata["labels"] = std::move(labels);
  boost::json::object patch;
  patch["metadata"] = std::move(metadata);
  return patch;
}

}  // namespace millwright::controllers::contract
