// A cloud that begins anew under machines that remember their instances; and how calls are
// measured.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/metered.h"
#include "providers/simulated/testing.h"

namespace millwright::providers {
namespace {

using testing::ClassOf;
using ::testing::ElementsAre;
using testing::MachineNamed;
using testing::SimulatedWorld;

void Restore(SimulatedWorld& sim, const std::string& name, const std::string& id) {
  MachineIdentity machine = MachineNamed(name);
  machine.instance = id;
  sim.controller->cloud.Restore(*ClassOf(R"({"labels":{"disk":"fast"}})"), machine, "");
}

TEST(RestoreTest, TheMachineFindsItsInstanceAgainAndMakesNoOther) {
  SimulatedWorld sim;
  Restore(sim, "a", "simulated:///zone-1/1");
  EXPECT_EQ(sim.Get("a")->id, "simulated:///zone-1/1");
  EXPECT_EQ(sim.Create("a")->id, "simulated:///zone-1/1");
  EXPECT_EQ(sim.engine.live(), 1u);
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_EQ(sim.engine.live(), 0u);
}

TEST(RestoreTest, WhatIsThereIsLeftAlone) {
  SimulatedWorld sim;
  const Instance made = *sim.Create("a");
  Restore(sim, "a", made.id);
  EXPECT_EQ(sim.engine.live(), 1u);
}

TEST(RestoreTest, ItsNodeJoinsAgain) {
  SimulatedWorld sim;
  Restore(sim, "a", "simulated:///zone-1/1");
  sim.engine.Advance();
  const auto task = sim.engine.TakeNodeTask();
  ASSERT_TRUE(task);
  EXPECT_EQ(task->vm->node, "a");
  EXPECT_EQ(task->vm->spec->labels.at("disk"), "fast");
}

TEST(MeteredCloudTest, EveryCallIsToldWithItsMachineAndItsFailure) {
  SimulatedWorld sim;
  std::vector<std::string> told;
  MeteredCloud cloud("simulated", sim.controller->cloud, sim.controller->clock,
                     [&](const CloudCallReport& report) {
                       told.push_back(std::string(report.provider) + " " +
                                      (report.machine != nullptr ? report.machine->name : "-") +
                                      (report.error != nullptr ? " failed" : ""));
                     });
  EXPECT_TRUE(sim.Run(cloud.Create(ClassOf(), {.machine = MachineNamed("a")})));
  EXPECT_FALSE(sim.Run(cloud.Get(ClassOf(), MachineNamed("b"))));
  EXPECT_TRUE(sim.Run(cloud.List(ClassOf())));
  EXPECT_TRUE(sim.Run(cloud.Remove(ClassOf(), MachineNamed("a"))));
  EXPECT_THAT(told, ElementsAre("simulated a", "simulated b failed", "simulated -", "simulated a"));
}

}  // namespace
}  // namespace millwright::providers
