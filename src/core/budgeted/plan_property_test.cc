// What a rollout promises however things go: the deployment and its sets act in any order, and a
// set that shrinks loses its available machines first.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <numeric>

#include "core/budgeted/plan.h"
#include "core/rollout/limits.h"

namespace millwright::core::budgeted {
namespace {

struct World {
  Deployment deployment;
  MachineSet current{.name = "new"};
  std::vector<MachineSet> old;
  std::vector<int> machines;   // of each old set, then of the current one
  std::vector<int> available;  // of these

  MachineSet& set(size_t i) { return i < old.size() ? old[i] : current; }
  size_t count() const { return old.size() + 1; }
  int total() const { return std::accumulate(machines.begin(), machines.end(), 0); }
  int total_available() const { return std::accumulate(available.begin(), available.end(), 0); }
};

World AnyWorld() {
  World world;
  const int replicas = *rc::gen::inRange(0, 8);
  world.deployment = {.replicas = replicas,
                      .max_surge = Amount::Of(*rc::gen::inRange(0, 4)),
                      .max_unavailable = Amount::Of(*rc::gen::inRange(0, 4))};
  const int sets = *rc::gen::inRange(1, 4);
  int left = replicas;
  for (int i = 0; i < sets; ++i) {
    const int size = i + 1 == sets ? left : *rc::gen::inRange(0, left + 1);
    left -= size;
    world.old.push_back({.name = "old" + std::to_string(i), .replicas = size});
    world.machines.push_back(size);
    world.available.push_back(size);
  }
  world.machines.push_back(0);
  world.available.push_back(0);
  return world;
}

void PlanDeployment(World& world) {
  const Plan plan = PlanRollingUpdate({world.deployment, world.current, world.old, {}});
  world.current.replicas = plan.current.replicas;
  for (const SetPlan& planned : plan.old) {
    std::ranges::find(world.old, planned.set, &MachineSet::name)->replicas = planned.replicas;
  }
}

// The worst that a set can do: available machines go first, new ones are not available.
void WorkOnSet(World& world, size_t i) {
  MachineSet& set = world.set(i);
  const int gone = std::max(world.machines[i] - set.replicas, 0);
  world.available[i] = std::max(world.available[i] - gone, 0);
  world.machines[i] = set.replicas;
}

void Report(World& world, size_t i) {
  world.set(i).seen = {.replicas = world.machines[i], .available = world.available[i]};
}

void ReportAll(World& world) {
  for (size_t i = 0; i < world.count(); ++i) Report(world, i);
}

RC_GTEST_PROP(RollingUpdate, NeverFewerAvailableNorMoreThanAllowedByOurActs, ()) {
  World world = AnyWorld();
  const Limits limits = ResolveLimits(world.deployment);
  const int least = limits.MinAvailable(world.deployment.replicas);
  const int most = limits.MaxTotal(world.deployment.replicas);
  ReportAll(world);
  const int steps = *rc::gen::inRange(1, 60);
  for (int step = 0; step < steps; ++step) {
    const size_t i = *rc::gen::inRange<size_t>(0, world.count());
    const int before = world.total_available();
    switch (*rc::gen::inRange(0, 3)) {
      case 0: PlanDeployment(world); break;
      case 1:
        WorkOnSet(world, i);
        Report(world, i);
        break;
      case 2:  // a machine becomes available; it is known at once, or a plan could only be more
               // careful
        world.available[i] = std::min(world.available[i] + 1, world.machines[i]);
        Report(world, i);
        break;
    }
    if (world.total_available() < before) RC_ASSERT(world.total_available() >= least);
    RC_ASSERT(world.total() <= most);
  }
}

RC_GTEST_PROP(RollingUpdate, EndsWithAllMachinesInTheCurrentSet, ()) {
  World world = AnyWorld();
  ReportAll(world);
  for (int round = 0; round < 60; ++round) {
    PlanDeployment(world);
    for (size_t i = 0; i < world.count(); ++i) {
      WorkOnSet(world, i);
      world.available[i] = world.machines[i];
    }
    ReportAll(world);
  }
  RC_ASSERT(world.machines.back() == world.deployment.replicas);
  RC_ASSERT(world.total() == world.deployment.replicas);
}

// Old machines that broke for good must not hold a rollout up for ever.
RC_GTEST_PROP(RollingUpdate, EndsAlsoIfOldMachinesAreBroken, ()) {
  World world = AnyWorld();
  for (size_t i = 0; i < world.old.size(); ++i) {
    world.available[i] = *rc::gen::inRange(0, world.machines[i] + 1);
  }
  ReportAll(world);
  for (int round = 0; round < 120; ++round) {
    PlanDeployment(world);
    for (size_t i = 0; i < world.count(); ++i) WorkOnSet(world, i);
    world.available.back() = world.machines.back();
    ReportAll(world);
  }
  RC_ASSERT(world.machines.back() == world.deployment.replicas);
  RC_ASSERT(world.total() == world.deployment.replicas);
}

}  // namespace
}  // namespace millwright::core::budgeted
