#include "core/replicas/hand_over.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/replicas/plan.h"
#include "core/testing/builders.h"
#include "core/testing/policies.h"

namespace millwright::core {
namespace {

using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

MachineSet Giving(int replicas) {
  MachineSet set = SetOf(replicas);
  set.moves_to = "new";
  return set;
}

ReplicaPlan Plan(const MachineSet& set, const std::vector<Machine>& machines) {
  return PlanReplicas(set, machines, ClusterApiReplicas(), kNow);
}

TEST(HandOver, MovesTheSurplusInsteadOfRemovingIt) {
  EXPECT_EQ(Plan(Giving(1), RunningMachines(3)), (ReplicaPlan{.move = {"m1", "m2"}}));
}

TEST(HandOver, Capi_12_122_WhatIsToBeReplacedGoesInstead) {
  std::vector<Machine> machines = RunningMachines(3);
  machines[1].unhealthy = machines[1].to_be_remediated = true;
  EXPECT_EQ(Plan(Giving(1), machines),
            (ReplicaPlan{.remove = {{"m2", RemovalReason::kToBeRemediated}}, .move = {"m1"}}));
}

TEST(HandOver, Capi_12_122_WhatHasNoNodeStaysAndIsNotCounted) {
  std::vector<Machine> machines = RunningMachines(2);
  machines[0].has_node = false;
  EXPECT_EQ(Plan(Giving(1), machines), (ReplicaPlan{.move = {"m2"}}));
}

TEST(HandOver, Capi_12_122_WhatIsGoingCounts) {
  EXPECT_EQ(Plan(Giving(1), {Running("a"), Running("b"), Deleting(Running("c"))}),
            (ReplicaPlan{.move = {"a"}}));
}

TEST(HandOver, Capi_12_122_WhatIsUpdatingIsSkippedForAnother) {
  std::vector<Machine> machines = RunningMachines(3);
  machines[0].in_place.updating = true;
  EXPECT_EQ(Plan(Giving(1), machines), (ReplicaPlan{.move = {"m2", "m3"}}));
}

TEST(HandOver, AMachineNamedForRemovalMovesToo) {
  std::vector<Machine> machines = RunningMachines(2);
  machines[1].disposal.chosen = true;
  EXPECT_EQ(Plan(Giving(1), machines), (ReplicaPlan{.move = {"m2"}}));
}

TEST(HandOver, Capi_12_122_BothSetsMustAgree) {
  EXPECT_FALSE(CheckHandOver("old", "new", {}));
  EXPECT_FALSE(CheckHandOver("old", "new", {.exists = true, .has_revision_label = true}));
  EXPECT_FALSE(CheckHandOver(
      "old", "new", {.exists = true, .receives_from = {"other"}, .has_revision_label = true}));
  EXPECT_FALSE(CheckHandOver("old", "new", {.exists = true, .receives_from = {"old"}}));
  EXPECT_TRUE(CheckHandOver(
      "old", "new", {.exists = true, .receives_from = {"a", "old"}, .has_revision_label = true}));
}

TEST(HandOver, Capi_12_123_WhatIsNotCountedYetIsNoSurplus) {
  std::vector<Machine> machines = RunningMachines(3);
  machines[2].in_place = {.updating = true, .unacknowledged = true};
  MachineSet set = SetOf(2);
  EXPECT_THAT(Plan(set, machines).remove, ElementsAre(Removal{"m3", RemovalReason::kSurplus}));
  set.receives = true;
  EXPECT_THAT(Plan(set, machines).remove, IsEmpty());
  set.replicas = 1;
  // The first to go is still the one in the middle of its change.
  EXPECT_THAT(Plan(set, machines).remove, ElementsAre(Removal{"m3", RemovalReason::kSurplus}));
}

struct ReceiveCase {
  const char* name;
  InPlace in_place;
  bool set_receives;
  bool acknowledged;
  ReceiveStep want;
};

const ReceiveCase kReceives[] = {
    {"NothingToDoForOthers", {}, true, false, ReceiveStep::kNothing},
    {"WaitsToBeCounted",
     {.updating = true, .unacknowledged = true},
     true,
     false,
     ReceiveStep::kWaitToBeCounted},
    {"CountedItStarts",
     {.updating = true, .unacknowledged = true},
     true,
     true,
     ReceiveStep::kForgetAndUpdate},
    {"NobodyWillCountItSoItStarts",
     {.updating = true, .unacknowledged = true},
     false,
     false,
     ReceiveStep::kForgetAndUpdate},
    {"GoesOnWithWhatItForgot", {.updating = true}, true, false, ReceiveStep::kUpdate},
};

class ReceiveTest : public ::testing::TestWithParam<ReceiveCase> {};

TEST_P(ReceiveTest, Capi_12_123_StartsTheUpdateWhenCounted) {
  const ReceiveCase& c = GetParam();
  Machine machine = Running("m");
  machine.in_place = c.in_place;
  EXPECT_EQ(PlanReceive(machine, c.set_receives, c.acknowledged), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, ReceiveTest, ::testing::ValuesIn(kReceives),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::core
