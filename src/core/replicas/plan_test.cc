#include "core/replicas/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/testing/builders.h"
#include "core/testing/policies.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

ReplicaPlan Gardener(const MachineSet& set, const std::vector<Machine>& machines) {
  return PlanReplicas(set, machines, GardenerReplicas(), kNow);
}

ReplicaPlan ClusterApi(const MachineSet& set, const std::vector<Machine>& machines) {
  return PlanReplicas(set, machines, ClusterApiReplicas(), kNow);
}

std::vector<std::string> Removed(const ReplicaPlan& plan) {
  std::vector<std::string> names;
  for (const Removal& removal : plan.remove) names.push_back(removal.name);
  return names;
}

TEST(Replicas, Gardener_13_098_CreatesWhatIsMissing) {
  EXPECT_EQ(Gardener(SetOf(3), RunningMachines(2)), (ReplicaPlan{.create = 1}));
}

TEST(Replicas, Gardener_13_098_AtMostAHundredInOnePass) {
  EXPECT_EQ(Gardener(SetOf(200), {}), (ReplicaPlan{.create = 100}));
}

TEST(Replicas, Gardener_13_099_RemovesTheSurplus) {
  EXPECT_THAT(
      Gardener(SetOf(1), RunningMachines(3)).remove,
      ElementsAre(Removal{"m1", RemovalReason::kSurplus}, Removal{"m2", RemovalReason::kSurplus}));
}

TEST(Replicas, Gardener_13_099_RemovesAFailedMachineAlsoWhenTheNumberFits) {
  std::vector<Machine> machines = RunningMachines(2);
  machines.push_back(InPhase(Phase::kFailed, "bad"));
  EXPECT_THAT(Gardener(SetOf(3), machines).remove,
              ElementsAre(Removal{"bad", RemovalReason::kFailed}));
  EXPECT_THAT(Removed(Gardener(SetOf(2), machines)), ElementsAre("bad"));
}

TEST(Replicas, Gardener_13_100_RemovesWhatTheScalerNamedInAChangeWeHeardOf) {
  std::vector<Machine> machines = RunningMachines(4);
  for (const int index : {1, 3}) {
    machines[index].disposal = {.chosen = true, .priority = 1, .marked_at = kNow - 1min};
  }
  MachineSet set = SetOf(4);
  EXPECT_THAT(Removed(Gardener(set, machines)), IsEmpty());
  set.scaler_time = kNow - 2min;
  EXPECT_THAT(Removed(Gardener(set, machines)), IsEmpty());
  set.scaler_time = kNow;
  EXPECT_THAT(Removed(Gardener(set, machines)), ElementsAre("m2", "m4"));
  set.replicas = 2;
  EXPECT_THAT(Removed(Gardener(set, machines)), ElementsAre("m2", "m4"));
  set.replicas = 3;
  EXPECT_THAT(Removed(Gardener(set, machines)), ElementsAre("m2", "m4"));
}

TEST(Replicas, Gardener_13_101_OneThatCameUpdatedCountsAndIsNotTouched) {
  std::vector<Machine> machines = RunningMachines(3);
  machines[0].in_place.handed_over = true;
  machines[0].disposal.priority = -1;
  EXPECT_THAT(Removed(Gardener(SetOf(2), machines)), IsEmpty());
  EXPECT_EQ(Gardener(SetOf(3), machines).create, 0);
  EXPECT_THAT(Removed(Gardener(SetOf(1), machines)), ElementsAre("m2"));
}

TEST(Replicas, Gardener_13_102_ASetThatGoesTakesAllItsMachinesAlong) {
  MachineSet set = SetOf(3);
  set.deleting = true;
  EXPECT_THAT(
      Gardener(set, {Running("a"), Deleting(Running("b")), InPhase(Phase::kFailed, "c")}).remove,
      ElementsAre(Removal{"a", RemovalReason::kSetGoes}, Removal{"c", RemovalReason::kSetGoes}));
}

