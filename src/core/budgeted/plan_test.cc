#include "core/budgeted/plan.h"

#include <gtest/gtest.h>

#include "core/budgeted/draft.h"
#include "core/budgeted/testing.h"

namespace millwright::core::budgeted {
namespace {

using SizeMap = std::map<std::string, int>;

struct Case {
  const char* name;
  Deployment deployment;
  MachineSet current;
  std::vector<MachineSet> old;
  SizeMap want;
};

const Case kCases[] = {
    {"Capi_12_130_OneBecameAvailableSoOneGoes",
     Rolling(3, 1, 0),
     Set("new", 1),
     {Set("old", 3)},
     {{"new", 1}, {"old", 2}}},
    // The current set is full here, so that only the old one can change.
    {"Capi_12_130_NotBelowTheMinimum",
     Rolling(3, 1, 0),
     Set("new", 1),
     {Set("old", 2)},
     {{"new", 2}, {"old", 2}}},
    {"Capi_12_130_NorWhenOneIsUnavailable",
     Rolling(3, 1, 0),
     Set("new", 1),
     {Set("old", 2, 2, 1)},
     {{"new", 2}, {"old", 2}}},
    {"Capi_12_131_WhatIsGoingCounts",
     Rolling(3, 1, 0),
     Set("new", 1),
     {Set("old", 2, 3, 3)},
     {{"new", 1}, {"old", 2}}},
    {"Capi_12_132_WhatDoesNotExistYetIsNotAvailable",
     Rolling(6, 3, 1),
     Set("new", 3, 0, 0),
     {Set("ms1", 2, 3, 3), Set("ms2", 3)},
     {{"new", 3}, {"ms1", 2}, {"ms2", 3}}},
    {"Capi_12_133_ABrokenNewRevisionStopsTheRollout",
     Rolling(3, 1, 0),
     Set("new", 1, 1, 0),
     {Set("old", 3, 3, 0)},
     {{"new", 1}, {"old", 3}}},
    {"Capi_12_133_AlsoWithoutSurge",
     Rolling(3, 0, 1),
     Set("new", 1, 1, 0),
     {Set("old", 2, 2, 0)},
     {{"new", 1}, {"old", 2}}},
    {"Capi_12_134_SetsWithoutAnyAvailableGoFirst",
     Rolling(6, 3, 1),
     Set("new", 3),
     {Set("ms1", 2), Set("ms2", 1, 1, 0), Set("ms3", 2, 2, 0)},
     {{"new", 4}, {"ms1", 2}, {"ms2", 0}, {"ms3", 0}}},
    {"Capi_12_134_AndThenAnAvailableOne",
     Rolling(6, 3, 1),
     Set("new", 3),
     {Set("ms1", 3), Set("ms2", 1, 1, 0), Set("ms3", 2, 2, 0)},
     {{"new", 3}, {"ms1", 2}, {"ms2", 0}, {"ms3", 0}}},
    {"Capi_12_135_WishesWithoutMachinesAreFree",
     Rolling(3, 1, 0),
     Set("new", 0),
     {Set("old", 4, 3, 3)},
     {{"new", 0}, {"old", 3}}},
    {"Capi_12_136_MoreMachinesThanWished",
     Rolling(4, 1, 1),
     Set("new", 2),
     {Set("old", 3, 4, 4)},
     {{"new", 2}, {"old", 2}}},
    {"Capi_12_137_TheNewSetGrowsToTheWish", Rolling(2, 1, 0), Set("new", 0), {}, {{"new", 2}}},
    {"Capi_12_137_AndShrinksToItAtOnce", Rolling(0, 1, 0), Set("new", 2), {}, {{"new", 0}}},
    {"Capi_12_137_SurgeLimitsTheNewSet",
     Rolling(3, 2, 0),
     Set("new", 0),
     {Set("old", 3)},
     {{"new", 2}, {"old", 3}}},
    {"Capi_12_137_MachinesThatAreGoingTakeRoom",
     Rolling(3, 2, 0),
     Set("new", 1, 1, 0),
     {Set("old", 0, 4, 4)},
     {{"new", 1}, {"old", 0}}},
    {"AShrinkingSetIsAssumedToLoseItsAvailableMachines",
     Rolling(5, 1, 0),
     Set("new", 5),
     {Set("old", 5, 5, 3)},
     {{"new", 5}, {"old", 3}}},
    {"NothingToDoAtTheEnd",
     Rolling(3, 1, 0),
     Set("new", 3),
     {Set("old", 0)},
     {{"new", 3}, {"old", 0}}},
    {"APercentageOfTheSize",
     {.replicas = 10, .max_surge = Amount::Percent(25), .max_unavailable = Amount::Percent(25)},
     Set("new", 0),
     {Set("old", 10)},
     {{"new", 3}, {"old", 8}}},
};

class RollingTest : public testing::TestWithParam<Case> {};

TEST_P(RollingTest, GivesSizes) {
  const Case& c = GetParam();
  EXPECT_EQ(Sizes(PlanRollingUpdate({c.deployment, c.current, c.old, {}})), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, RollingTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

// Steps by themselves, for what the spec says of one step alone.
struct StepCase {
  const char* name;
  Deployment deployment;
  MachineSet current;
  std::optional<int> current_intent;
  std::vector<MachineSet> old;
  std::optional<int> old_intent;  // of the first
  SizeMap want;
};

SizeMap SizesAfter(const StepCase& c, void (*step)(Draft&)) {
  const Scene scene{c.deployment, c.current, c.old, {}};
  Draft draft(scene);
  draft.current.intent = c.current_intent;
  if (c.old_intent) draft.old[0].intent = c.old_intent;
  step(draft);
  return Sizes(draft.Finish());
}

const StepCase kShrinks[] = {
    {"Capi_12_136_MachinesAboveTheSizeAreGoing",
     Rolling(3, 1, 0),
     Set("new", 2),
     {},
     {Set("old", 3, 4, 4)},
     {},
     {{"new", 2}, {"old", 2}}},
    {"Capi_12_136_AShrinkingNewSetCounts",
     Rolling(3, 1, 0),
     Set("new", 2),
     1,
     {Set("old", 3)},
     {},
     {{"new", 1}, {"old", 2}}},
    {"Capi_12_136_WhatWasDecidedForTheOldSetCounts",
     Rolling(3, 1, 0),
     Set("new", 2),
     {},
     {Set("old", 3)},
     2,
     {{"new", 2}, {"old", 1}}},
};

class ShrinkTest : public testing::TestWithParam<StepCase> {};

TEST_P(ShrinkTest, ShrinksWithinTheBudget) {
  EXPECT_EQ(SizesAfter(GetParam(), ShrinkOldSets), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ShrinkTest, testing::ValuesIn(kShrinks),
                         [](const auto& test) { return std::string(test.param.name); });

const StepCase kDeadlocks[] = {
    {"Capi_12_139_NothingMovesSoOneGoes",
     Rolling(5, 1, 0),
     Set("new", 5),
     {},
     {Set("old", 5, 5, 3)},
     {},
     {{"new", 5}, {"old", 4}}},
    {"Capi_12_139_NotWhileSomethingWasDecided",
     Rolling(5, 1, 0),
     Set("new", 5),
     5,
     {Set("old", 5, 5, 3)},
     {},
     {{"new", 5}, {"old", 5}}},
    {"Capi_12_139_NotWhileASetGrowsOrShrinks",
     Rolling(5, 1, 0),
     Set("new", 5),
     {},
     {Set("old", 5, 6, 3)},
     {},
     {{"new", 5}, {"old", 5}}},
    {"Capi_12_139_NotWhileTheNewOnesAreUnavailable",
     Rolling(5, 1, 0),
     Set("new", 5, 5, 4),
     {},
     {Set("old", 5, 5, 3)},
     {},
     {{"new", 5}, {"old", 5}}},
    {"Capi_12_139_NotIfAllOldOnesAreAvailable",
     Rolling(5, 1, 0),
     Set("new", 5),
     {},
     {Set("old", 5)},
     {},
     {{"new", 5}, {"old", 5}}},
    {"Capi_12_139_TheFirstSetThatHasOne",
     Rolling(5, 1, 0),
     Set("new", 5),
     {},
     {Set("a", 1), Set("b", 2, 2, 0), Set("c", 2, 2, 0)},
     {},
     {{"new", 5}, {"a", 1}, {"b", 1}, {"c", 2}}},
};

class DeadlockTest : public testing::TestWithParam<StepCase> {};

TEST_P(DeadlockTest, TakesOneStepIfNothingElseMoves) {
  EXPECT_EQ(SizesAfter(GetParam(), BreakDeadlock), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, DeadlockTest, testing::ValuesIn(kDeadlocks),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(RollingReasons, SayWhyEachSetChanges) {
  const Plan plan = PlanRollingUpdate({Rolling(6, 3, 1), Set("new", 3), {Set("old", 5)}, {}});
  using Kind = RolloutReason::Kind;
  ASSERT_EQ(plan.current.reasons.size(), 1u);
  EXPECT_EQ(plan.current.reasons[0], (RolloutReason{Kind::kRoomForMore, 8, 6, 3, {}}));
  ASSERT_EQ(plan.old[0].reasons.size(), 1u);
  EXPECT_EQ(plan.old[0].reasons[0], (RolloutReason{Kind::kEnoughAvailable, 8, 5, 0, {}}));
}

}  // namespace
}  // namespace millwright::core::budgeted
