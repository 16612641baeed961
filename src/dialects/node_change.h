// A change of a node: what is ours to decide about, and nothing else.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/node/sync.h"

namespace millwright::dialects {

// Taints that should be there, of those that are ours to decide about.
struct TaintChange {
  std::vector<core::Taint> wanted;
  std::set<core::TaintId> ours;

  bool IsDone(const std::vector<core::Taint>& present) const {
    return core::SyncTaints(present, wanted, ours) == present;
  }

  friend bool operator==(const TaintChange&, const TaintChange&) = default;
};

struct NodeChange {
  core::KeyChanges labels;
  core::KeyChanges annotations;
  std::optional<TaintChange> taints;
  std::optional<bool> unschedulable;
  std::optional<std::vector<std::string>> finalizers;
  core::KeyChanges capacity;  // in the node's status: resource to quantity

  bool none() const {
    return labels.none() && annotations.none() && !taints && !unschedulable && !finalizers &&
           capacity.none();
  }

  friend bool operator==(const NodeChange&, const NodeChange&) = default;
};

}  // namespace millwright::dialects
