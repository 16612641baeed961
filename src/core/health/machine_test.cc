#include "core/health/machine.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using namespace testing;

const HealthLimits kLimits{.join = 20min, .health = 10min, .update = 20min};

HealthView In(Phase phase, Duration for_so_long = 1min) {
  return {.phase = phase,
          .created = kNow - 1h,
          .phase_since = kNow - for_so_long,
          .node_exists = true,
          .had_node = true,
          .node_well = true};
}

HealthView Unwell(HealthView view) {
  view.node_well = false;
  return view;
}

HealthView Nodeless(HealthView view) {
  view.node_exists = view.node_well = false;
  return view;
}

HealthView Held(HealthView view) {
  view.node_held = true;
  return view;
}

HealthView Aged(HealthView view, Duration age) {
  view.created = kNow - age;
  return view;
}

HealthView Reported(HealthView view, UpdateResult result) {
  view.update_result = result;
  return view;
}

struct Case {
  const char* name;
  HealthView machine;
  HealthPlan want;
};

HealthPlan Says(HealthEvent event) { return {.event = event}; }

const Case kCases[] = {
    {"Gardener_13_006_TooLongOnItsWay", Nodeless(Aged(In(Phase::kJoining), 21min)),
     Says(HealthEvent::kJoinTimedOut)},
    {"Gardener_13_007_CountedFromItsCreation", Nodeless(Aged(In(Phase::kJoining, 1min), 21min)),
     Says(HealthEvent::kJoinTimedOut)},
    {"Gardener_13_008_StillOnItsWay",
     Nodeless(Aged(In(Phase::kJoining), 5min)),
     {.look_again = kNow + 15min}},
    {"Gardener_13_009_WellAgain", In(Phase::kUnhealthy), Says(HealthEvent::kRecovered)},
    {"Gardener_13_010_NotReporting", Unwell(In(Phase::kRunning)), Says(HealthEvent::kBecameUnwell)},
    {"Gardener_13_012_NodeGone", Nodeless(In(Phase::kRunning)), Says(HealthEvent::kNodeLost)},
    {"Gardener_13_013_UnwellTooLong", Unwell(In(Phase::kUnhealthy, 11min)),
     Says(HealthEvent::kUnwellTooLong)},
    {"Gardener_13_013_GoneTooLong", Nodeless(In(Phase::kUnhealthy, 11min)),
     Says(HealthEvent::kUnwellTooLong)},
    {"UnwellForAWhile", Unwell(In(Phase::kUnhealthy, 4min)), {.look_again = kNow + 6min}},
    {"Gardener_13_015_WellButHeldStaysOnItsWay",
     Held(Aged(In(Phase::kJoining), 5min)),
     {.look_again = kNow + 15min}},
    {"HeldForTooLongIsTooLong", Held(Aged(In(Phase::kJoining), 21min)),
     Says(HealthEvent::kJoinTimedOut)},
    {"Gardener_13_016_Joined", In(Phase::kJoining), Says(HealthEvent::kJoined)},
    {"Gardener_13_017_HeldDoesNotKeepARecoveredOneBack", Held(In(Phase::kUnhealthy)),
     Says(HealthEvent::kRecovered)},
    {"Gardener_13_018_UpdateTooLong", In(Phase::kUpdating, 21min),
     Says(HealthEvent::kUpdateTimedOut)},
    {"UpdateStillGoing", Unwell(In(Phase::kUpdating, 5min)), {.look_again = kNow + 15min}},
    {"Gardener_13_019_UpdateSucceeded",
     Reported(In(Phase::kUpdating, 21min), UpdateResult::kSucceeded),
     Says(HealthEvent::kUpdateSucceeded)},
    {"Gardener_13_019_UpdateFailed", Reported(In(Phase::kUpdating), UpdateResult::kFailed),
     Says(HealthEvent::kUpdateFailed)},
    {"AFailedUpdateMaySucceedLater", Reported(In(Phase::kUpdateFailed), UpdateResult::kSucceeded),
     Says(HealthEvent::kUpdateSucceeded)},
    {"Gardener_13_020_FailedUpdateTooLong", In(Phase::kUpdateFailed, 11min),
     Says(HealthEvent::kUnwellTooLong)},
    {"RunningAndWellNeedsNothing", In(Phase::kRunning), {}},
    {"AnUpdatedOneIsWellAgain", In(Phase::kUpdated), Says(HealthEvent::kRecovered)},
    {"AFailedOneMayRecover", In(Phase::kFailed), Says(HealthEvent::kRecovered)},
    {"ANewOneHasNoHealth", In(Phase::kNew), {}},
    {"NorOneThatIsGoing", Nodeless(In(Phase::kDeleting)), {}},
};

class HealthTest : public ::testing::TestWithParam<Case> {};

