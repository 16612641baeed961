#include <gtest/gtest.h>

#include "core/budgeted/testing.h"

namespace millwright::core::budgeted {
namespace {

struct Case {
  const char* name;
  int replicas;
  MachineSet current;
  std::vector<MachineSet> old;
  std::map<std::string, int> want;
};

const Case kCases[] = {
    {"Capi_12_143_NothingDeletedNothingChanges",
     3,
     Set("new", 0),
     {Set("old", 3)},
     {{"new", 0}, {"old", 3}}},
    {"Capi_12_143_OldSetsFollowTheirMachines",
     3,
     Set("new", 0),
     {Set("old", 3, 2, 2)},
     {{"new", 0}, {"old", 2}}},
    {"Capi_12_143_ThenTheNewSetFillsUp",
     3,
     Set("new", 0),
     {Set("old", 2)},
     {{"new", 1}, {"old", 2}}},
    {"Capi_12_143_FewerWishedTheOldestGive",
     3,
     Set("new", 1),
     {Set("a", 2), Set("b", 2)},
     {{"new", 1}, {"a", 0}, {"b", 2}}},
    {"Capi_12_143_TheNewSetShrinksToTheWishFirst",
     2,
     Set("new", 3),
     {Set("old", 1)},
     {{"new", 2}, {"old", 0}}},
    {"Capi_12_143_WhatIsMissingIsPartOfTheExcess",
     3,
     Set("new", 1),
     {Set("a", 2, 1, 1), Set("b", 1)},
     {{"new", 1}, {"a", 1}, {"b", 1}}},
};

class OnDeleteTest : public testing::TestWithParam<Case> {};

TEST_P(OnDeleteTest, FollowsWhatTheUserDeletes) {
  const Case& c = GetParam();
  Deployment deployment{.replicas = c.replicas, .strategy = Strategy::kOnDelete};
  EXPECT_EQ(Sizes(PlanOnDelete({deployment, c.current, c.old, {}})), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, OnDeleteTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(OnDelete, Capi_12_144_OldSetsMakeNoMoreMachines) {
  Scene scene{.deployment = Rolling(3, 1, 0), .current = Set("new", 0), .old = {Set("old", 3)}};
  EXPECT_FALSE(PlanRollingUpdate(scene).old[0].creation_disabled);
  scene.deployment.strategy = Strategy::kOnDelete;
  const Plan plan = PlanOnDelete(scene);
  EXPECT_TRUE(plan.old[0].creation_disabled);
  EXPECT_FALSE(plan.current.creation_disabled);
}

}  // namespace
}  // namespace millwright::core::budgeted