TEST(Replicas, Gardener_13_105_SlowStartDoublesItsBatches) {
  EXPECT_THAT(SlowStartBatches(0), IsEmpty());
  EXPECT_THAT(SlowStartBatches(1), ElementsAre(1));
  EXPECT_THAT(SlowStartBatches(10), ElementsAre(1, 2, 4, 3));
}

TEST(Replicas, Gardener_13_106_APreservedOneGoesOnlyIfNeeded) {
  std::vector<Machine> machines = RunningMachines(2);
  machines[0].preservation = {.wish = PreserveWish::kNow, .until = kNow + 1h};
  EXPECT_THAT(Removed(Gardener(SetOf(1), machines)), ElementsAre("m2"));
  EXPECT_THAT(Removed(Gardener(SetOf(0), machines)), ElementsAre("m2", "m1"));
}

TEST(Replicas, Gardener_13_110_AFrozenSetOnlyShrinks) {
  MachineSet set = SetOf(3);
  set.frozen = true;
  EXPECT_EQ(Gardener(set, RunningMachines(2)), (ReplicaPlan{.hold = CreationHold::kFrozen}));
  EXPECT_THAT(Removed(Gardener(set, RunningMachines(4))), ElementsAre("m1"));
}

TEST(Replicas, OneThatIsGoingIsReplacedAtOnceWhereItDoesNotCount) {
  EXPECT_EQ(Gardener(SetOf(2), {Running("a"), InPhase(Phase::kDeleting, "b")}).create, 1);
  // The mark alone is enough: had we waited for the phase, a second one could have been chosen.
  EXPECT_THAT(Removed(Gardener(SetOf(1), {Running("a"), Deleting(Running("b"))})), IsEmpty());
}

TEST(Replicas, NegativeSizesAreNone) {
  EXPECT_THAT(Removed(Gardener(SetOf(-1), {Running("a")})), ElementsAre("a"));
}

struct KeptCase {
  const char* name;
  Preservation preservation;
  bool goes;
};

// Whether a failed machine is taken away; the rows of 8.2.5.
const KeptCase kKept[] = {
    {"NothingSaid", {}, true},
    {"HeldNow", {PreserveWish::kNow, kNow + 1h}, false},
    {"HeldThoughTheWishIsGone", {PreserveWish::kNone, kNow + 1h}, false},
    {"HeldUntilNow", {PreserveWish::kNow, kNow}, true},
    {"HeldBefore", {PreserveWish::kWhenFailed, kNow - 1h}, true},
    {"AboutToBeHeldNow", {PreserveWish::kNow, std::nullopt}, false},
    {"AboutToBeHeldWhenFailed", {PreserveWish::kWhenFailed, std::nullopt}, false},
    {"AboutToBeHeldByQuota", {PreserveWish::kAutomatic, std::nullopt}, false},
    {"NotWanted", {PreserveWish::kNever, std::nullopt}, true},
};

class KeptTest : public ::testing::TestWithParam<KeptCase> {};

