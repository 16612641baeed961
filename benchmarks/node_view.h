// What a machine controller keeps of a Node: enough to match it to its Machine, judge its health,
// sync labels and taints, and see it drained.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kube/informer/informer.h"
#include "kube/projection/text_pool.h"

namespace millwright::benchmarks {

// Most Nodes say the same about most things; what they share is text, one fact a line, in a pool.
struct NodeView {
  kube::Meta meta;
  std::string provider_id;
  std::string addresses;            // "type=address"
  kube::SharedText labels;          // "key=value", but for the host name
  kube::SharedText taints;          // "key=value:effect"
  kube::SharedText conditions;      // "type=status reason"
  std::vector<std::int64_t> since;  // of each condition, in seconds
  kube::SharedText kubelet_version;
  bool unschedulable = false;

  friend bool operator==(const NodeView&, const NodeView&) = default;
};

class NodeDecoder {
 public:
  Result<NodeView> operator()(kube::JsonObject object) const;

 private:
  std::shared_ptr<kube::TextPool> pool_ = std::make_shared<kube::TextPool>();
};

inline const kube::GroupVersionResource kNodes{"", "v1", "nodes"};

}  // namespace millwright::benchmarks
