// A node as controllers see it: facts that every dialect reads in its own way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/node/sync.h"
#include "dialects/condition_list.h"
#include "kube/projection/meta.h"
#include "kube/projection/text_map.h"

namespace millwright::dialects {

struct NodeRecord {
  kube::Meta meta;
  WallTime created{};
  Text provider_id;
  kube::TextMap labels;
  kube::TextMap annotations;
  Shared<std::vector<std::string>> finalizers;
  Shared<std::vector<core::Taint>> taints;
  ConditionList conditions;
  std::vector<std::string> attached_volumes;  // names in status.volumesAttached
  bool unschedulable = false;

  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

// Reads nodes of which very many are kept: what they have in common is kept once.
class NodeReader {
 public:
  // Names and provider ids are also on machines, whose texts may be in the same pool.
  explicit NodeReader(kube::TextPool& texts) : texts_(texts), maps_(texts) {}

  Result<NodeRecord> Read(kube::JsonObject node);

 private:
  class Pass;

  kube::TextPool& texts_;
  kube::TextMapPool maps_;
  SharedPool<std::vector<std::string>> finalizers_;
  SharedPool<std::vector<core::Taint>> taints_;
  ConditionPool conditions_;
};

// One on its own.
Result<NodeRecord> ReadNode(kube::JsonObject node);

}  // namespace millwright::dialects
