// Short ways to say what a test's machines and sets look like.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/model/machine.h"
#include "core/model/machine_set.h"

namespace millwright::core::testing {

// Some afternoon; tests count from here.
inline constexpr WallTime kNow{std::chrono::seconds(1'790'000'000)};

inline Machine Running(std::string name, Duration age = std::chrono::hours(1)) {
  Machine machine;
  machine.uid = Uid("uid-" + name);
  machine.name = std::move(name);
  machine.created = kNow - age;
  machine.phase = Phase::kRunning;
  machine.disposal.priority = 3;
  machine.has_node = machine.ready = machine.available = true;
  return machine;
}

// The same machine in another phase, and so neither ready nor available.
inline Machine InPhase(Phase phase, std::string name, Duration age = std::chrono::hours(1)) {
  Machine machine = Running(std::move(name), age);
  machine.phase = phase;
  machine.ready = machine.available = phase == Phase::kRunning;
  return machine;
}

inline Machine Deleting(Machine machine) {
  machine.deleting_since = kNow;
  return machine;
}

inline std::vector<Machine> RunningMachines(int count) {
  std::vector<Machine> machines;
  for (int i = 1; i <= count; ++i) machines.push_back(Running("m" + std::to_string(i)));
  return machines;
}

inline MachineSet SetOf(int replicas) { return {.name = "set", .replicas = replicas}; }

}  // namespace millwright::core::testing
