#include "controllers/drain/drainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "controllers/drain/acts.h"
#include "controllers/drain/drain_fixture.h"

namespace millwright::controllers {
namespace {

using namespace std::chrono_literals;
using core::DrainState;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class DrainerTest : public DrainFixture {
 protected:
  void AddPods(int count) {
    for (int i = 0; i < count; ++i) AddPod("p" + std::to_string(i));
  }
};

TEST_F(DrainerTest, AnEmptyNodeIsDrained) {
  Drain();
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_EQ(Last().message, "");
  EXPECT_EQ(looks_.size(), 1u);
}

TEST_F(DrainerTest, ANodeWhosePodsMayStayIsNotWatched) {
  AddPod("daemon", {.owner_kind = "DaemonSet"});
  Drain();
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_EQ(Watches("pods"), 0);
  AddPod("p");
  Drain();
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_EQ(Watches("pods"), 1);
}

TEST_F(DrainerTest, Gardener_13_069_PodsAreEvictedAndTheirEndIsAwaited) {
  ends_after_ = 10s;
  AddPods(10);
  Drain();
  EXPECT_EQ(Evicted().size(), 10u);
  EXPECT_EQ(state(), DrainState::kRunning);
  EXPECT_EQ(Last().message, "10 pods left");
  world_.Advance(9s);
  EXPECT_EQ(state(), DrainState::kRunning);
  world_.Advance(1s);
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_EQ(Evicted().size(), 10u) << "each is asked once";
  EXPECT_THAT(Deleted(), IsEmpty());
}

TEST_F(DrainerTest, Gardener_13_068_WithoutTheEvictionApiPodsAreDeleted) {
  AddPods(10);
  core::DrainRules rules = Rules();
  rules.can_evict = false;
  Drain(rules);
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_EQ(Deleted().size(), 10u);
  EXPECT_THAT(Evicted(), IsEmpty());
}

TEST_F(DrainerTest, PodsThatBelongToTheNodeStay) {
  AddPod("plain", {.owner_kind = "ReplicaSet"});
  AddPod("daemon", {.owner_kind = "DaemonSet"});
  AddPod("mirror", {.mirror = true});
  AddPod("elsewhere", {.node = "other"});
  Drain();
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_THAT(Evicted(), ElementsAre("plain"));
  EXPECT_TRUE(Exists(std::string(kPods) + "/daemon"));
  EXPECT_TRUE(Exists(std::string(kPods) + "/elsewhere"));
}

TEST_F(DrainerTest, Gardener_13_074_ALongGraceDoesNotHoldUpWhatGoesAtOnce) {
  ends_after_ = 3s;
  AddPod("p", {.grace = 120});
  Drain();
  world_.Advance(3s);
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainerTest, APodThatDoesNotGoIsSaid) {
  kubelet_works_ = false;
  AddPod("p", {.grace = 30});
  Drain();
  world_.Advance(59s);
  EXPECT_EQ(state(), DrainState::kRunning);
  world_.Advance(1s);
  EXPECT_EQ(state(), DrainState::kBlocked);
  EXPECT_EQ(Last().message, "1 pod left; default/p: was told to go and is still there");
}

TEST_F(DrainerTest, Gardener_13_076_ABudgetThatRefusesIsAskedAgainUntilItAllows) {
  AddPod("here");
  AddPod("there", {.node = "other", .ready = false});
  AddBudget("web", 1);
  Drain();
  EXPECT_EQ(state(), DrainState::kRunning);
  EXPECT_EQ(Last().message,
            "1 pod left; default/here: PodDisruptionBudget default/web allows no disruption now");
  EXPECT_EQ(Last().look_again, clock_.Now() + 20s);
  world_.Advance(20s);
  EXPECT_EQ(state(), DrainState::kRunning);
  SetReady("there", true);
  world_.Advance(20s);
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_THAT(Evicted(), ElementsAre("here", "here", "here"));
}

TEST_F(DrainerTest, ABudgetThatAllowsNeedNotBeAskedInVain) {
  AddPod("here");
  AddPod("there", {.node = "other", .ready = false});
  AddBudget("web", 1);
  Drain();
  EXPECT_EQ(state(), DrainState::kRunning);
  SetReady("there", true);
  world_.Settle();
  EXPECT_EQ(state(), DrainState::kDone) << "without waiting for its time";
  EXPECT_THAT(Evicted(), ElementsAre("here", "here"));
}

TEST_F(DrainerTest, OnlyAsManyAskAgainAsTheBudgetAllows) {
  AddPods(3);
  AddPod("there", {.node = "other", .ready = false});
  AddBudget("web", 3);
  Drain();
  EXPECT_THAT(Evicted(), UnorderedElementsAre("p0", "p1", "p2"));
  SetReady("there", true);
  world_.Settle();
  EXPECT_EQ(Evicted().size(), 4u) << "one more may be away";
  EXPECT_EQ(state(), DrainState::kRunning);
}

TEST_F(DrainerTest, ABudgetThatIsGoneHoldsNobodyBack) {
  AddPods(3);
  AddBudget("web", 3);
  Drain();
  EXPECT_EQ(state(), DrainState::kBlocked);
  Must("DELETE", std::string(kBudgets) + "/web");
  world_.Settle();
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainerTest, Gardener_13_076_ABudgetThatForbidsForGoodIsNamed) {
  AddPod("web-1");
  AddPod("free", {.app = "other"});
  AddBudget("web", 1);
  Drain();
  EXPECT_EQ(state(), DrainState::kBlocked);
  EXPECT_THAT(Last().message,
              HasSubstr("1 pod left; default/web-1: PodDisruptionBudget default/web "
                        "allows no disruption, and will not"));
  EXPECT_FALSE(Exists(std::string(kPods) + "/free")) << "others go all the same";
  world_.Advance(10min);
  EXPECT_EQ(state(), DrainState::kBlocked);
  EXPECT_THAT(Deleted(), IsEmpty()) << "it is never counted as refused";

  Must("PATCH", std::string(kBudgets) + "/web", R"({"spec":{"minAvailable":0}})");
  world_.Advance(20s);
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainerTest, APodThatWasRefusedTooOftenIsDeleted) {
  AddPod("here");
  AddPod("there", {.node = "other", .ready = false});
  AddBudget("web", 1);
  core::DrainRules rules = Rules();
  rules.max_attempts = 2;
  Drain(rules);
  world_.Advance(40s);
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_THAT(Evicted(), ElementsAre("here", "here"));
  EXPECT_THAT(Deleted(), ElementsAre("here"));
}

TEST_F(DrainerTest, Gardener_13_073_ByForcePodsAreDeletedWhateverBudgetsSay) {
  kubelet_works_ = false;
  AddPods(3);
  AddPod("db", {.claims = {"data"}});
  AddClaim("data");
  AddBudget("web", 4);
  core::DrainRules rules = Rules();
  rules.forced = true;
  Drain(rules);
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_THAT(Deleted(), UnorderedElementsAre("p0", "p1", "p2", "db"));
  EXPECT_THAT(Evicted(), IsEmpty());
  EXPECT_FALSE(Exists(std::string(kPods) + "/p0")) << "with no grace";
}

TEST_F(DrainerTest, AnOrderThatIsForcedNowBeginsAnew) {
  AddPod("web-1");
  AddBudget("web", 1);
  Drain();
  EXPECT_EQ(state(), DrainState::kBlocked);
  core::DrainRules rules = Rules();
  rules.forced = true;
  const auto look = *RunTask(process_, drainer_->Look(Order(rules)));
  EXPECT_EQ(look.value().state, DrainState::kDone);
  EXPECT_FALSE(Exists(std::string(kPods) + "/web-1"));
}

TEST_F(DrainerTest, B_16_AnotherPodOfTheSameNameIsLeftAlone) {
  AddPod("web-0");
  for (const auto kind : {core::DrainAct::Kind::kEvict, core::DrainAct::Kind::kDelete}) {
    const auto answer = *RunTask(
        process_, CarryOut(*client_, {.kind = kind, .key = "default/web-0", .uid = Uid("old")}));
    EXPECT_EQ(answer.answer, core::DrainAnswer::kGone);
  }
  EXPECT_EQ(kube::Find(Must("GET", std::string(kPods) + "/web-0"), "metadata.deletionTimestamp"),
            nullptr);
}

TEST_F(DrainerTest, APodThatComesMeanwhileGoesToo) {
  ends_after_ = 10s;
  AddPod("a");
  Drain();
  AddPod("b");
  world_.Settle();
  EXPECT_THAT(Evicted(), ElementsAre("a", "b"));
  world_.Advance(10s);
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainerTest, B_20_TimeOverIsNotSuccess) {
  AddPod("here");
  AddPod("there", {.node = "other", .ready = false});
  AddBudget("web", 1);
  core::DrainRules rules = Rules();
  rules.limit = 50s;
  Drain(rules);
  world_.Advance(49s);
  EXPECT_EQ(state(), DrainState::kRunning);
  world_.Advance(1s);
  EXPECT_EQ(state(), DrainState::kTimeOver);
}

TEST_F(DrainerTest, NobodyIsWokenForWhatIsForgotten) {
  ends_after_ = 10s;
  AddPod("a");
  Drain();
  drainer_->Forget(Uid("m"));
  world_.Settle();
  const int before = wakes_;
  world_.Advance(10s);
  AddPod("b");
  world_.Settle();
  EXPECT_EQ(wakes_, before);
  EXPECT_FALSE(Exists(std::string(kPods) + "/a"));
}

TEST_F(DrainerTest, WhileNobodyAnswersItWaitsAndDoesNotTakeTheNodeForEmpty) {
  AddPod("a");
  recorded_->down = true;
  Drain();
  world_.Advance(5s);
  EXPECT_EQ(state(), DrainState::kRunning);
  EXPECT_EQ(Last().message, "the pods of node node cannot be listed yet");
  EXPECT_EQ(looks_.size(), 1u);
  world_.Advance(1min);
  EXPECT_EQ(looks_.size(), 1u) << "it is woken when there is something to see";
  recorded_->down = false;
  world_.Advance(10s);
  EXPECT_EQ(state(), DrainState::kDone);
  EXPECT_THAT(Evicted(), ElementsAre("a"));
}

TEST_F(DrainerTest, ADrainThatSeesNothingEndsInTimeToo) {
  recorded_->down = true;
  core::DrainRules rules = Rules();
  rules.limit = 1min;
  Drain(rules);
  world_.Advance(66s);
  EXPECT_EQ(state(), DrainState::kTimeOver);
}

TEST_F(DrainerTest, WhatFailsIsSaidAndTriedAgain) {
  AddPod("a");
  AddBudget("one", 0);
  AddBudget("two", 0);
  Drain();
  EXPECT_EQ(state(), DrainState::kBlocked);
  EXPECT_THAT(Last().message, HasSubstr("1 pod left; default/a: "));
  EXPECT_THAT(Last().message, HasSubstr("more than one PodDisruptionBudget"));
  EXPECT_EQ(Last().look_again, clock_.Now() + 5s);
  Must("DELETE", std::string(kBudgets) + "/two");
  world_.Advance(5s);
  EXPECT_EQ(state(), DrainState::kDone);
}

TEST_F(DrainerTest, NothingIsAskedWhileNothingHappens) {
  kubelet_works_ = false;
  AddPod("p", {.grace = 600});
  Drain();
  const auto count = [&] {
    return std::ranges::count_if(recorded_->requests, [](const net::HttpRequest& request) {
      return request.target.find("watch=") == std::string::npos;
    });
  };
  const auto before = count();
  const std::size_t looks = looks_.size();
  world_.Advance(10min);
  EXPECT_EQ(count(), before);
  EXPECT_EQ(looks_.size(), looks);
}

}  // namespace
}  // namespace millwright::controllers
