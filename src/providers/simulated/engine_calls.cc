// What the calls do, and how they fail.
#include <fmt/format.h>

#include <algorithm>

#include "providers/simulated/engine.h"

namespace millwright::providers {
namespace {

using core::CloudCode;

Failure FailByScript(CallKind kind, const FaultRule& rule) {
  std::string message = fmt::format("simulated fault of {}", ToString(kind));
  if (rule.unreadable || !rule.code) return Fail(ErrorKind::kInDoubt, std::move(message));
  return FailCloud(*rule.code, std::move(message));
}

bool StopsAt(const std::optional<FaultRule>& fault, FaultPoint point) {
  return fault && fault->Fails() && fault->point == point;
}

bool NamesNobody(const MachineIdentity& machine) {
  return machine.uid.empty() && machine.name.empty() && machine.instance.empty();
}

std::string Describe(const MachineIdentity& machine) {
  if (machine.name.empty()) return machine.instance;
  return machine.uid.empty() ? machine.name
                             : fmt::format("{} ({})", machine.name, machine.uid.str());
}

}  // namespace

CloudEngine::Fault CloudEngine::DrawFault(CallKind kind, const std::string& machine,
                                          const std::string& cluster, const std::string& class_name,
                                          const ClassSpec& spec) {
  Fault fault = faults_.Draw(kind, machine, spec.faults, cluster + "/" + class_name, random_);
  if (fault) {
    Record({.kind = EventKind::kFaulted,
            .machine = machine,
            .by_script = true,
            .call = kind,
            .code = fault->code});
  }
  return fault;
}

template <class T>
Pending<T> CloudEngine::Submit(CallKind kind, const CallScope& scope, MachineIdentity machine,
                               std::function<Outcome<T>(const Fault&)> effect) {
  Advance();
  ++calls_[IndexOf(kind)];
  Fault fault = DrawFault(kind, machine.name, scope.cluster, scope.class_name, *scope.spec);
  CallTimes times = options_.times[IndexOf(kind)];
  if (kind == CallKind::kCreate && scope.spec->create) times.effect = *scope.spec->create;
  if (fault) {
    times.effect += fault->delay;
    times.answer += fault->answer_delay;
  }
  auto answer = std::make_shared<Answer<T>>();
  answer->at = now_ + times.effect;
  After(times.effect,
        [this, kind, answer, times, fault = std::move(fault), effect = std::move(effect)] {
          if (StopsAt(fault, FaultPoint::kBefore)) {
            answer->at = now_ + times.answer;
            answer->result.emplace(FailByScript(kind, *fault));
            return;
          }
          Outcome<T> outcome = effect(fault);
          answer->at = now_ + outcome.wait + times.answer;
          if (fault && fault->Fails()) outcome.result = FailByScript(kind, *fault);
          answer->result.emplace(std::move(outcome.result));
        });
  Advance();  // what takes no time has been done when we return
  return answer;
}

Pending<Made> CloudEngine::Create(CreateOrder order) {
  const CallScope scope{order.tags.cluster, order.tags.class_name, order.spec};
  MachineIdentity machine{order.tags.machine_uid, order.tags.machine, order.tags.namespace_, ""};
  return Submit<Made>(
      CallKind::kCreate, scope, std::move(machine),
      [this, order = std::move(order)](const Fault& fault) { return DoCreate(order, fault); });
}

Pending<Instance> CloudEngine::Get(CallScope scope, MachineIdentity machine) {
  return Submit<Instance>(CallKind::kGet, scope, machine,
                          [this, scope, machine](const Fault&) { return DoGet(scope, machine); });
}

Pending<Instance> CloudEngine::Initialize(CallScope scope, MachineIdentity machine) {
  return Submit<Instance>(
      CallKind::kInitialize, scope, machine,
      [this, scope, machine](const Fault&) { return DoInitialize(scope, machine); });
}

Pending<void> CloudEngine::Remove(CallScope scope, MachineIdentity machine) {
  return Submit<void>(
      CallKind::kRemove, scope, machine,
      [this, scope, machine](const Fault& fault) { return DoRemove(scope, machine, fault); });
}

Pending<std::vector<Instance>> CloudEngine::List(CallScope scope) {
  return Submit<std::vector<Instance>>(CallKind::kList, scope, {},
                                       [this, scope](const Fault&) { return DoList(scope); });
}

// The record that this order is about already: its token's, or a VM of that name from before us.
Vm* CloudEngine::KnownTo(const CreateOrder& order) {
  if (!order.token.empty()) {
    if (Vm* vm = inventory_.FindByToken(order.token)) return vm;
  }
  const MachineIdentity machine{order.tags.machine_uid, order.tags.machine, order.tags.namespace_,
                                ""};
  for (Vm* vm : inventory_.Select(order.tags.cluster, machine)) {
    if (vm->tags.machine_uid.empty() && vm->token.empty() && vm->Lives()) return vm;
  }
  return nullptr;
}

CloudEngine::Outcome<Made> CloudEngine::DoCreate(const CreateOrder& order, const Fault& fault) {
  Vm* vm = KnownTo(order);
  if (vm != nullptr && vm->state != VmState::kNone) return {Made{View(*vm), vm->state}};
  if (options_.quota && live_ >= *options_.quota) {
    Record({.kind = EventKind::kRefused,
            .machine = order.tags.machine,
            .machine_uid = order.tags.machine_uid,
            .call = CallKind::kCreate,
            .code = CloudCode::kResourceExhausted});
    return {FailCloud(CloudCode::kResourceExhausted,
                      fmt::format("the quota of {} instances is used up", *options_.quota))};
  }
  if (vm == nullptr) vm = &Prepare(order);
  if (StopsAt(fault, FaultPoint::kHalfway)) return {Made{View(*vm), vm->state}};
  Make(*vm);
  if (fault && fault->duplicate) MakeTwin(*vm);
  return {Made{View(*vm), vm->state}};
}

Result<Vm*> CloudEngine::TheOne(const CallScope& scope, const MachineIdentity& machine,
                                SteadyTime at) {
  if (NamesNobody(machine)) {
    return FailCloud(CloudCode::kInvalidArgument, "neither id, UID nor name is given");
  }
  std::vector<Vm*> mine = inventory_.Select(scope.cluster, machine);
  std::erase_if(mine, [at](const Vm* vm) { return vm->made > at || vm->gone <= at; });
  if (mine.empty()) {
    return FailCloud(CloudCode::kNotFound, "there is no instance of " + Describe(machine));
  }
  if (mine.size() > 1) {
    return FailCloud(CloudCode::kOutOfRange,
                     fmt::format("there are {} instances of {}", mine.size(), Describe(machine)));
  }
  return mine.front();
}

CloudEngine::Outcome<Instance> CloudEngine::DoGet(const CallScope& scope,
                                                  const MachineIdentity& machine) {
  const Result<Vm*> vm = TheOne(scope, machine, now_ - options_.get_lag);
  if (!vm) return {Failure(vm.error())};
  return {View(**vm)};
}

CloudEngine::Outcome<Instance> CloudEngine::DoInitialize(const CallScope& scope,
                                                         const MachineIdentity& machine) {
  const Result<Vm*> vm = TheOne(scope, machine, now_);
  if (!vm) return {Failure(vm.error())};
  (*vm)->initialized = true;
  return {View(**vm)};
}

CloudEngine::Outcome<void> CloudEngine::DoRemove(const CallScope& scope,
                                                 const MachineIdentity& machine,
                                                 const Fault& fault) {
  if (NamesNobody(machine)) {
    return {FailCloud(CloudCode::kInvalidArgument, "neither id, UID nor name is given")};
  }
  Duration wait{};
  for (Vm* vm : inventory_.Select(scope.cluster, machine)) {
    if (!vm->Present()) continue;
    if (StopsAt(fault, FaultPoint::kHalfway)) {
      if (vm->Lives()) EndVm(*vm, false);
    } else if (vm->Lives()) {
      Stop(*vm);
      wait = std::max(wait, vm->gone - now_);
    } else {
      CleanUp(*vm, false);
    }
  }
  return {Ok(), wait};
}

CloudEngine::Outcome<std::vector<Instance>> CloudEngine::DoList(const CallScope& scope) {
  std::vector<Instance> instances;
  const Pool pool{scope.cluster, scope.class_name};
  for (const Vm* vm : inventory_.List(pool, now_ - options_.list_lag)) {
    instances.push_back(View(*vm));
  }
  return {std::move(instances)};
}

}  // namespace millwright::providers
