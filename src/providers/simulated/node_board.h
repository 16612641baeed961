// Which nodes of simulated VMs have to be shown otherwise than they are: the work of whoever joins
// them (node_life.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "providers/cloud.h"
#include "providers/simulated/vm.h"

namespace millwright::providers {

// One thing to do. `vm` is for giving it back.
struct NodeTask {
  Vm* vm = nullptr;
  NodeSight sight = NodeSight::kNone;
  bool joins = false;  // it was never shown: register it; else report its readiness
  NodeJoiner::Node node;
};

// Each node is in the queue once and in one pair of hands at a time, so what is done for it is done
// in order, and only the last wish counts.
class NodeBoard {
 public:
  void Wish(Vm& vm, NodeSight sight);

  // Look at the node again: what was tried for it failed.
  void Requeue(Vm& vm);

  std::optional<NodeTask> Take();

  // Back from whoever took it. False: not done.
  void GiveBack(const NodeTask& task, bool done);

  // The record goes. Not while it is in somebody's hands.
  void Forget(Vm& vm);

  bool HasWork() const { return !queue_.empty(); }

 private:
  std::optional<NodeTask> TaskOf(Vm& vm);

  std::map<std::uint64_t, Vm*> queue_;  // by ticket
  std::uint64_t next_ticket_ = 1;
  std::unordered_map<std::string, Vm*> owners_;  // by node name: whose node it is now
};

}  // namespace millwright::providers
