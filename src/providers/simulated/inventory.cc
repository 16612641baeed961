#include "providers/simulated/inventory.h"

#include <algorithm>

namespace millwright::providers {
namespace {

Pool PoolOf(const Vm& vm) { return {vm.tags.cluster, vm.tags.class_name}; }

std::string NameKey(const std::string& cluster, const std::string& name) {
  return cluster + "/" + name;
}

}  // namespace

Vm& Inventory::Add(Vm vm) {
  vm.number = ++last_number_;
  Vm& added = vms_.emplace(vm.number, std::move(vm)).first->second;
  pools_[PoolOf(added)].present.emplace(added.number, &added);
  by_id_.emplace(added.id, &added);
  if (!added.token.empty()) by_token_.emplace(added.token, &added);
  if (!added.tags.machine_uid.empty()) {
    by_uid_[added.tags.machine_uid].push_back(&added);
  } else {
    untagged_by_name_[NameKey(added.tags.cluster, added.tags.machine)].push_back(&added);
  }
  return added;
}

void Inventory::Leave(Vm& vm) {
  Members& members = pools_[PoolOf(vm)];
  members.present.erase(vm.number);
  members.left.push_back(&vm);
}

void Inventory::Forget(Vm& vm) {
  auto& left = pools_[PoolOf(vm)].left;
  left.erase(std::ranges::find(left, &vm));  // near the front: the oldest goes first
  by_id_.erase(vm.id);
  by_token_.erase(vm.token);
  const auto drop = [&vm](auto& index, const auto& key) {
    const auto found = index.find(key);
    if (found == index.end()) return;
    std::erase(found->second, &vm);
    if (found->second.empty()) index.erase(found);
  };
  drop(by_uid_, vm.tags.machine_uid);
  drop(untagged_by_name_, NameKey(vm.tags.cluster, vm.tags.machine));
  vms_.erase(vm.number);
}

Vm* Inventory::FindByNumber(std::uint64_t number) {
  const auto found = vms_.find(number);
  return found == vms_.end() ? nullptr : &found->second;
}

Vm* Inventory::FindById(std::string_view id) {
  const auto found = by_id_.find(std::string(id));
  return found == by_id_.end() ? nullptr : found->second;
}

Vm* Inventory::FindByToken(std::string_view token) {
  const auto found = by_token_.find(std::string(token));
  return found == by_token_.end() ? nullptr : found->second;
}

std::vector<Vm*> Inventory::Select(const std::string& cluster, const MachineIdentity& machine) {
  if (machine.uid.empty() && !machine.instance.empty()) {
    Vm* vm = FindById(machine.instance);
    return vm == nullptr ? std::vector<Vm*>{} : std::vector<Vm*>{vm};
  }
  std::vector<Vm*> mine;
  const auto of_uid = by_uid_.find(machine.uid);
  if (of_uid != by_uid_.end()) mine = of_uid->second;

  Vm* recorded = machine.instance.empty() ? nullptr : FindById(machine.instance);
  const auto of_name = untagged_by_name_.find(NameKey(cluster, machine.name));
  if (of_name != untagged_by_name_.end()) {
    for (Vm* vm : of_name->second) {
      const std::string& space = vm->tags.namespace_;
      if (space.empty() || space == machine.namespace_) mine.push_back(vm);
    }
  }
  // One that was recorded but is tagged with another machine's UID is not ours, whoever says so.
  if (recorded != nullptr && recorded->tags.machine_uid.empty() &&
      std::ranges::find(mine, recorded) == mine.end()) {
    mine.push_back(recorded);
  }
  return mine;
}

std::vector<const Vm*> Inventory::List(const Pool& pool, SteadyTime at) const {
  std::vector<const Vm*> shown;
  const auto found = pools_.find(pool);
  if (found == pools_.end()) return shown;
  const Members& members = found->second;
  for (const auto& [number, vm] : members.present) {
    if (vm->since <= at) shown.push_back(vm);
  }
  for (auto left = members.left.rbegin(); left != members.left.rend(); ++left) {
    if ((*left)->until <= at) break;
    if ((*left)->since <= at) shown.push_back(*left);
  }
  std::ranges::sort(shown, {}, &Vm::number);
  return shown;
}

std::vector<const Vm*> Inventory::Present() const {
  std::vector<const Vm*> shown;
  for (const auto& [pool, members] : pools_) {
    for (const auto& [number, vm] : members.present) shown.push_back(vm);
  }
  std::ranges::sort(shown, {}, &Vm::number);
  return shown;
}

}  // namespace millwright::providers
