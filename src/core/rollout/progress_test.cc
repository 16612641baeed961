#include "core/rollout/progress.h"

#include <gtest/gtest.h>

#include "core/rollout/history.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using Status = Progress::Status;
using Reason = ProgressReason;

const Deployment kDeployment{.replicas = 3, .progress_deadline = 600s};
const DeploymentCounts kHalfway{.replicas = 4, .updated = 1, .ready = 3, .available = 3};

struct Case {
  const char* name;
  std::optional<Progress> last;
  DeploymentCounts before;
  DeploymentCounts seen;
  ProgressPlan want;
};

const Progress kCreated{Status::kTrue, Reason::kNewSetCreated, kNow - 60s};
const Progress kStuck{Status::kTrue, Reason::kSetUpdated, kNow - 601s};
const Progress kLate{Status::kFalse, Reason::kDeadlineExceeded, kNow - 60s};
const Progress kDone{Status::kTrue, Reason::kNewSetAvailable, kNow - 9000s};

const Case kCases[] = {
    {"NothingSaidNothingMoved", {}, kHalfway, kHalfway, {}},
    {"Gardener_13_135_AllNewAndAvailable",
     kCreated,
     kHalfway,
     {.replicas = 3, .updated = 3, .ready = 3, .available = 3},
     {Progress{Status::kTrue, Reason::kNewSetAvailable, kNow}, {}}},
    {"MoreUpdatedIsProgress",
     kCreated,
     kHalfway,
     {.replicas = 4, .updated = 2, .ready = 3, .available = 3},
     {Progress{Status::kTrue, Reason::kSetUpdated, kNow}, kNow + 601s}},
    {"FewerOldIsProgress",
     kCreated,
     kHalfway,
     {.replicas = 3, .updated = 1, .ready = 3, .available = 3},
     {Progress{Status::kTrue, Reason::kSetUpdated, kNow}, kNow + 601s}},
    {"StandingStillWaitsForTheDeadline", kCreated, kHalfway, kHalfway, {kCreated, kNow + 541s}},
    {"AndThenSaysSo",
     kStuck,
     kHalfway,
     kHalfway,
     {Progress{Status::kFalse, Reason::kDeadlineExceeded, kNow}, {}}},
    {"ItStaysSaid", kLate, kHalfway, kHalfway, {kLate, {}}},
    {"UntilItMoves",
     kLate,
     kHalfway,
     {.replicas = 4, .updated = 2, .ready = 3, .available = 3},
     {Progress{Status::kTrue, Reason::kSetUpdated, kNow}, kNow + 601s}},
    {"WhatWasCompleteIsNotLookedAtAgain",
     kDone,
     {.replicas = 3, .updated = 3, .ready = 3, .available = 3},
     {.replicas = 3, .updated = 3, .ready = 2, .available = 2},
     {kDone, {}}},
};

class ProgressTest : public ::testing::TestWithParam<Case> {};

TEST_P(ProgressTest, IsSaid) {
  const Case& c = GetParam();
  EXPECT_EQ(PlanProgress(kDeployment, c.last, c.before, c.seen, kNow), c.want);
}

INSTANTIATE_TEST_SUITE_P(All, ProgressTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Progress, WithoutADeadlineItIsSaidAllTheSame) {
  const Deployment deployment{.replicas = 3};
  EXPECT_EQ(PlanProgress(deployment, kStuck, kHalfway, kHalfway, kNow), (ProgressPlan{kStuck, {}}));
}

TEST(Pause, SaysUnknownAndDoesNotHideAPassedDeadline) {
  EXPECT_EQ(PlanPauseNotice(true, kCreated, kNow),
            (Progress{Status::kUnknown, Reason::kPaused, kNow}));
  const Progress paused{Status::kUnknown, Reason::kPaused, kNow - 1h};
  EXPECT_EQ(PlanPauseNotice(true, paused, kNow), paused);
  EXPECT_EQ(PlanPauseNotice(false, paused, kNow),
            (Progress{Status::kUnknown, Reason::kResumed, kNow}));
  EXPECT_EQ(PlanPauseNotice(false, kCreated, kNow), kCreated);
  EXPECT_EQ(PlanPauseNotice(true, kLate, kNow), kLate);
}

TEST(Complete, NeedsAllThreeNumbersAndACurrentReport) {
  const DeploymentCounts all{.replicas = 3, .updated = 3, .ready = 3, .available = 3};
  EXPECT_TRUE(IsComplete(kDeployment, all, true));
  EXPECT_FALSE(IsComplete(kDeployment, all, false));
  EXPECT_FALSE(IsComplete(kDeployment, {.replicas = 4, .updated = 3, .available = 3}, true));
  EXPECT_FALSE(IsComplete(kDeployment, {.replicas = 3, .updated = 3, .available = 2}, true));
}

TEST(Available, Capi_12_145_ToleratesWhatTheUserTolerates) {
  Deployment deployment{
      .replicas = 3, .max_surge = Amount::Of(1), .max_unavailable = Amount::Of(1)};
  EXPECT_TRUE(IsAvailable(deployment, {.available = 2}));
  deployment.max_unavailable = Amount::Of(0);
  EXPECT_FALSE(IsAvailable(deployment, {.available = 2}));
  EXPECT_TRUE(IsAvailable(deployment, {.available = 2, .preserved_failed = 1}));
}

MachineSet Old(std::string name, Duration ago, int replicas = 0, int existing = 0) {
  MachineSet set{.name = std::move(name), .created = kNow - ago, .replicas = replicas};
  set.seen.replicas = existing;
  return set;
}

TEST(History, ForgetsTheOldestEmptyOnes) {
  const std::vector<MachineSet> old = {Old("c", 1h), Old("a", 3h), Old("b", 2h)};
  EXPECT_EQ(SetsToForget(old, 1), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(SetsToForget(old, 3), std::vector<std::string>{});
  EXPECT_EQ(SetsToForget(old, 0).size(), 3u);
}

TEST(History, KeepsWhatStillHasMachinesOrIsNotReportedOn) {
  MachineSet unseen = Old("d", 1h);
  unseen.report_is_current = false;
  MachineSet going = Old("e", 9h);
  going.deleting = true;
  EXPECT_EQ(
      SetsToForget({{Old("a", 3h, 1, 1), Old("b", 2h, 0, 1), Old("c", 4h), unseen, going}}, 0),
      (std::vector<std::string>{"c"}));
}

}  // namespace
}  // namespace millwright::core
