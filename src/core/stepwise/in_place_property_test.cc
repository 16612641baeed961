// However long updates on nodes take, no more machines are out at once than allowed, and all end in
// the current set.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "core/rollout/limits.h"
#include "core/stepwise/in_place.h"
#include "core/testing/builders.h"

namespace millwright::core::stepwise {
namespace {

struct World {
  InPlaceScene scene;
  int next = 0;

  MachineSet* Find(const std::string& name) {
    if (scene.base.current && scene.base.current->name == name) return &*scene.base.current;
    for (MachineSet& set : scene.base.old) {
      if (set.name == name) return &set;
    }
    return nullptr;
  }

  Machine& Machine_(const std::string& name) {
    return *std::ranges::find(scene.machines, Text(name), &Machine::name);
  }

  void Add(const std::string& set) {
    Machine machine = testing::Running("m" + std::to_string(next++));
    machine.set = set;
    scene.machines.push_back(machine);
  }

  int Available() const {
    return static_cast<int>(std::ranges::count_if(scene.machines, &Machine::available));
  }

  void Act(const InPlaceStep& step) {
    if (step.create_current) {
      scene.base.current = MachineSet{.name = "new", .replicas = *step.create_current};
    }
    for (Machine& machine : scene.machines) {
      if (step.offer_old && machine.set != "new") machine.in_place.candidate = true;
    }
    for (const Transfer& transfer : step.transfer) {
      Machine& machine = Machine_(transfer.machine);
      machine.set = "new";
      machine.in_place = {.succeeded = true, .handed_over = true};
    }
    for (const std::string& name : step.settle) Machine_(name).in_place = {};
    for (const std::string& name : step.select) Machine_(name).in_place.selected = true;
    for (const Resize& resize : step.resize) Find(resize.set)->replicas = resize.replicas;
  }

  // Sets make and remove machines, and report. Old ones may not grow.
  void RunSets() {
    std::vector<MachineSet*> sets;
    for (MachineSet& set : scene.base.old) sets.push_back(&set);
    if (scene.base.current) sets.push_back(&*scene.base.current);
    for (MachineSet* set : sets) {
      int have = CountOf(set->name);
      for (; have < set->replicas && set->name == "new"; ++have) Add(set->name);
      for (; have > set->replicas; --have) {
        const auto victim = std::ranges::find_if(scene.machines, [&](const Machine& m) {
          return m.set == set->name && !m.in_place.handed_over;
        });
        if (victim == scene.machines.end()) break;
        scene.machines.erase(victim);
      }
      set->seen = {.replicas = CountOf(set->name), .ready = CountOf(set->name)};
      set->seen.fully_labelled = set->seen.replicas;
      set->seen.available = static_cast<int>(std::ranges::count_if(
          scene.machines, [&](const Machine& m) { return m.set == set->name && m.available; }));
    }
  }

  int CountOf(const std::string& set) const {
    return static_cast<int>(
        std::ranges::count_if(scene.machines, [&](const Machine& m) { return m.set == set; }));
  }
};

RC_GTEST_PROP(InPlace, NeverTooFewAvailableAndItEnds, ()) {
  World world;
  const int replicas = *rc::gen::inRange(1, 7);
  world.scene.base.deployment = {.replicas = replicas,
                                 .strategy = Strategy::kInPlaceAuto,
                                 .max_surge = Amount::Of(*rc::gen::inRange(0, 3)),
                                 .max_unavailable = Amount::Of(*rc::gen::inRange(0, 4))};
  world.scene.base.old = {{.name = "old", .replicas = replicas}};
  for (int i = 0; i < replicas; ++i) world.Add("old");
  world.RunSets();
  const Limits limits = ResolveLimits(world.scene.base.deployment);

  for (int round = 0; round < 200; ++round) {
    world.Act(PlanInPlace(world.scene));
    RC_ASSERT(world.Available() >= limits.MinAvailable(replicas));
    for (Machine& machine : world.scene.machines) {
      InPlace& state = machine.in_place;
      if (!state.selected || state.succeeded) continue;
      if (machine.phase != Phase::kUpdating) {  // drained, and so not available
        machine.phase = Phase::kUpdating;
        machine.available = false;
      } else if (*rc::gen::arbitrary<bool>()) {
        machine.phase = Phase::kRunning;
        machine.available = state.succeeded = true;
      }
    }
    RC_ASSERT(world.Available() >= limits.MinAvailable(replicas));
    world.RunSets();
    RC_ASSERT(static_cast<int>(world.scene.machines.size()) <= limits.MaxTotal(replicas));
  }
  RC_ASSERT(world.CountOf("new") == replicas);
  RC_ASSERT(world.CountOf("old") == 0);
}

}  // namespace
}  // namespace millwright::core::stepwise
