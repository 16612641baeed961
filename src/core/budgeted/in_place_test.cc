#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/budgeted/draft.h"
#include "core/budgeted/testing.h"

namespace millwright::core::budgeted {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CountMoved, Capi_12_140_MachinesNotCountedYetRaiseTheSize) {
  Scene scene{
      .deployment = Rolling(3, 0, 1), .current = Set("new", 1, 3, 1), .old = {Set("old", 0)}};
  scene.in_place.unacknowledged = {"m3", "m2"};
  const Plan plan = PlanRollingUpdate(scene);
  EXPECT_EQ(plan.current.replicas, 3);
  EXPECT_THAT(plan.acknowledged, ElementsAre("m2", "m3"));
}

TEST(CountMoved, Capi_12_140_TheSameMachineIsCountedOnce) {
  Scene scene{
      .deployment = Rolling(4, 0, 1), .current = Set("new", 2, 2, 0), .old = {Set("old", 2)}};
  scene.in_place.unacknowledged = {"m1", "m2"};
  scene.in_place.acknowledged = {"m1", "m2"};
  const Plan plan = PlanRollingUpdate(scene);
  EXPECT_EQ(plan.current.replicas, 2);
  EXPECT_THAT(plan.acknowledged, ElementsAre("m1", "m2"));
  EXPECT_THAT(plan.current.reasons, IsEmpty());
}

TEST(CountMoved, Capi_12_140_WhoIsCountedAndSettledLeavesTheList) {
  Scene scene{.deployment = Rolling(2, 0, 1), .current = Set("new", 2), .old = {}};
  scene.in_place.acknowledged = {"m1"};
  EXPECT_THAT(PlanRollingUpdate(scene).acknowledged, IsEmpty());
}

struct Case {
  const char* name;
  int replicas;
  MachineSet current;
  std::optional<int> intent;
  std::vector<MachineSet> old;
  bool updating = false;
  std::optional<int> want;  // the current set's intent afterwards
  bool moves = true;
};

const Case kCases[] = {
    {"Capi_12_141_NoneIfTheNewSetIsFull", 3, Set("new", 3), {}, {Set("old", 3)}, false, {}, false},
    {"Capi_12_141_NoneForASetWithoutMachines",
     3,
     Set("new", 0),
     {},
     {Set("old", 3, 0, 0)},
     false,
     {},
     false},
    {"Capi_12_141_OneMachineMakesRoomToStart", 3, Set("new", 0), 3, {Set("old", 3)}, false, 1},
    {"Capi_12_141_NoSurgeWhileTheNewSetGrows",
     3,
     Set("new", 1, 0, 0),
     3,
     {Set("old", 3)},
     false,
     {}},
    {"Capi_12_141_NorWhileAnOldSetShrinks", 3, Set("new", 0), 3, {Set("old", 2, 3, 3)}, false, {}},
    {"Capi_12_141_NorWhileAMachineIsUpdated", 3, Set("new", 0), 3, {Set("old", 3)}, true, {}},
    {"Capi_12_141_NorWhileOneIsNotUpToDate",
     3,
     Set("new", 1, 1, 1, 0),
     3,
     {Set("old", 2)},
     false,
     {}},
    {"Capi_12_141_NorWhileANewOneIsUnavailable",
     3,
     Set("new", 1, 1, 0, 1),
     3,
     {Set("old", 2)},
     false,
     {}},
    {"Capi_12_141_GrowthThatNeedsNoSurgeIsKept", 6, Set("new", 0), 3, {Set("old", 3)}, false, 3},
    {"Capi_12_141_OnlyTheSurgePartIsDropped", 6, Set("new", 0), 4, {Set("old", 4)}, false, 2},
};

class InPlaceTest : public testing::TestWithParam<Case> {};

TEST_P(InPlaceTest, PrefersUpdatesToNewMachines) {
  const Case& c = GetParam();
  Scene scene{.deployment = Rolling(c.replicas, 3, 0), .current = c.current, .old = c.old};
  scene.in_place.updatable = {"old"};
  scene.in_place.any_updating = c.updating;
  Draft draft(scene);
  draft.current.intent = c.intent;
  PreferInPlace(draft);
  EXPECT_EQ(draft.current.intent, c.want);
  EXPECT_EQ(draft.old[0].moves_to, c.moves ? "new" : "");
  EXPECT_EQ(draft.receives_from.size(), c.moves ? 1u : 0u);
}

INSTANTIATE_TEST_SUITE_P(All, InPlaceTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(InPlaceQuestions, OnlyAboutSetsForWhichItMatters) {
  const Scene scene{.deployment = Rolling(3, 1, 0),
                    .current = Set("new", 1),
                    .old = {Set("a", 1), Set("b", 1), Set("empty", 0)}};
  EXPECT_THAT(SetsToAskAbout(scene, {"a", "empty"}), ElementsAre("a"));
  Scene full = scene;
  full.current = Set("new", 3);
  EXPECT_THAT(SetsToAskAbout(full, {"a", "b"}), IsEmpty());
}

TEST(InPlace, Capi_12_141_WithoutAYesNothingMoves) {
  const Plan plan = PlanRollingUpdate({Rolling(3, 1, 0), Set("new", 0), {Set("old", 3)}, {}});
  EXPECT_EQ(plan.old[0].moves_to, "");
  EXPECT_EQ(plan.current.replicas, 1);
}

}  // namespace
}  // namespace millwright::core::budgeted