TEST_P(HealthTest, Follows) {
  EXPECT_EQ(PlanHealth(GetParam().machine, kLimits, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, HealthTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Health, Gardener_13_014_NeverFailsForHealthIfToldSo) {
  HealthLimits limits = kLimits;
  limits.never_fail_for_health = true;
  EXPECT_EQ(PlanHealth(Unwell(In(Phase::kUnhealthy, 11h)), limits, kNow), HealthPlan{});
  // 20: the same after a failed update.
  EXPECT_EQ(PlanHealth(In(Phase::kUpdateFailed, 11h), limits, kNow), HealthPlan{});
}

TEST(Health, Gardener_13_011_AWatchedConditionMakesItUnwell) {
  const HealthPlan plan = PlanHealth(Unwell(In(Phase::kRunning)), kLimits, kNow);
  EXPECT_EQ(PhaseAfter(plan.event, Phase::kRunning), Phase::kUnhealthy);
}

TEST(Health, B_12_ANodeThatFlapsDoesNotPostponeTheTimeOut) {
  // Its conditions may have changed a second ago: only the time in the phase counts.
  EXPECT_EQ(PlanHealth(Unwell(In(Phase::kUnhealthy, 10min)), kLimits, kNow),
            Says(HealthEvent::kUnwellTooLong));
}

// Whatever is seen, a machine is looked at again before its time-out passes unnoticed.
RC_GTEST_PROP(HealthTimes, ATimeOutIsEitherDueOrScheduled, ()) {
  HealthView view = In(*rc::gen::element(Phase::kJoining, Phase::kUnhealthy, Phase::kUpdating),
                       1min * *rc::gen::inRange(0, 40));
  view.created = kNow - 1min * *rc::gen::inRange(0, 40);
  view.node_exists = view.node_well = *rc::gen::arbitrary<bool>();
  view.node_held = *rc::gen::arbitrary<bool>();
  const HealthPlan plan = PlanHealth(view, kLimits, kNow);
  RC_ASSERT(plan.event != HealthEvent::kNone || plan.look_again > kNow);
  if (plan.look_again)
    RC_ASSERT(PlanHealth(view, kLimits, *plan.look_again).event != HealthEvent::kNone);
}

struct SiblingCase {
  const char* name;
  Machine sibling;
  bool may;
};

Machine Kept(Machine machine) {
  machine.preservation.until = kNow + 1h;
  return machine;
}

const SiblingCase kSiblings[] = {
    {"Gardener_13_022_AnotherUnwellOne", InPhase(Phase::kUnhealthy, "other"), true},
    {"ARunningOne", Running("other"), true},
    {"Gardener_13_023_AFailedOne", InPhase(Phase::kFailed, "other"), false},
    {"Gardener_13_023_OneThatIsGoing", InPhase(Phase::kDeleting, "other"), false},
    {"Gardener_13_023_ANewOne", InPhase(Phase::kNew, "other"), false},
    {"Gardener_13_024_OneOnItsWay", InPhase(Phase::kJoining, "other"), false},
    {"Gardener_13_023_OneTheCloudRefuses", InPhase(Phase::kCreateFailing, "other"), false},
    {"Gardener_13_026_AFailedOneThatIsKept", Kept(InPhase(Phase::kFailed, "other")), true},
    {"AKeptOneThatIsGoing", Kept(InPhase(Phase::kDeleting, "other")), false},
    {"AnUnwellOneThatIsGoing", Deleting(InPhase(Phase::kUnhealthy, "other")), false},
};

class SiblingTest : public ::testing::TestWithParam<SiblingCase> {};

TEST_P(SiblingTest, MayHoldUpAReplacement) {
  const Machine candidate = InPhase(Phase::kUnhealthy, "candidate");
  EXPECT_EQ(MayReplace(candidate, {{candidate, GetParam().sibling}}, 1), GetParam().may);
}

INSTANTIATE_TEST_SUITE_P(All, SiblingTest, ::testing::ValuesIn(kSiblings),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Replacement, Gardener_13_021_OtherDeploymentsDoNotMatter) {
  EXPECT_TRUE(MayReplace(InPhase(Phase::kUnhealthy, "candidate"), {}, 1));
}

TEST(Replacement, B_21_TheCandidateIsNotCountedAgainstItself) {
  const Machine candidate = InPhase(Phase::kUpdateFailed, "candidate");
  EXPECT_TRUE(MayReplace(candidate, {{candidate}}, 1));
}

TEST(Replacement, MoreAtOnceIfToldSo) {
  const Machine candidate = InPhase(Phase::kUnhealthy, "candidate");
  EXPECT_TRUE(MayReplace(candidate, {{InPhase(Phase::kFailed, "a")}}, 2));
  EXPECT_FALSE(
      MayReplace(candidate, {{InPhase(Phase::kFailed, "a"), InPhase(Phase::kFailed, "b")}}, 2));
}

}  // namespace
}  // namespace millwright::core
