// Brings the nodes of simulated VMs into the cluster and reports when they fall silent.
#pragma once

#include "base/clock.h"
#include "base/signal.h"
#include "base/task_group.h"
#include "providers/cloud.h"
#include "providers/simulated/engine.h"

namespace millwright::providers {

// Runs beside the engine, on the executor of the cloud's owner: machines boot and join whether or
// not any controller is alive. One for an engine.
class NodeLife {
 public:
  NodeLife(CloudEngine& engine, NodeJoiner& joiner, Clock& clock, Executor executor);
  ~NodeLife();
  NodeLife(const NodeLife&) = delete;
  NodeLife& operator=(const NodeLife&) = delete;

  // Until cancelled.
  Task<void> Run();

 private:
  Task<void> CarryOut(NodeTask task);

  CloudEngine& engine_;
  NodeJoiner& joiner_;
  Clock& clock_;
  Signal changed_;
  std::size_t under_way_ = 0;
  TaskGroup tasks_;
};

}  // namespace millwright::providers
