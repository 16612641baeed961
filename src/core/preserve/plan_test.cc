#include "core/preserve/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/preserve/automatic.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::InPhase;
using ::testing::IsEmpty;
using testing::kNow;
using Kind = PreservePlan::Kind;

const WrittenWish kWishNow{true, PreserveWish::kNow};
const WrittenWish kWishWhenFailed{true, PreserveWish::kWhenFailed};
const WrittenWish kWishNever{true, PreserveWish::kNever};
const WrittenWish kBroken{};

struct WishCase {
  const char* name;
  WishSources sources;
  EffectiveWish want;
};

const WishCase kWishes[] = {
    {"Gardener_13_097_NobodyWishes", {.node_exists = true}, {}},
    {"Gardener_13_097_TheMachinesWish",
     {.machine = kWishNow, .node_exists = true},
     {.wish = PreserveWish::kNow}},
    {"Gardener_13_097_TheMachinesWishWithoutANode",
     {.machine = kWishNow, .node = kWishNever},
     {.wish = PreserveWish::kNow}},
    {"Gardener_13_091_TheNodesWishWins",
     {.machine = kWishWhenFailed, .node = kWishNow, .node_exists = true},
     {.wish = PreserveWish::kNow, .from_node = true, .note_on_machine = true}},
    {"Gardener_13_097_NothingToNoteTwice",
     {.node = kWishNow, .node_exists = true, .applied_from_node = PreserveWish::kNow},
     {.wish = PreserveWish::kNow, .from_node = true}},
    {"Gardener_13_092_TakenBackOnTheNode",
     {.node_exists = true, .applied_from_node = PreserveWish::kNow},
     {.wish = PreserveWish::kNone, .from_node = true, .note_on_machine = true}},
    {"Gardener_13_089_AnUnreadableOneOnTheMachineIsNone",
     {.machine = kBroken, .node_exists = true},
     {}},
    {"Gardener_13_089_AnUnreadableOneOnTheNodeStopsEverything",
     {.machine = kWishNow, .node = kBroken, .node_exists = true},
     {.readable = false}},
};

class WishTest : public ::testing::TestWithParam<WishCase> {};

