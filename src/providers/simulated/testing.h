// For tests: a cloud in its own process on virtual time, and a controller's process that uses it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/virtual/world.h"
#include "providers/simulated/simulated.h"

namespace millwright::providers::testing {

inline MachineIdentity MachineNamed(const std::string& name) {
  return {.uid = Uid("uid-" + name), .name = name, .namespace_ = "default"};
}

inline std::shared_ptr<const InstanceClass> ClassOf(std::string provider_spec = "{}",
                                                    std::string name = "small") {
  return std::make_shared<const InstanceClass>(
      InstanceClass{.name = std::move(name), .provider_spec = std::move(provider_spec)});
}

// One controller process: its destruction is its crash.
struct Controller {
  Controller(VirtualWorld& world, CloudEngine& engine)
      : process(world), clock(process), cloud(engine, clock, "test") {}

  VirtualProcess process;
  VirtualClock clock;
  SimulatedCloud cloud;
};

struct SimulatedWorld {
  explicit SimulatedWorld(EngineOptions options = {})
      : process(world), clock(process), random(7), engine(clock, random, std::move(options)) {
    StartController();
  }

  void StartController() { controller.emplace(world, engine); }

  template <class T>
  T Run(Task<T> task) {
    auto outcome = RunTask(controller->process, std::move(task));
    if (!outcome) throw std::runtime_error("the world came to rest before the call was answered");
    return *std::move(outcome);
  }

  Result<Instance> Create(const std::string& name, std::shared_ptr<const InstanceClass> of = {}) {
    return Run(controller->cloud.Create(of ? of : ClassOf(), {.machine = MachineNamed(name)}));
  }
  Result<Instance> Get(const std::string& name) {
    return Run(controller->cloud.Get(ClassOf(), MachineNamed(name)));
  }
  Result<void> Remove(MachineIdentity machine) {
    return Run(controller->cloud.Remove(ClassOf(), std::move(machine)));
  }
  Result<std::vector<Instance>> List() { return Run(controller->cloud.List(ClassOf())); }

  VirtualWorld world;
  VirtualProcess process;
  VirtualClock clock;
  SeededRandom random;
  CloudEngine engine;
  std::optional<Controller> controller;
};

}  // namespace millwright::providers::testing
