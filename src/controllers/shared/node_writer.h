// Writes to nodes of the target cluster: what is ours changes, what is others' stays as it is.
#pragma once

#include <boost/json/object.hpp>

#include <string>
#include <vector>

#include "core/model/condition.h"
#include "core/node/sync.h"
#include "dialects/node_change.h"
#include "dialects/node_record.h"
#include "kube/client/client.h"
#include "kube/informer/write_guard.h"

namespace millwright::controllers {

using dialects::NodeChange;
using dialects::TaintChange;

class NodeWriter {
 public:
  NodeWriter(kube::Client& client, kube::WriteGuard& guard) : client_(client), guard_(guard) {}

  // kConflict if the node changed since. A change of taints reads the node first: their list is
  // replaced whole, and has fields that nobody here knows.
  Task<Result<void>> Write(kube::Meta seen, NodeChange change);

  // Sets one condition in the node's status; the others stay.
  Task<Result<void>> SetCondition(kube::Meta seen, core::Condition condition, WallTime now);

  // Takes no more pods. Whatever else changed on the node does not matter for that.
  Task<Result<void>> Cordon(kube::Meta seen);

  // A node that is gone is success.
  Task<Result<void>> Delete(kube::Meta seen);

  // Takes our finalizer away from a node that is being deleted; one that is gone is success. If
  // `finalizers` are still the node's, that is one request; else the node is read first.
  Task<Result<void>> LetGo(kube::Meta seen, std::string finalizer,
                           std::vector<std::string> finalizers = {});

 private:
  Task<Result<void>> LetGoLive(kube::Meta seen, std::string finalizer);

  kube::Client& client_;
  kube::WriteGuard& guard_;
};

}  // namespace millwright::controllers
