#include "providers/metered.h"

namespace millwright::providers {

template <class T>
Task<Result<T>> MeteredCloud::Measure(CloudCall call, std::optional<MachineIdentity> machine,
                                      Task<Result<T>> task) {
  const SteadyTime began = clock_.Elapsed();
  Result<T> result = co_await std::move(task);
  tell_({.provider = provider_,
         .call = call,
         .machine = machine ? &*machine : nullptr,
         .took = clock_.Elapsed() - began,
         .error = result ? nullptr : &result.error()});
  co_return result;
}

Task<Result<Instance>> MeteredCloud::Create(std::shared_ptr<const InstanceClass> instance_class,
                                            CreateRequest request) {
  MachineIdentity machine = request.machine;
  return Measure(CloudCall::kCreate, std::move(machine),
                 inner_.Create(std::move(instance_class), std::move(request)));
}

Task<Result<Instance>> MeteredCloud::Get(std::shared_ptr<const InstanceClass> instance_class,
                                         MachineIdentity machine) {
  return Measure(CloudCall::kGet, machine, inner_.Get(std::move(instance_class), machine));
}

Task<Result<Instance>> MeteredCloud::Initialize(std::shared_ptr<const InstanceClass> instance_class,
                                                CreateRequest request) {
  MachineIdentity machine = request.machine;
  return Measure(CloudCall::kInitialize, std::move(machine),
                 inner_.Initialize(std::move(instance_class), std::move(request)));
}

Task<Result<void>> MeteredCloud::Remove(std::shared_ptr<const InstanceClass> instance_class,
                                        MachineIdentity machine) {
  return Measure(CloudCall::kRemove, machine, inner_.Remove(std::move(instance_class), machine));
}

Task<Result<std::vector<Instance>>> MeteredCloud::List(
    std::shared_ptr<const InstanceClass> instance_class) {
  return Measure(CloudCall::kList, std::nullopt, inner_.List(std::move(instance_class)));
}

Task<Result<std::vector<std::string>>> MeteredCloud::VolumeIds(
    std::shared_ptr<const InstanceClass> instance_class, std::vector<std::string> volumes) {
  return Measure(CloudCall::kVolumeIds, std::nullopt,
                 inner_.VolumeIds(std::move(instance_class), std::move(volumes)));
}

}  // namespace millwright::providers
