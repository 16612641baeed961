// What updates nodes in place when their controllers say that it may: each node's own agent, which
// succeeds at once.
#pragma once

#include "tests/sim/cluster.h"

namespace millwright::sim {

class NodeAgents {
 public:
  // Does nothing where the dialect knows no such updates.
  explicit NodeAgents(Cluster& cluster);
  NodeAgents(const NodeAgents&) = delete;
  NodeAgents& operator=(const NodeAgents&) = delete;
  ~NodeAgents() = default;

 private:
  static Task<void> Run(NodeAgents& self);
  Task<void> LookAt(apiserver::RecordPtr node);

  Cluster& cluster_;
  apiserver::Revision seen_ = 0;
  VirtualProcess process_;
  VirtualClock clock_;
  Wire wire_;
};

}  // namespace millwright::sim
