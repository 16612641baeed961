#include "core/rollout/scaling.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "core/rollout/proportion.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using SizeMap = std::map<std::string, int>;

MachineSet Set(std::string name, int size, std::optional<int> desired = {},
               std::optional<int> max = {}) {
  MachineSet set{.name = std::move(name), .created = testing::kNow, .replicas = size};
  set.seen = {.replicas = size, .available = size};
  set.desired_note = desired;
  set.max_note = max;
  return set;
}

Deployment Rolling(int replicas, int surge) {
  return {.replicas = replicas, .max_surge = Amount::Of(surge), .max_unavailable = Amount::Of(0)};
}

SizeMap Changes(const std::vector<Resize>& resizes) {
  SizeMap sizes;
  for (const Resize& resize : resizes) sizes[resize.set] = resize.replicas;
  return sizes;
}

struct Case {
  const char* name;
  ScalingScene scene;
  Growth growth;
  SizeMap want;
};

const auto kToCurrent = Growth::kToCurrent;
const auto kShared = Growth::kProportional;

const Case kCases[] = {
    {"TheOnlyActiveSetGetsAll",
     {Rolling(5, 1), Set("new", 3), {Set("old", 0)}},
     kToCurrent,
     {{"new", 5}}},
    {"AlsoAnOldOne", {Rolling(5, 1), Set("new", 0), {Set("old", 3)}}, kToCurrent, {{"old", 5}}},
    {"TheLatestIfNoneIsActive",
     {Rolling(5, 1), Set("new", 0), {Set("old", 0)}},
     kToCurrent,
     {{"new", 5}}},
    {"Gardener_13_124_NothingIfNothingChanged",
     {Rolling(3, 1), Set("new", 3, 3, 4), {}},
     kToCurrent,
     {}},
    {"Gardener_13_121_GrowthGoesToTheCurrentSet",
     {Rolling(10, 2), Set("new", 5, 7, 9), {Set("a", 1, 7, 9), Set("b", 3, 7, 9)}},
     kToCurrent,
     {{"new", 8}}},
    {"Gardener_13_122_ShrinksByShareAndTheRestFromTheLargest",
     {Rolling(3, 2), Set("new", 5, 7, 9), {Set("a", 1, 7, 9), Set("b", 3, 7, 9)}},
     kToCurrent,
     {{"b", 2}, {"new", 2}}},
    {"Gardener_13_123_ShrinksByShare",
     {Rolling(5, 2), Set("new", 6, 8, 10), {Set("a", 1, 8, 10), Set("b", 3, 8, 10)}},
     kToCurrent,
     {{"b", 2}, {"new", 4}}},
    {"ToNothing",
     {Rolling(0, 2), Set("new", 5, 7, 9), {Set("a", 1, 7, 9), Set("b", 3, 7, 9)}},
     kToCurrent,
     {{"a", 0}, {"b", 0}, {"new", 0}}},
    {"GrowthIsSharedWhereThatIsTheRule",
     {Rolling(10, 0), Set("new", 2, 5, 5), {Set("old", 3, 5, 5)}},
     kShared,
     {{"new", 4}, {"old", 6}}},
    {"LeftOversGoWhenTheNewOnesSuffice",
     {Rolling(3, 1), Set("new", 3, 3, 4), {Set("old", 1, 3, 4)}},
     kToCurrent,
     {{"old", 0}}},
    {"B_10_AChangeDuringInPlaceGoesToTheCurrentSet",
     {{.replicas = 5, .strategy = Strategy::kInPlaceAuto}, Set("new", 1, 3), {Set("old", 2, 3)}},
     kToCurrent,
     {{"new", 3}}},
    {"B_10_AndFewerComeFromItFirst",
     {{.replicas = 1, .strategy = Strategy::kInPlaceAuto}, Set("new", 1, 3), {Set("old", 2, 3)}},
     kToCurrent,
     {{"new", 0}, {"old", 1}}},
};

class ScalingTest : public ::testing::TestWithParam<Case> {};

TEST_P(ScalingTest, GivesSizes) {
  EXPECT_EQ(Changes(PlanScaling(GetParam().scene, GetParam().growth)), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ScalingTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Scaling, Capi_12_148_PausedWithoutACurrentSetScalesTheLatest) {
  MachineSet older = Set("older", 0), newer = Set("newer", 0);
  older.created -= 1h;
  EXPECT_EQ(Changes(PlanScaling({Rolling(2, 1), {}, {older, newer}}, kShared)),
            (SizeMap{{"newer", 2}}));
  EXPECT_EQ(Changes(PlanScaling({Rolling(2, 1), {}, {}}, kShared)), SizeMap{});
}

TEST(ScalingEvent, IsAChangeOfTheWish) {
  EXPECT_FALSE(IsScalingEvent({Rolling(3, 1), {}, {Set("old", 2, 2)}}));
  EXPECT_FALSE(IsScalingEvent({Rolling(3, 1), Set("new", 3, 3), {Set("old", 1, 3)}}));
  EXPECT_TRUE(IsScalingEvent({Rolling(4, 1), Set("new", 3, 4), {Set("old", 1, 3)}}));
  EXPECT_TRUE(IsScalingEvent({Rolling(4, 1), Set("new", 0), {Set("old", 0)}}));
  EXPECT_FALSE(IsScalingEvent({Rolling(0, 1), Set("new", 0), {}}));
}

RC_GTEST_PROP(Proportions, AddUpAndNeverGoBelowNothing, ()) {
  std::vector<MachineSet> sets;
  int total = 0;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) {
    sets.push_back(Set("s" + std::to_string(i), *rc::gen::inRange(1, 20)));
    total += sets.back().replicas;
  }
  for (MachineSet& set : sets) set.max_note = *rc::gen::inRange(1, 60);
  const int wished = *rc::gen::inRange(0, 60);
  const int allowed = wished == 0 ? 0 : wished + *rc::gen::inRange(0, 5);
  const std::vector<int> sizes = Proportions(sets, {.wished = wished, .allowed = allowed});
  int sum = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    RC_ASSERT(sizes[i] >= 0);
    // All go the same way.
    const int change = sizes[i] - sets[i].replicas;
    RC_ASSERT((allowed >= total ? change : -change) >= 0);
    sum += sizes[i];
  }
  if (allowed >= total) RC_ASSERT(sum == allowed);
  if (allowed < total) RC_ASSERT(sum >= allowed);
}

}  // namespace
}  // namespace millwright::core
