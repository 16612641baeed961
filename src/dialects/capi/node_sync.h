// What a machine wants of its node: who it belongs to, labels, annotations and taints.
#pragma once

#include <vector>

#include "dialects/capi/records.h"
#include "dialects/node_change.h"
#include "dialects/node_record.h"
#include "kube/api/schema_pattern.h"

namespace millwright::dialects::capi {

struct NodeSyncRules {
  bool taints = false;  // the gate for taints of machines
  // Keys of a machine's that are brought to nodes besides those that always are.
  std::vector<kube::Pattern> labels;
  std::vector<kube::Pattern> annotations;
};

// What surrounds a machine; null: it has none.
struct NodeSyncView {
  const SetRecord* set = nullptr;
  const DeploymentRecord* deployment = nullptr;
  bool interruptible = false;  // as its infrastructure says
};

// What is to change on the node; a change of nothing if all is as it should be. Fails for what
// cannot be read: a revision that is no number, a list of taints that others broke.
Result<NodeChange> SyncNode(const MachineRecord& machine, const NodeRecord& node,
                            const NodeSyncView& view, const NodeSyncRules& rules);

}  // namespace millwright::dialects::capi
