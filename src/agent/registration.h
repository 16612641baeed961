// The Node in the cluster: registered once, then kept alive for as long as it is there.
//
// A Node that somebody deleted stays deleted: whoever removes a machine deletes its Node first and
// must not see it come back.
#pragma once

#include <map>
#include <string>

#include "agent/node_object.h"
#include "base/log.h"
#include "base/random.h"
#include "base/signal.h"
#include "base/task_group.h"
#include "kube/client/client.h"
#include "kube/informer/informer.h"

namespace millwright::agent {

struct NodeView {
  kube::Meta meta;
  Conditions conditions;

  friend bool operator==(const NodeView&, const NodeView&) = default;
};

Result<NodeView> DecodeNode(kube::JsonObject object);

class Registration {
 public:
  Registration(const Executor& executor, kube::Client& client, Clock& clock, Random& random,
               Logger log, NodeFacts facts);

  // Creates the Node, or takes over the one that is there. Not again once it has succeeded.
  Task<Result<void>> Register();

  // Says that the node is ready, and renews its Lease and status until cancelled, or until the Node
  // is deleted.
  Task<void> KeepAlive();

  bool is_gone() const { return gone_; }

 private:
  Task<Result<void>> TakeOver();
  Task<Result<void>> ReportStatus();
  Task<Result<void>> RenewLease();
  Task<void> KeepLease();
  Task<void> KeepStatus();
  void OnNode(const NodeView* before, const NodeView* after);
  void NoteGone();
  bool LooksReady() const;

  kube::Client& client_;
  Clock& clock_;
  const Logger log_;
  const NodeFacts facts_;
  const kube::ObjectKey key_;
  Uid uid_;  // of the Node that is ours
  Conditions seen_;
  SteadyTime reported_;
  bool gone_ = false;
  Signal changed_;
  kube::Informer<NodeView> node_;
  TaskGroup tasks_;
};

}  // namespace millwright::agent
