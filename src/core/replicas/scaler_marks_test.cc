#include "core/replicas/scaler_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using namespace testing;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const ScalerMark kA{"a", kNow - 1min};
const ScalerMark kB{"b", kNow - 1min};

TEST(ScalerMarks, Gardener_13_119_NamedMachinesAreMarkedWithTheTimeGiven) {
  const ScalerMarkPlan plan = PlanScalerMarks({{kA}}, {{Running("a"), Running("b")}});
  EXPECT_THAT(plan.mark, ElementsAre(kA));
  EXPECT_THAT(plan.keep, ElementsAre(kA));
}

TEST(ScalerMarks, Gardener_13_120_WhatIsGoneOrGoingIsDropped) {
  const ScalerMarkPlan plan = PlanScalerMarks(
      {{kA, kB, {"gone", kNow}}}, {{InPhase(Phase::kDeleting, "a"), InPhase(Phase::kFailed, "b")}});
  EXPECT_EQ(plan, ScalerMarkPlan{});
}

TEST(ScalerMarks, Gardener_13_120_AMarkedOneIsNotMarkedAgain) {
  Machine marked = Running("a");
  marked.disposal.chosen = true;
  marked.disposal.marked_at = kNow - 5min;
  const ScalerMarkPlan plan = PlanScalerMarks({{kA}}, {{marked}});
  EXPECT_THAT(plan.mark, IsEmpty());
  EXPECT_THAT(plan.keep, ElementsAre(kA));
}

}  // namespace
}  // namespace millwright::core
