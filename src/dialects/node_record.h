// A node as controllers see it: facts that every dialect reads in its own way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/condition.h"
#include "core/node/sync.h"
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
  std::vector<core::Taint> taints;
  std::vector<core::Condition> conditions;
  bool unschedulable = false;
  std::vector<std::string> attached_volumes;  // names in status.volumesAttached

  friend bool operator==(const NodeRecord&, const NodeRecord&) = default;
};

// Reads nodes of which very many are kept: what they have in common is kept once.
class NodeReader {
 public:
  Result<NodeRecord> Read(kube::JsonObject node);

 private:
  class Pass;

  kube::TextPool texts_;
  kube::TextMapPool maps_{texts_};
  SharedPool<std::vector<std::string>> finalizers_;
};

// One on its own.
Result<NodeRecord> ReadNode(kube::JsonObject node);

}  // namespace millwright::dialects
