#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/safety/api_guard.h"
#include "core/safety/orphans.h"
#include "core/safety/overshoot.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNow;

struct GuardCase {
  const char* name;
  ApiGuard guard;
  bool reachable;
  ApiGuardStep want;
};

const ApiGuard kFailing{.failing_since = kNow - 10s};
const ApiGuard kElapsed{.failing_since = kNow - 31s};
const ApiGuard kFrozen{.frozen = true, .failing_since = kNow - 1h};

const GuardCase kGuards[] = {
    {"Gardener_13_077_AllWell", {}, true, {{}, false, 1min}},
    {"Gardener_13_077_TheFirstFailureIsRemembered", {}, false, {{false, kNow}, false, 6s}},
    {"Gardener_13_077_NotLongEnough", kFailing, false, {kFailing, false, 6s}},
    {"Gardener_13_077_LongEnough", kElapsed, false, {{true, kElapsed.failing_since}, false, 6s}},
    {"Gardener_13_077_StaysFrozen", kFrozen, false, {kFrozen, false, 6s}},
    {"Gardener_13_077_Thaws", kFrozen, true, {{}, true, 1min}},
    {"B_13_AGoodAnswerForgetsTheFailure", kFailing, true, {{}, false, 1min}},
};

class GuardTest : public ::testing::TestWithParam<GuardCase> {};

