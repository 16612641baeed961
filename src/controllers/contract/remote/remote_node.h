// A node of a workload cluster.
#pragma once

#include "dialects/node_record.h"
#include "kube/projection/text_pool.h"

namespace millwright::controllers::contract {

struct RemoteNode : dialects::NodeRecord {
  kube::SharedText info;  // status.nodeInfo: JSON with sorted keys; empty: none
  std::string kubelet_version;

  friend bool operator==(const RemoteNode&, const RemoteNode&) = default;
};

// Nodes of one image have the same info but for a few ids, so `texts` keeps them once.
Result<RemoteNode> ReadRemoteNode(kube::JsonObject node, kube::TextPool& texts);

// Its Ready condition is Unknown: nobody hears from it.
bool IsUnreachable(const dialects::NodeRecord& node);

}  // namespace millwright::controllers::contract
