#include "core/rollout/roles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::kNow;

MachineSet Made(std::string name, Duration ago, int replicas, bool matches) {
  MachineSet set{.name = std::move(name), .created = kNow - ago, .replicas = replicas};
  set.matches_template = matches;
  return set;
}

std::string CurrentName(const Deployment& deployment, const std::vector<MachineSet>& sets,
                        CurrentSetRule rule) {
  const SetRoles roles = FindRoles(deployment, sets, rule, kNow);
  return roles.current ? sets[*roles.current].name : "";
}

TEST(Roles, Capi_12_128_TheLargestThenTheOldestThenByName) {
  const auto rule = CurrentSetRule::kLargest;
  EXPECT_EQ(CurrentName({}, {Made("a", 2h, 1, true), Made("b", 1h, 3, true)}, rule), "b");
  EXPECT_EQ(CurrentName({}, {Made("a", 1h, 3, true), Made("b", 2h, 3, true)}, rule), "b");
  EXPECT_EQ(CurrentName({}, {Made("b", 1h, 3, true), Made("a", 1h, 3, true)}, rule), "a");
}

TEST(Roles, TheOldestWhereThatIsTheRule) {
  EXPECT_EQ(
      CurrentName({}, {Made("a", 1h, 3, true), Made("b", 2h, 0, true)}, CurrentSetRule::kOldest),
      "b");
}

TEST(Roles, Capi_12_125_GoingBackMakesAnOldSetCurrentAgain) {
  const std::vector<MachineSet> sets = {Made("first", 2h, 0, true), Made("second", 1h, 3, false)};
  EXPECT_EQ(CurrentName({}, sets, CurrentSetRule::kLargest), "first");
}

TEST(Roles, NoneIfNoneMatches) {
  EXPECT_EQ(CurrentName({}, {Made("a", 1h, 3, false)}, CurrentSetRule::kLargest), "");
}

TEST(Roles, Capi_12_129_SetsMadeBeforeTheTimeAreOldOnceItHasPassed) {
  const std::vector<MachineSet> sets = {Made("early", 3h, 3, true), Made("late", 1h, 1, true)};
  const Deployment past{.rollout_after = kNow - 2h};
  EXPECT_EQ(CurrentName(past, sets, CurrentSetRule::kLargest), "late");
  const Deployment now{.rollout_after = kNow};
  EXPECT_EQ(CurrentName(now, sets, CurrentSetRule::kLargest), "");
  const Deployment future{.rollout_after = kNow + 1h};
  EXPECT_EQ(CurrentName(future, sets, CurrentSetRule::kLargest), "early");
}

TEST(Roles, TheTimeIsScheduledAndNotWaitedForByChance) {
  const std::vector<MachineSet> sets = {Made("a", 3h, 3, true)};
  EXPECT_EQ(
      FindRoles({.rollout_after = kNow + 1h}, sets, CurrentSetRule::kLargest, kNow).look_again,
      kNow + 1h);
  EXPECT_EQ(
      FindRoles({.rollout_after = kNow - 1h}, sets, CurrentSetRule::kLargest, kNow).look_again,
      std::nullopt);
}

TEST(Roles, OldSetsAreSortedByAgeAndKnowWhetherTheirMachinesMayChange) {
  const std::vector<MachineSet> sets = {Made("newer", 1h, 0, false), Made("older", 3h, 1, false),
                                        Made("current", 1h, 9, true),
                                        Made("discarded", 2h, 1, true)};
  const SetRoles roles = FindRoles({}, sets, CurrentSetRule::kLargest, kNow);
  EXPECT_THAT(roles.old, ElementsAre(OldSet{1, true}, OldSet{3, false}, OldSet{0, true}));
  const SetRoles expired =
      FindRoles({.rollout_after = kNow - 2h}, sets, CurrentSetRule::kLargest, kNow);
  EXPECT_THAT(expired.old, ElementsAre(OldSet{1, false}, OldSet{3, false}, OldSet{0, true}));
}

}  // namespace
}  // namespace millwright::core