TEST_P(KeptTest, Gardener_13_109_DecidesWhetherAFailedMachineGoes) {
  Machine machine = InPhase(Phase::kFailed, "bad");
  machine.preservation = GetParam().preservation;
  EXPECT_EQ(Gardener(SetOf(1), {machine}).remove.size(), GetParam().goes ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(All, KeptTest, ::testing::ValuesIn(kKept),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Replicas, Capi_12_107_DisabledCreationStillShrinks) {
  MachineSet set = SetOf(3);
  set.creation_disabled = true;
  EXPECT_EQ(ClusterApi(set, RunningMachines(2)), (ReplicaPlan{.hold = CreationHold::kDisabled}));
  EXPECT_THAT(Removed(ClusterApi(set, RunningMachines(4))), ElementsAre("m1"));
}

TEST(Replicas, Capi_12_113_OneThatIsGoingSatisfiesItsShare) {
  const std::vector<Machine> machines = {Running("a"), Running("b"), Deleting(Running("c"))};
  EXPECT_THAT(Removed(ClusterApi(SetOf(2), machines)), IsEmpty());
  EXPECT_THAT(Removed(ClusterApi(SetOf(1), machines)), ElementsAre("a"));
  EXPECT_EQ(ClusterApi(SetOf(3), machines), ReplicaPlan{});
}

TEST(Replicas, Capi_12_115_NoneForNoSurplusAndAllForAll) {
  EXPECT_EQ(ClusterApi(SetOf(2), RunningMachines(2)), ReplicaPlan{});
  EXPECT_THAT(Removed(ClusterApi(SetOf(0), RunningMachines(2))), ElementsAre("m1", "m2"));
}

TEST(Replicas, ClusterApiKeepsFailedMachines) {
  EXPECT_EQ(ClusterApi(SetOf(1), {InPhase(Phase::kFailed, "bad")}), ReplicaPlan{});
}

TEST(Replicas, ClusterApiHasNoBurstLimit) { EXPECT_EQ(ClusterApi(SetOf(500), {}).create, 500); }

Machine AnyMachine(int number) {
  Machine machine =
      InPhase(*rc::gen::element(Phase::kNew, Phase::kFailed, Phase::kRunning, Phase::kDeleting),
              "m" + std::to_string(number));
  if (*rc::gen::inRange(0, 4) == 0) machine.deleting_since = kNow;
  machine.in_place.handed_over = *rc::gen::inRange(0, 4) == 0;
  machine.disposal.chosen = *rc::gen::inRange(0, 4) == 0;
  if (machine.disposal.chosen) machine.disposal.marked_at = kNow;
  return machine;
}

RC_GTEST_PROP(ReplicaBursts, AreTheBeginningOfWhatWouldGoWithoutALimit, ()) {
  ReplicaPolicy policy = *rc::gen::arbitrary<bool>() ? GardenerReplicas() : ClusterApiReplicas();
  MachineSet set = SetOf(*rc::gen::inRange(0, 4));
  std::vector<Machine> machines;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) machines.push_back(AnyMachine(i));
  set.scaler_time = kNow;
  policy.burst = std::nullopt;
  std::vector<Removal> all = PlanReplicas(set, machines, policy, kNow).remove;
  policy.burst = *rc::gen::inRange(0, 12);
  all.resize(std::min<size_t>(all.size(), *policy.burst));
  RC_ASSERT(PlanReplicas(set, machines, policy, kNow).remove == all);
  std::ranges::reverse(machines);
  RC_ASSERT(PlanReplicas(set, machines, policy, kNow).remove == all);
}

// One pass after the other with everything that was planned done: the set reaches its size and
// rests.
RC_GTEST_PROP(ReplicaPasses, EndAtTheWishedNumberAndNeverOvershoot, ()) {
  const bool gardener = *rc::gen::arbitrary<bool>();
  const ReplicaPolicy policy = gardener ? GardenerReplicas() : ClusterApiReplicas();
  MachineSet set = SetOf(*rc::gen::inRange(0, 8));
  std::vector<Machine> machines;
  const int count = *rc::gen::inRange(0, 12);
  for (int i = 0; i < count; ++i) machines.push_back(AnyMachine(i));
  const size_t most = std::max<size_t>(machines.size(), static_cast<size_t>(set.replicas));

  int next = 100;
  int passes = 0;
  for (;; ++passes) {
    RC_ASSERT(passes < 5);
    // Whatever is going is gone by the next pass, whatever came is settled.
    std::erase_if(machines, [](const Machine& machine) { return machine.IsDeleting(); });
    for (Machine& machine : machines) machine.in_place.handed_over = false;
    const ReplicaPlan plan = PlanReplicas(set, machines, policy, kNow);
    RC_ASSERT(plan.create == 0 || plan.remove.empty());
    if (plan == ReplicaPlan{}) break;
    for (int i = 0; i < plan.create; ++i) machines.push_back(Running("m" + std::to_string(next++)));
    for (Machine& machine : machines) {
      for (const Removal& removal : plan.remove) {
        if (removal.name == machine.name) machine.deleting_since = kNow;
      }
    }
    RC_ASSERT(machines.size() <= most);
  }
  RC_ASSERT(static_cast<int>(machines.size()) == set.replicas);
}

}  // namespace
}  // namespace millwright::core