TEST_P(GuardTest, FreezesAndThaws) {
  EXPECT_EQ(WatchApi(GetParam().guard, GetParam().reachable, {}, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, GuardTest, ::testing::ValuesIn(kGuards),
                         [](const auto& test) { return std::string(test.param.name); });

struct FreezeCase {
  const char* name;
  OvershootView set;
  FreezeAct want;
};

const FreezeCase kFreezes[] = {
    {"Gardener_13_136_FarTooManyFreezes",
     {.machines = 6, .deployment_replicas = 2, .surge = 1},
     FreezeAct::kFreeze},
    {"Gardener_13_136_AsManyAsTheLimitFreezes",
     {.machines = 5, .deployment_replicas = 2, .surge = 1},
     FreezeAct::kFreeze},
    {"Gardener_13_136_OneFewerDoesNot",
     {.machines = 4, .deployment_replicas = 2, .surge = 1},
     FreezeAct::kNothing},
    {"Gardener_13_136_AndUnfreezes",
     {.machines = 4, .deployment_replicas = 2, .surge = 1, .frozen = true},
     FreezeAct::kUnfreeze},
    {"StaysFrozenAtTheLimit",
     {.machines = 5, .deployment_replicas = 2, .surge = 1, .frozen = true},
     FreezeAct::kNothing},
    {"AloneItMayHaveTwice", {.machines = 7, .set_replicas = 3}, FreezeAct::kNothing},
    {"AndTwoMore", {.machines = 8, .set_replicas = 3}, FreezeAct::kFreeze},
    {"B_11_WithoutSurgeItIsNone", {.machines = 5, .deployment_replicas = 3}, FreezeAct::kFreeze},
    {"APersonMayUnfreeze",
     {.machines = 50, .deployment_replicas = 2, .frozen = true, .unfreeze_asked = true},
     FreezeAct::kUnfreeze},
};

class FreezeTest : public ::testing::TestWithParam<FreezeCase> {};

TEST_P(FreezeTest, Decides) { EXPECT_EQ(DecideFreeze(GetParam().set, {}), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, FreezeTest, ::testing::ValuesIn(kFreezes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Freeze, ADeploymentFollowsItsSets) {
  EXPECT_EQ(DecideDeploymentFreeze(true, false), FreezeAct::kFreeze);
  EXPECT_EQ(DecideDeploymentFreeze(false, true), FreezeAct::kUnfreeze);
  EXPECT_EQ(DecideDeploymentFreeze(true, true), FreezeAct::kNothing);
  EXPECT_EQ(DecideDeploymentFreeze(false, false), FreezeAct::kNothing);
}

const FoundInstance kOld{"id-1", "m", kNow - 1h};

struct OrphanCase {
  const char* name;
  FoundInstance instance;
  std::optional<MachineRecord> machine;
  InstanceVerdict want;
};

const OrphanCase kOrphans[] = {
    {"Gardener_13_078_Nobodys", kOld, {}, InstanceVerdict::kConfirm},
    {"ItsOwn", kOld, MachineRecord{"m", "id-1", Phase::kRunning}, InstanceVerdict::kKeep},
    {"Gardener_13_078_StillBeingMade", kOld, MachineRecord{"m", "", Phase::kCreateFailing},
     InstanceVerdict::kKeep},
    {"Gardener_13_078_AnotherIsRecorded", kOld, MachineRecord{"m", "id-2", Phase::kRunning},
     InstanceVerdict::kConfirm},
    {"NothingRecordedProvesNothing", kOld, MachineRecord{"m", "", Phase::kFailed},
     InstanceVerdict::kKeep},
    {"TooYoungToJudge", {"id-1", "m", kNow - 1min}, {}, InstanceVerdict::kTooYoung},
    {"AgeUnknownIsConfirmed", {"id-1", "m", {}}, {}, InstanceVerdict::kConfirm},
};

class OrphanTest : public ::testing::TestWithParam<OrphanCase> {};

TEST_P(OrphanTest, AreJudged) {
  EXPECT_EQ(JudgeInstance(GetParam().instance, GetParam().machine, 10min, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, OrphanTest, ::testing::ValuesIn(kOrphans),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Orphans, OnlyALiveReadDecides) {
  EXPECT_TRUE(IsOrphan(kOld, std::nullopt));
  EXPECT_FALSE(IsOrphan(kOld, MachineRecord{"m", "id-1", Phase::kRunning}));
  EXPECT_FALSE(IsOrphan(kOld, MachineRecord{"m", "", Phase::kNew}));
  EXPECT_TRUE(IsOrphan(kOld, MachineRecord{"m", "id-2", Phase::kRunning}));
}

TEST(Orphans, APartialViewYieldsNothing) {
  EXPECT_EQ(PlanSweep({{kOld}}, {}, false, {.grace = 10min, .most = 5}, kNow), Sweep{});
}

TEST(Orphans, NoMoreAtOnceThanTheQuota) {
  const FoundInstance other{"id-2", "n", kNow - 1h};
  const Sweep sweep = PlanSweep({{kOld, other}}, {}, true, {.grace = 10min, .most = 1}, kNow);
  EXPECT_THAT(sweep.confirm, ElementsAre(kOld));
  EXPECT_TRUE(sweep.cut_short);
}

TEST(Orphans, B_18_OfSeveralForOneMachineTheOldestStays) {
  EXPECT_THAT(SurplusInstances({{{"b", "m", kNow - 1h}, {"a", "m", kNow - 2h}, {"c", "m", {}}}}),
              ElementsAre("b", "c"));
  EXPECT_THAT(SurplusInstances({{kOld}}), IsEmpty());
}

TEST(Nodes, Gardener_13_080_AreDisownedWhenNoMachineComesForThem) {
  EXPECT_EQ(JudgeNode({.created = kNow - 21min}, 20min, kNow), NodeVerdict::kDisown);
  EXPECT_EQ(JudgeNode({.created = kNow - 19min}, 20min, kNow), NodeVerdict::kLeave);
  EXPECT_EQ(JudgeNode({.disowned = true, .created = kNow - 1h}, 20min, kNow), NodeVerdict::kLeave);
  EXPECT_EQ(JudgeNode({.machines = 1, .disowned = true, .created = kNow - 1h}, 20min, kNow),
            NodeVerdict::kOwn);
  EXPECT_EQ(JudgeNode({.machines = 2, .disowned = true, .created = kNow - 1h}, 20min, kNow),
            NodeVerdict::kLeave);
}

RC_GTEST_PROP(OrphanSweeps, NeverTouchAnInstanceThatSomebodyRecorded, ()) {
  std::vector<FoundInstance> listed;
  std::vector<MachineRecord> machines;
  const int count = *rc::gen::inRange(0, 8);
  for (int i = 0; i < count; ++i) {
    const std::string name = "m" + std::to_string(i);
    listed.push_back({"id-" + name, name, kNow - 1min * *rc::gen::inRange(0, 30)});
    if (*rc::gen::arbitrary<bool>()) machines.push_back({name, "id-" + name, Phase::kRunning});
  }
  const Sweep sweep = PlanSweep(listed, machines, true, {.grace = 10min, .most = 3}, kNow);
  RC_ASSERT(sweep.confirm.size() <= 3u);
  for (const FoundInstance& instance : sweep.confirm) {
    for (const MachineRecord& machine : machines) RC_ASSERT(machine.instance != instance.id);
    RC_ASSERT(kNow - *instance.made >= 10min);
  }
}

}  // namespace
}  // namespace millwright::core