TEST_P(WishTest, IsResolved) { EXPECT_EQ(ResolveWish(GetParam().sources), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, WishTest, ::testing::ValuesIn(kWishes),
                         [](const auto& test) { return std::string(test.param.name); });

PreserveView With(PreserveWish wish, Phase phase, std::optional<Duration> left = {}) {
  PreserveView view{.wish = {.wish = wish}, .phase = phase, .time_limit = 96h};
  if (left) view.until = kNow + *left;
  view.has_node_name = view.node_exists = true;
  return view;
}

TEST(Preserve, Gardener_13_083_NothingWithoutAWish) {
  PreserveView view = With(PreserveWish::kNone, Phase::kFailed);
  view.tainted = true;
  EXPECT_EQ(PlanPreservation(view, kNow), PreservePlan{});
  view.node_exists = false;
  EXPECT_EQ(PlanPreservation(view, kNow), PreservePlan{});
}

TEST(Preserve, Gardener_13_084_ARunningOneIsKeptWithItsPods) {
  PreserveView view = With(PreserveWish::kNow, Phase::kRunning);
  view.wish.note_on_machine = true;
  EXPECT_EQ(PlanPreservation(view, kNow), (PreservePlan{.kind = Kind::kPreserve,
                                                        .set_until = kNow + 96h,
                                                        .note_node_wish = true,
                                                        .hold_scale_down = true,
                                                        .say = true,
                                                        .look_again = kNow + 96h}));
}

TEST(Preserve, Gardener_13_085_WhenFailedWaitsForTheFailure) {
  EXPECT_EQ(PlanPreservation(With(PreserveWish::kWhenFailed, Phase::kRunning), kNow),
            PreservePlan{});
  const PreservePlan plan = PlanPreservation(With(PreserveWish::kWhenFailed, Phase::kFailed), kNow);
  EXPECT_EQ(plan.kind, Kind::kPreserve);
  EXPECT_TRUE(plan.drain);
  EXPECT_TRUE(plan.taint);
  EXPECT_TRUE(plan.say);
}

TEST(Preserve, Gardener_13_086_StopsWhenNotWantedAnyMore) {
  PreserveView view = With(PreserveWish::kNever, Phase::kFailed, 1h);
  view.tainted = view.scale_down_disabled = view.scale_down_ours = true;
  EXPECT_EQ(PlanPreservation(view, kNow), (PreservePlan{.kind = Kind::kStop,
                                                        .clear_until = true,
                                                        .release_scale_down = true,
                                                        .untaint = true,
                                                        .say = true}));
}

TEST(Preserve, Gardener_13_087_OneOfTheQuotaIsReleasedWhenItRecovers) {
  EXPECT_EQ(PlanPreservation(With(PreserveWish::kAutomatic, Phase::kFailed), kNow).kind,
            Kind::kPreserve);
  PreserveView view = With(PreserveWish::kAutomatic, Phase::kRunning, 1h);
  view.tainted = true;
  const PreservePlan plan = PlanPreservation(view, kNow);
  EXPECT_EQ(plan.kind, Kind::kStop);
  EXPECT_TRUE(plan.forget_wishes);
  EXPECT_TRUE(plan.untaint);
}

TEST(Preserve, Gardener_13_088_EndsWithItsTime) {
  for (const PreserveWish wish :
       {PreserveWish::kNow, PreserveWish::kWhenFailed, PreserveWish::kAutomatic}) {
    PreserveView view = With(wish, Phase::kFailed, 0s);
    view.tainted = true;
    const PreservePlan plan = PlanPreservation(view, kNow);
    EXPECT_EQ(plan.kind, Kind::kStop);
    EXPECT_TRUE(plan.forget_wishes && plan.untaint && plan.clear_until);
  }
}

TEST(Preserve, Gardener_13_089_NothingWhileAWishIsUnreadable) {
  PreserveView view = With(PreserveWish::kNow, Phase::kFailed, -1h);
  view.wish.readable = false;
  EXPECT_EQ(PlanPreservation(view, kNow), PreservePlan{});
}

TEST(Preserve, Gardener_13_090_WithoutANodeOnlyTheTimeIsSet) {
  PreserveView view = With(PreserveWish::kNow, Phase::kFailed);
  view.node_exists = false;
  EXPECT_EQ(
      PlanPreservation(view, kNow),
      (PreservePlan{.kind = Kind::kPreserve, .set_until = kNow + 96h, .look_again = kNow + 96h}));
}

TEST(Preserve, Gardener_13_093_AKeptOneThatFailsIsEmptied) {
  PreserveView view = With(PreserveWish::kNow, Phase::kFailed, 1h);
  view.said_preserved = true;
  const PreservePlan plan = PlanPreservation(view, kNow);
  EXPECT_TRUE(plan.drain && plan.taint && plan.say);
  view.said_drained = true;
  EXPECT_FALSE(PlanPreservation(view, kNow).drain);
}

TEST(Preserve, Gardener_13_094_AFailedDrainIsTriedAgain) {
  PreserveView view = With(PreserveWish::kNow, Phase::kFailed, 1h);
  view.tainted = true;
  const PreservePlan plan = PlanPreservation(view, kNow);
  EXPECT_TRUE(plan.drain);
  EXPECT_FALSE(plan.taint);
}

TEST(Preserve, Gardener_13_096_WhatAPersonDisabledStaysDisabled) {
  PreserveView view = With(PreserveWish::kNever, Phase::kRunning, 1h);
  view.scale_down_disabled = true;
  EXPECT_FALSE(PlanPreservation(view, kNow).release_scale_down);
  view = With(PreserveWish::kNow, Phase::kRunning);
  view.scale_down_disabled = true;
  EXPECT_FALSE(PlanPreservation(view, kNow).hold_scale_down);
}

TEST(Preserve, ARecoveredOneTakesPodsAgain) {
  PreserveView view = With(PreserveWish::kNow, Phase::kRunning, 1h);
  view.said_preserved = view.tainted = true;
  EXPECT_TRUE(PlanPreservation(view, kNow).untaint);
}

std::vector<Machine> Failed(int count) {
  std::vector<Machine> machines;
  for (int i = 1; i <= count; ++i)
    machines.push_back(InPhase(Phase::kFailed, "m" + std::to_string(i), 1h * i));
  return machines;
}

TEST(AutoPreserve, Gardener_13_108_KeepsTheNewestUpToTheQuota) {
  EXPECT_THAT(PlanAutoPreservation(Failed(3), 1).keep, ElementsAre("m1"));
  EXPECT_THAT(PlanAutoPreservation(Failed(3), 2).keep, ElementsAre("m1", "m2"));
  EXPECT_EQ(PlanAutoPreservation(Failed(3), 0), AutoPreservePlan{});
}

TEST(AutoPreserve, Gardener_13_108_NoMoreOnceTheQuotaIsUsed) {
  std::vector<Machine> machines = Failed(3);
  machines[2].preservation.wish = PreserveWish::kAutomatic;
  EXPECT_EQ(PlanAutoPreservation(machines, 1), AutoPreservePlan{});
}

TEST(AutoPreserve, Gardener_13_108_NeverAgainstAPersonsWish) {
  std::vector<Machine> machines = Failed(1);
  machines[0].preservation.wish = PreserveWish::kNever;
  EXPECT_EQ(PlanAutoPreservation(machines, 1), AutoPreservePlan{});
}

TEST(AutoPreserve, Gardener_13_108_ReleasesTheOldestIfTheQuotaShrank) {
  std::vector<Machine> machines = Failed(4);
  for (Machine& machine : machines) machine.preservation.wish = PreserveWish::kAutomatic;
  machines[0].preservation.wish = PreserveWish::kNow;
  const AutoPreservePlan plan = PlanAutoPreservation(machines, 1);
  EXPECT_THAT(plan.release, ElementsAre("m4", "m3"));
  EXPECT_THAT(plan.keep, IsEmpty());
}

}  // namespace
}  // namespace millwright::core
