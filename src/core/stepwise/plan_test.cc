#include "core/stepwise/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "core/rollout/limits.h"
#include "core/stepwise/activity.h"

namespace millwright::core::stepwise {
namespace {

using SizeMap = std::map<std::string, int>;

MachineSet Set(std::string name, int wished, int existing, int available) {
  MachineSet set{.name = std::move(name), .replicas = wished};
  set.seen = {
      .replicas = existing, .ready = available, .available = available, .fully_labelled = existing};
  return set;
}

MachineSet Set(std::string name, int size) { return Set(std::move(name), size, size, size); }

Deployment Rolling(int replicas, int surge, int unavailable) {
  return {.replicas = replicas,
          .max_surge = Amount::Of(surge),
          .max_unavailable = Amount::Of(unavailable)};
}

SizeMap Changes(const Step& step) {
  SizeMap sizes;
  for (const Resize& resize : step.resize) sizes[resize.set] = resize.replicas;
  return sizes;
}

struct Case {
  const char* name;
  Scene scene;
  Step want_step;  // with the sizes below
  SizeMap want;
};

const Case kRolling[] = {
    {"Gardener_13_113_TheFirstSetIsMadeAtFullSize",
     {Rolling(3, 1, 0), {}, {}},
     {.create_current = 3},
     {}},
    {"Gardener_13_116_ANewSetIsMadeWithWhatSurgeAllows",
     {Rolling(3, 1, 0), {}, {Set("old", 3)}},
     {.create_current = 1},
     {}},
    {"Gardener_13_116_NoRoomMakesAnEmptySet",
     {Rolling(3, 0, 1), {}, {Set("old", 3)}},
     {.create_current = 0},
     {}},
    {"Gardener_13_116_MoreNewOnesFirst",
     {Rolling(4, 2, 1), Set("new", 1), {Set("old", 4)}},
     {},
     {{"new", 2}}},
    {"Gardener_13_116_ThenFewerOldOnes",
     {Rolling(4, 2, 1), Set("new", 2), {Set("old", 4)}},
     {},
     {{"old", 1}}},
    {"Gardener_13_116_NewOnesThatAreNotAvailableHoldItUp",
     {Rolling(4, 2, 1), Set("new", 2, 2, 0), {Set("old", 4)}},
     {},
     {{"old", 3}}},
    {"UnavailableOldOnesGoFirst",
     {Rolling(4, 1, 0), Set("new", 1), {Set("a", 3), Set("b", 1, 1, 0)}},
     {},
     {{"b", 0}}},
    {"TheOldestSetFirst",
     {Rolling(4, 1, 1), Set("new", 1), {Set("b", 2), Set("a", 2)}},
     {},
     {{"a", 0}}},
    {"AReportThatLagsIsNoRoom", {Rolling(3, 1, 0), Set("new", 1, 0, 0), {Set("old", 3)}}, {}, {}},
    {"MachinesThatAreGoingTakeRoom",
     {Rolling(3, 1, 0), Set("new", 1), {Set("old", 2, 3, 3)}},
     {},
     {}},
    {"TheCurrentSetShrinksToTheWish", {Rolling(2, 1, 0), Set("new", 3), {}}, {}, {{"new", 2}}},
    {"NothingToDoAtTheEnd", {Rolling(3, 1, 0), Set("new", 3), {Set("old", 0)}}, {}, {}},
};

class RollingTest : public testing::TestWithParam<Case> {};

TEST_P(RollingTest, TakesOneStep) {
  const Step step = PlanRollingUpdate(GetParam().scene);
  EXPECT_EQ(step.create_current, GetParam().want_step.create_current);
  EXPECT_EQ(Changes(step), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, RollingTest, testing::ValuesIn(kRolling),
                         [](const auto& test) { return std::string(test.param.name); });

Scene Recreating(std::optional<MachineSet> current, std::vector<MachineSet> old, int old_machines) {
  return {{.replicas = 3, .strategy = Strategy::kRecreate},
          std::move(current),
          std::move(old),
          old_machines};
}

TEST(Recreate, Gardener_13_115_OldOnesGoFirstAndNewOnesComeWhenTheyAreGone) {
  EXPECT_EQ(Changes(PlanRecreate(Recreating({}, {Set("old", 3)}, 3))), (SizeMap{{"old", 0}}));
  EXPECT_EQ(PlanRecreate(Recreating({}, {Set("old", 0, 3, 3)}, 3)), (Step{.waits_for_old = true}));
  EXPECT_EQ(PlanRecreate(Recreating({}, {Set("old", 0)}, 1)), (Step{.waits_for_old = true}));
  EXPECT_EQ(PlanRecreate(Recreating({}, {Set("old", 0)}, 0)), (Step{.create_current = 3}));
  EXPECT_EQ(Changes(PlanRecreate(Recreating(Set("new", 0), {Set("old", 0)}, 0))),
            (SizeMap{{"new", 3}}));
}

struct SizeCase {
  const char* name;
  Strategy strategy;
  int surge;
  int current;
  int want;
};

const SizeCase kSizes[] = {
    {"Gardener_13_126_RoomForOne", Strategy::kRollingUpdate, 2, 2, 3},
    {"Gardener_13_126_NoRoom", Strategy::kRollingUpdate, 2, 3, 3},
    {"Gardener_13_126_RecreateMakesAll", Strategy::kRecreate, 2, 0, 5},
    {"Gardener_13_126_ManualMakesNone", Strategy::kInPlaceManual, 2, 0, 0},
    {"Gardener_13_126_AutomaticMakesSurge", Strategy::kInPlaceAuto, 1, 0, 2},
};

class SizeTest : public testing::TestWithParam<SizeCase> {};

TEST_P(SizeTest, OfTheCurrentSet) {
  const SizeCase& c = GetParam();
  Scene scene{.deployment = Rolling(5, c.surge, 0),
              .current = Set("new", c.current),
              .old = {Set("old", 4)}};
  scene.deployment.strategy = c.strategy;
  EXPECT_EQ(CurrentSize(scene), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, SizeTest, testing::ValuesIn(kSizes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(NodeMarks, Gardener_13_128_OldNodesAreAvoidedWhileTheyAreReplaced) {
  Scene scene{.deployment = Rolling(3, 1, 0), .current = Set("new", 1), .old = {Set("old", 3)}};
  EXPECT_TRUE(PlanNodeMarks(scene, false).avoid_old);
  EXPECT_EQ(PlanNodeMarks(scene, true), NodeMarks{});
  scene.deployment.strategy = Strategy::kRecreate;
  EXPECT_FALSE(PlanNodeMarks(scene, false).avoid_old);
}

TEST(NodeMarks, Gardener_13_129_ScalersAreHeldOffUntilOldSetsAreEmpty) {
  Scene scene{.deployment = Rolling(3, 1, 0), .current = Set("new", 1), .old = {Set("old", 3)}};
  EXPECT_TRUE(PlanNodeMarks(scene, false).hold_scale_down);
  scene.old = {Set("old", 0, 1, 1)};
  EXPECT_FALSE(PlanNodeMarks(scene, false).hold_scale_down);
  scene.old.clear();
  EXPECT_EQ(PlanNodeMarks(scene, false), NodeMarks{});
}

struct ActivityCase {
  const char* name;
  Deployment deployment;
  ActivityFacts facts;
  Activity want;
};

const ActivityCase kActivities[] = {
    {"Gardener_13_113_AnEmptySelectorIsAMistake",
     {},
     {.selects_everything = true},
     Activity::kComplainAboutSelector},
    {"Gardener_13_114_GoingWithSetsDeletesThem",
     {},
     {.deleting = true, .has_finalizer = true, .has_sets = true},
     Activity::kDeleteSets},
    {"Gardener_13_114_GoingWithoutSetsIsLetGo",
     {},
     {.deleting = true, .has_finalizer = true},
     Activity::kLetGo},
    {"GoingWithoutOurFinalizerIsNotOurs",
     {},
     {.deleting = true, .has_sets = true},
     Activity::kNothing},
    {"Gardener_13_118_PausedOnlyScales", {.paused = true, .rollback_to = 0}, {}, Activity::kScale},
    {"Gardener_13_117_RollsBackBeforeItScales",
     {.rollback_to = 0},
     {.scaling_event = true},
     Activity::kRollBack},
    {"ScalesBeforeItRolls", {}, {.scaling_event = true}, Activity::kScale},
    {"OtherwiseItRolls", {}, {}, Activity::kRollOut},
};

class ActivityTest : public testing::TestWithParam<ActivityCase> {};

TEST_P(ActivityTest, IsChosen) {
  EXPECT_EQ(ChooseActivity(GetParam().deployment, GetParam().facts), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ActivityTest, testing::ValuesIn(kActivities),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::core::stepwise
