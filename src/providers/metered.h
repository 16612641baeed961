// A cloud that tells how its calls went; metrics are made from that.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "providers/cloud.h"

namespace millwright::providers {

enum class CloudCall { kCreate, kGet, kInitialize, kRemove, kList, kVolumeIds };

struct CloudCallReport {
  std::string_view provider;
  CloudCall call = CloudCall::kGet;
  const MachineIdentity* machine = nullptr;  // none: the call was about no single machine
  Duration took{};
  const Error* error = nullptr;  // none: it succeeded
};

class MeteredCloud final : public Cloud {
 public:
  using Tell = std::function<void(const CloudCallReport&)>;

  // Both must outlive it.
  MeteredCloud(std::string provider, Cloud& inner, Clock& clock, Tell tell)
      : provider_(std::move(provider)), inner_(inner), clock_(clock), tell_(std::move(tell)) {}

  Capabilities capabilities() const override { return inner_.capabilities(); }
  Result<void> Validate(const InstanceClass& instance_class) const override {
    return inner_.Validate(instance_class);
  }
  Task<Result<Instance>> Create(std::shared_ptr<const InstanceClass> instance_class,
                                CreateRequest request) override;
  Task<Result<Instance>> Get(std::shared_ptr<const InstanceClass> instance_class,
                             MachineIdentity machine) override;
  Task<Result<Instance>> Initialize(std::shared_ptr<const InstanceClass> instance_class,
                                    CreateRequest request) override;
  Task<Result<void>> Remove(std::shared_ptr<const InstanceClass> instance_class,
                            MachineIdentity machine) override;
  Task<Result<std::vector<Instance>>> List(
      std::shared_ptr<const InstanceClass> instance_class) override;
  Task<Result<std::vector<std::string>>> VolumeIds(
      std::shared_ptr<const InstanceClass> instance_class,
      std::vector<std::string> volumes) override;

 private:
  template <class T>
  Task<Result<T>> Measure(CloudCall call, std::optional<MachineIdentity> machine,
                          Task<Result<T>> task);

  const std::string provider_;
  Cloud& inner_;
  Clock& clock_;
  const Tell tell_;
};

}  // namespace millwright::providers
