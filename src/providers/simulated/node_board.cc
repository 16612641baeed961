#include "providers/simulated/node_board.h"

namespace millwright::providers {

void NodeBoard::Wish(Vm& vm, NodeSight sight) {
  vm.node_wished = sight;
  if (vm.node_shown != sight) Requeue(vm);
}

void NodeBoard::Requeue(Vm& vm) {
  if (vm.node_ticket != 0 || vm.node_busy) return;
  vm.node_ticket = next_ticket_++;
  queue_.emplace(vm.node_ticket, &vm);
}

std::optional<NodeTask> NodeBoard::Take() {
  while (!queue_.empty()) {
    Vm& vm = *queue_.begin()->second;
    queue_.erase(queue_.begin());
    vm.node_ticket = 0;
    if (auto task = TaskOf(vm)) {
      vm.node_busy = true;
      return task;
    }
  }
  return std::nullopt;
}

void NodeBoard::GiveBack(const NodeTask& task, bool done) {
  Vm& vm = *task.vm;
  vm.node_busy = false;
  if (!done) return;
  vm.node_shown = task.sight;
  if (vm.node_shown != vm.node_wished) Requeue(vm);
}

void NodeBoard::Forget(Vm& vm) {
  queue_.erase(vm.node_ticket);
  const auto owner = owners_.find(vm.node);
  if (owner == owners_.end()) return;
  if (owner->second == nullptr || owner->second == &vm) owners_.erase(owner);
}

std::optional<NodeTask> NodeBoard::TaskOf(Vm& vm) {
  if (vm.node_wished == vm.node_shown) return std::nullopt;
  const bool joins = vm.node_shown == NodeSight::kNone;
  Vm*& owner = owners_[vm.node];
  if (joins) {
    // A VM that went before its node came has none; and of two with one name, the first has it.
    if (!vm.Lives() || vm.node_wished != NodeSight::kReady) return std::nullopt;
    if (owner != nullptr && owner != &vm && owner->Lives()) return std::nullopt;
    owner = &vm;
  } else if (owner != &vm) {
    return std::nullopt;  // a younger VM has joined under this name
  }
  return NodeTask{.vm = &vm,
                  .sight = vm.node_wished,
                  .joins = joins,
                  .node = {.name = vm.node,
                           .provider_id = vm.id,
                           .labels = vm.spec->labels,
                           .capacity = vm.spec->capacity}};
}

}  // namespace millwright::providers
