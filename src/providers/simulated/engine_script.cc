// What happens to the simulated cloud from outside, and what tests may know of it.
#include "providers/simulated/engine.h"

namespace millwright::providers {

Result<Vm*> CloudEngine::LivingVm(const std::string& id) {
  Advance();
  Vm* vm = inventory_.FindById(id);
  if (vm != nullptr && vm->Lives()) return vm;
  return FailCloud(core::CloudCode::kNotFound, "no VM " + id);
}

Vm& CloudEngine::MakeTwin(const Vm& vm) {
  Vm& twin = Prepare({.tags = vm.tags, .token = "", .spec = vm.spec});
  twin.by_script = true;
  Make(twin);
  return twin;
}

Result<std::string> CloudEngine::Duplicate(const std::string& id) {
  TRY(const Vm* vm, LivingVm(id));
  const Vm& twin = MakeTwin(*vm);
  Tell();
  return twin.id;
}

Result<void> CloudEngine::Destroy(const std::string& id, bool leave_dependants) {
  TRY(Vm * vm, LivingVm(id));
  EndVm(*vm, true);
  if (!leave_dependants) CleanUp(*vm, true);
  Tell();
  return Ok();
}

Result<void> CloudEngine::Halt(const std::string& id) {
  TRY(Vm * vm, LivingVm(id));
  vm->halted = true;
  Record(EventKind::kHalted, *vm, true);
  After(options_.silence, *vm, [this](Vm& it) {
    if (it.halted) nodes_.Wish(it, NodeSight::kSilent);
  });
  Tell();
  return Ok();
}

Result<void> CloudEngine::Resume(const std::string& id) {
  TRY(Vm * vm, LivingVm(id));
  vm->halted = false;
  Record(EventKind::kResumed, *vm, true);
  if (vm->state == VmState::kRunning) nodes_.Wish(*vm, NodeSight::kReady);
  Tell();
  return Ok();
}

std::string CloudEngine::Plant(VmTags tags) {
  Advance();
  Vm& vm = Prepare({.tags = std::move(tags), .token = ""});
  vm.by_script = true;
  Make(vm);
  Tell();
  return vm.id;
}

void CloudEngine::Restore(const CreateOrder& order, const std::string& id) {
  Advance();
  if (inventory_.FindById(id) != nullptr) return;
  Vm& vm = Prepare(order, id);
  vm.by_script = true;
  vm.initialized = true;
  Make(vm);
  Tell();
}

const Vm* CloudEngine::Find(const std::string& id) {
  Advance();
  return inventory_.FindById(id);
}

std::vector<const Vm*> CloudEngine::Present() {
  Advance();
  return inventory_.Present();
}

std::vector<const Vm*> CloudEngine::Leaked(const std::set<Uid>& machines) {
  std::vector<const Vm*> present = Present();
  std::erase_if(present, [&](const Vm* vm) { return machines.contains(vm->tags.machine_uid); });
  return present;
}

}  // namespace millwright::providers
