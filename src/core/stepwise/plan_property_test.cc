// What a stepwise rollout promises: sets lose what is not available first, and act in any order.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/rollout/limits.h"
#include "core/stepwise/plan.h"

namespace millwright::core::stepwise {
namespace {

struct World {
  Scene scene;
  std::vector<int> machines;   // of each old set, then of the current one
  std::vector<int> available;  // of these

  MachineSet& set(size_t i) { return i < scene.old.size() ? scene.old[i] : *scene.current; }
  size_t count() const { return scene.old.size() + 1; }
  int total() const { return std::accumulate(machines.begin(), machines.end(), 0); }
  int total_available() const { return std::accumulate(available.begin(), available.end(), 0); }

  void Report(size_t i) {
    set(i).seen = {.replicas = machines[i], .ready = available[i], .available = available[i]};
  }

  void Work(size_t i) {
    machines[i] = set(i).replicas;
    available[i] = std::min(available[i], machines[i]);
    Report(i);
  }

  void Plan() {
    for (const Resize& resize : PlanRollingUpdate(scene).resize) {
      for (size_t i = 0; i < count(); ++i) {
        if (set(i).name == resize.set) set(i).replicas = resize.replicas;
      }
    }
  }
};

World AnyWorld() {
  World world;
  const int replicas = *rc::gen::inRange(0, 8);
  world.scene.deployment = {.replicas = replicas,
                            .max_surge = Amount::Of(*rc::gen::inRange(0, 4)),
                            .max_unavailable = Amount::Of(*rc::gen::inRange(0, 4))};
  world.scene.current = MachineSet{.name = "new"};
  int left = replicas;
  const int sets = *rc::gen::inRange(1, 4);
  for (int i = 0; i < sets; ++i) {
    const int size = i + 1 == sets ? left : *rc::gen::inRange(0, left + 1);
    left -= size;
    world.scene.old.push_back({.name = "old" + std::to_string(i), .replicas = size});
    world.machines.push_back(size);
    world.available.push_back(*rc::gen::inRange(0, size + 1));
  }
  world.machines.push_back(0);
  world.available.push_back(0);
  for (size_t i = 0; i < world.count(); ++i) world.Report(i);
  return world;
}

RC_GTEST_PROP(StepwiseRolling, NeverFewerAvailableNorMoreThanAllowedByOurActs, ()) {
  World world = AnyWorld();
  const Limits limits = ResolveLimits(world.scene.deployment);
  const int least = limits.MinAvailable(world.scene.deployment.replicas);
  const int most = limits.MaxTotal(world.scene.deployment.replicas);
  const int steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    const size_t i = *rc::gen::inRange<size_t>(0, world.count());
    const int before = world.total_available();
    switch (*rc::gen::inRange(0, 3)) {
      case 0: world.Plan(); break;
      case 1: world.Work(i); break;
      case 2: {
        // Only new ones: an old machine that recovers after it was decided that its set can do
        // without one goes all the same. No order of reports could save it.
        const size_t current = world.count() - 1;
        world.available[current] = std::min(world.available[current] + 1, world.machines[current]);
        world.Report(current);
        break;
      }
    }
    if (world.total_available() < before) RC_ASSERT(world.total_available() >= least);
    RC_ASSERT(world.total() <= most);
  }
}

RC_GTEST_PROP(StepwiseRolling, EndsWithAllMachinesInTheCurrentSet, ()) {
  World world = AnyWorld();
  for (int round = 0; round < 100; ++round) {
    world.Plan();
    for (size_t i = 0; i < world.count(); ++i) world.Work(i);
    world.available.back() = world.machines.back();
    world.Report(world.count() - 1);
  }
  RC_ASSERT(world.machines.back() == world.scene.deployment.replicas);
  RC_ASSERT(world.total() == world.scene.deployment.replicas);
}

}  // namespace
}  // namespace millwright::core::stepwise
