// Controllers crash at any time; the cloud must come out right.
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/simulated/testing.h"

namespace millwright::providers {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ClassOf;
using testing::Controller;
using ::testing::IsEmpty;
using testing::MachineNamed;
using testing::SimulatedWorld;

// Makes the machine, knowing nothing of what was done before it started; then removes it.
Task<void> LiveOneLife(Cloud& cloud, Clock& clock, bool& done) {
  while (!co_await cloud.Create(ClassOf(), {.machine = MachineNamed("a")})) {
    co_await SleepFor(clock, seconds(1));
  }
  while (!co_await cloud.Remove(ClassOf(), MachineNamed("a"))) {
    co_await SleepFor(clock, seconds(1));
  }
  done = true;
}

// True if the controller came to its end within that time.
bool RunFor(SimulatedWorld& sim, Duration time) {
  bool done = false;
  Controller& controller = *sim.controller;
  boost::asio::co_spawn(controller.process.executor(),
                        LiveOneLife(controller.cloud, controller.clock, done),
                        boost::asio::detached);
  sim.world.Advance(time);
  return done;
}

EngineOptions SlowCloud() {
  EngineOptions options{.boot = seconds(3), .stop = seconds(5)};
  options.times[IndexOf(CallKind::kCreate)] = {seconds(2), seconds(2)};
  options.times[IndexOf(CallKind::kRemove)] = {seconds(1), seconds(1)};
  return options;
}

struct CrashCase {
  const char* name;
  FaultRule fault;
  Duration life;  // of the machine, if nobody crashes
};

class CrashAnywhere : public ::testing::TestWithParam<CrashCase> {};

TEST_P(CrashAnywhere, MakesNoSecondVmAndLeavesNothingBehind) {
  bool finished = false;
  Duration crash{};
  for (; !finished; crash += milliseconds(250)) {
    SimulatedWorld sim(SlowCloud());
    sim.engine.faults().Add(GetParam().fault);
    finished = RunFor(sim, crash);
    sim.StartController();  // a crash, unless it had finished
    ASSERT_TRUE(RunFor(sim, seconds(100))) << "after a crash at " << FormatDuration(crash);
    ASSERT_THAT(DoubledMachines(sim.engine.history()), IsEmpty()) << FormatDuration(crash);
    ASSERT_THAT(sim.engine.Present(), IsEmpty()) << FormatDuration(crash);
  }
  EXPECT_EQ(crash - milliseconds(250), GetParam().life) << "all of it was tried";
}

const CrashCase kCases[] = {
    {"NoFault", {.times = 0}, seconds(11)},
    {"AnswerOfCreateLost",
     {.kind = CallKind::kCreate,
      .times = 1,
      .code = core::CloudCode::kDeadlineExceeded,
      .point = FaultPoint::kAfter},
     seconds(16)},
    {"CreateHalfDone",
     {.kind = CallKind::kCreate,
      .times = 1,
      .code = core::CloudCode::kInternal,
      .point = FaultPoint::kHalfway},
     seconds(16)},
    // Shorter: a removal that stops halfway has ended the VM at once.
    {"RemoveHalfDone",
     {.kind = CallKind::kRemove,
      .times = 1,
      .code = core::CloudCode::kInternal,
      .point = FaultPoint::kHalfway},
     seconds(9)},
    {"CreateMadeTwo", {.kind = CallKind::kCreate, .times = 1, .duplicate = true}, seconds(11)},
};

INSTANTIATE_TEST_SUITE_P(Table, CrashAnywhere, ::testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

// A controller gone mad: makes, looks for and removes a few machines as it pleases.
Task<void> Wander(Cloud& cloud, Clock& clock, std::uint64_t seed) {
  SeededRandom random(seed);
  while (true) {
    const MachineIdentity machine = MachineNamed(std::to_string(random.Below(3)));
    switch (random.Below(4)) {
      case 0: (void)co_await cloud.Remove(ClassOf(), machine); break;
      case 1: (void)co_await cloud.Get(ClassOf(), machine); break;
      default: (void)co_await cloud.Create(ClassOf(), {.machine = machine});
    }
    co_await SleepFor(clock, milliseconds(random.Below(3000)));
  }
}

void StartWandering(Controller& controller, Random& random) {
  for (int i = 0; i < 3; ++i) {
    boost::asio::co_spawn(controller.process.executor(),
                          Wander(controller.cloud, controller.clock, random.Next()),
                          boost::asio::detached);
  }
}

void AddEveryFault(FaultScript& script) {
  for (const FaultPoint point : {FaultPoint::kBefore, FaultPoint::kHalfway, FaultPoint::kAfter}) {
    script.Add({.probability = 0.15, .code = core::CloudCode::kUnavailable, .point = point});
  }
  script.Add({.probability = 0.3, .delay = seconds(4), .answer_delay = seconds(1)});
  script.Add({.kind = CallKind::kCreate, .probability = 0.1, .duplicate = true});
}

TEST(Crashes, WhateverTwoLeadersDoAMachineHasOneVmAndCanBeRemovedWhole) {
  std::size_t made = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SeededRandom random(seed);
    SimulatedWorld sim(SlowCloud());
    AddEveryFault(sim.engine.faults());
    std::optional<Controller> second;
    for (int round = 0; round < 10; ++round) {
      std::optional<Controller>& restarted = random.Below(2) == 0 ? sim.controller : second;
      restarted.emplace(sim.world, sim.engine);
      StartWandering(*restarted, random);
      sim.world.Advance(milliseconds(random.Below(20000)));
    }
    second.reset();
    sim.StartController();
    sim.engine.faults().Clear();
    sim.world.Advance(seconds(60));  // what is under way comes to its end
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(sim.Remove(MachineNamed(std::to_string(i))));
    ASSERT_THAT(DoubledMachines(sim.engine.history()), IsEmpty()) << "seed " << seed;
    ASSERT_THAT(sim.engine.Present(), IsEmpty()) << "seed " << seed;
    for (const CloudEvent& event : sim.engine.history()) {
      made += event.kind == EventKind::kCreated ? 1 : 0;
    }
  }
  EXPECT_GT(made, 1000u) << "or nothing was tried";
}

}  // namespace
}  // namespace millwright::providers
