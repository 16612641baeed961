// A cloud around a cloud: every call goes through one function of the derived class, which may
// measure it, hold it up or let it fail.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "providers/cloud.h"

namespace millwright::providers {

enum class CloudCall { kCreate, kGet, kInitialize, kRemove, kList, kVolumeIds };

// `Outer` has, accessible from here,
//   template <class T>
//   Task<Result<T>> Around(CloudCall call, std::optional<MachineIdentity> machine,
//                          Task<Result<T>> task);
// where the machine is none if the call is about no single one, and the task is the call itself,
// not begun.
template <class Outer>
class CloudAround : public Cloud {
 public:
  using Class = std::shared_ptr<const InstanceClass>;

  Capabilities capabilities() const override { return inner_.capabilities(); }
  Result<void> Validate(const InstanceClass& instance_class) const override {
    return inner_.Validate(instance_class);
  }
  Task<Result<Instance>> Create(Class of, CreateRequest request) override {
    MachineIdentity machine = request.machine;
    return outer().template Around<Instance>(CloudCall::kCreate, std::move(machine),
                                             inner_.Create(std::move(of), std::move(request)));
  }
  Task<Result<Instance>> Get(Class of, MachineIdentity machine) override {
    return outer().template Around<Instance>(CloudCall::kGet, machine,
                                             inner_.Get(std::move(of), machine));
  }
  Task<Result<Instance>> Initialize(Class of, CreateRequest request) override {
    MachineIdentity machine = request.machine;
    return outer().template Around<Instance>(CloudCall::kInitialize, std::move(machine),
                                             inner_.Initialize(std::move(of), std::move(request)));
  }
  Task<Result<void>> Remove(Class of, MachineIdentity machine) override {
    return outer().template Around<void>(CloudCall::kRemove, machine,
                                         inner_.Remove(std::move(of), machine));
  }
  Task<Result<std::vector<Instance>>> List(Class of) override {
    return outer().template Around<std::vector<Instance>>(CloudCall::kList, std::nullopt,
                                                          inner_.List(std::move(of)));
  }
  Task<Result<std::vector<std::string>>> VolumeIds(Class of,
                                                   std::vector<std::string> volumes) override {
    return outer().template Around<std::vector<std::string>>(
        CloudCall::kVolumeIds, std::nullopt, inner_.VolumeIds(std::move(of), std::move(volumes)));
  }

 private:
  friend Outer;
  // `inner` must outlive it.
  explicit CloudAround(Cloud& inner) : inner_(inner) {}

  Outer& outer() { return static_cast<Outer&>(*this); }

  Cloud& inner_;
};

}  // namespace millwright::providers
