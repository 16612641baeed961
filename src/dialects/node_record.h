// A node as controllers see it: facts that every dialect reads in its own way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/condition.h"
#include "core/node/sync.h"
#include "kube/api/labels.h"
#include "kube/projection/meta.h"

namespace millwright::dialects {

struct NodeRecord {
  kube::Meta meta;
  WallTime created{};
  std::string provider_id;
  kube::Labels labels;
  kube::Labels annotations;
  std::vector<std::string> finalizers;
  std::vector<core::Taint> taints;
  std::vector<core::Condition> conditions;
  bool unschedulable = false;
  std::vector<std::string> attached_volumes;  // names in status.volumesAttached

  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

Result<NodeRecord> ReadNode(kube::JsonObject node);

}  // namespace millwright::dialects
