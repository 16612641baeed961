// Who owns the objects that a machine names. They are made before their machine and for it, so
// whoever made them hands them over.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

// What an owner reference says for that object.
kube::OwnerReference OwnerReferenceTo(std::string_view kind, const kube::Meta& owner,
                                      bool controls);

// The part of an apiVersion before the slash.
std::string_view GroupOf(std::string_view api_version);

struct OwnershipWish {
  kube::Meta machine;
  std::string cluster;
  // The cluster's control plane, of a machine that belongs to it; undefined else.
  dialects::capi::Reference control_plane;
};

struct OwnershipChange {
  std::vector<kube::OwnerReference> owners;
  std::string cluster_label;
};

// None: it is as it should be. Fails if another object controls it.
Result<std::optional<OwnershipChange>> PlanOwnership(const dialects::capi::Header& object,
                                                     const OwnershipWish& wish);

// The same for a cluster and what it names: it controls them only where a topology made them.
std::optional<OwnershipChange> PlanClusterOwnership(const dialects::capi::Header& object,
                                                    const kube::Meta& cluster, bool controls);

// As a merge patch.
boost::json::object OwnershipPatch(const OwnershipChange& change);

}  // namespace millwright::controllers::contract
