// The `simulated` provider: instances in memory, by the ten thousand, with scripted latency and
// faults.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "providers/cloud.h"
#include "providers/simulated/engine.h"

namespace millwright::providers {

// One controller process's way to the cloud. It goes with its process; the engine, and what was
// asked of it, stays.
//
// A machine's instance is found by its UID. Removing a machine removes all its instances; an
// identity with an id and no UID means exactly that one, which is how a surplus one is removed.
class SimulatedCloud final : public Cloud {
 public:
  // The clock is the calling process's own.
  SimulatedCloud(CloudEngine& engine, Clock& clock, std::string cluster = "");

  Capabilities capabilities() const override;
  Result<void> Validate(const InstanceClass& instance_class) const override;
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

  // For a cloud that lives no longer than its process: the machine has its recorded instance again,
  // as if it had never been away.
  void Restore(const InstanceClass& instance_class, const MachineIdentity& machine,
               const std::string& remembered);

 private:
  Result<CallScope> ScopeOf(const InstanceClass& instance_class);
  // For what has to work with a spec that makes no sense any more: looking and removing.
  CallScope ScopeOrDefault(const InstanceClass& instance_class);

  template <class T>
  Task<Result<T>> Await(Pending<T> answer);

  CloudEngine& engine_;
  Clock& clock_;
  std::string cluster_;
  // Parsed specs by their text: a class is shared by thousands of machines.
  std::unordered_map<std::string, std::shared_ptr<const ClassSpec>> specs_;
};

}  // namespace millwright::providers
