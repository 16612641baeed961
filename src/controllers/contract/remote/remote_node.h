// A node of a workload cluster.
#pragma once

#include "dialects/capi/read.h"
#include "dialects/node_record.h"
#include "kube/projection/text_pool.h"

namespace millwright::controllers::contract {

struct RemoteNode : dialects::NodeRecord {
  kube::SharedText info;  // status.nodeInfo: canonical JSON; empty: none
  std::string kubelet_version;

  friend bool operator==(const RemoteNode&, const RemoteNode&) = default;
};

Result<RemoteNode> ReadRemoteNode(kube::JsonObject node, dialects::NodeReader& nodes,
                                  dialects::capi::Reader& reader);

// Its Ready condition is Unknown: nobody hears from it.
bool IsUnreachable(const dialects::NodeRecord& node);

}  // namespace millwright::controllers::contract
