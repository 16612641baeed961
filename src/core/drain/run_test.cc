#include "core/drain/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::kNow;
using Act = DrainAct::Kind;
using Why = Blocker::Why;

class DrainTest : public ::testing::Test {
 protected:
  static Pod Plain(std::string key) { return {.uid = Uid(key), .key = key, .grace = 30s}; }

  static Pod WithVolume(std::string key, int priority = 0) {
    Pod pod = Plain(std::move(key));
    pod.priority = priority;
    pod.volumes = {"pv-" + pod.key};
    return pod;
  }

  void Begin(DrainRules rules = {}) {
    rules.limit = rules.limit == Duration::zero() ? 2h : rules.limit;
    if (rules.max_attempts == 1) rules.max_attempts = 3;
    run_.emplace(rules, now_);
  }

  DrainStep Look() { return run_->Plan(scene_, now_); }

  // Looks, and answers every act alike.
  DrainStep LookAndAnswer(DrainAnswer answer) {
    const DrainStep step = Look();
    for (const DrainAct& act : step.acts) run_->Note(act, answer, now_);
    return step;
  }

  static std::vector<std::string> Keys(const DrainStep& step, Act kind) {
    std::vector<std::string> keys;
    for (const DrainAct& act : step.acts) {
      if (act.kind == kind) keys.push_back(act.key);
    }
    return keys;
  }

  void Gone(const std::string& key) {
    std::erase_if(scene_.pods, [&](const Pod& pod) { return pod.key == key; });
  }

  WallTime now_ = kNow;
  DrainScene scene_;
  std::optional<DrainRun> run_;
};

TEST_F(DrainTest, Gardener_13_068_WithoutTheEvictionApiPodsAreRemoved) {
  Begin({.can_evict = false});
  for (int i = 0; i < 10; ++i) scene_.pods.push_back(Plain("p" + std::to_string(i)));
  const DrainStep step = LookAndAnswer(DrainAnswer::kAccepted);
  EXPECT_EQ(Keys(step, Act::kDelete).size(), 10u);
  EXPECT_THAT(Keys(step, Act::kEvict), IsEmpty());
}

TEST_F(DrainTest, Gardener_13_069_WithItTheyAreAskedAllAtOnce) {
  Begin();
  for (int i = 0; i < 10; ++i) scene_.pods.push_back(Plain("p" + std::to_string(i)));
  EXPECT_EQ(Keys(LookAndAnswer(DrainAnswer::kAccepted), Act::kEvict).size(), 10u);
  EXPECT_THAT(Look().acts, IsEmpty());
  scene_.pods.clear();
  EXPECT_EQ(Look().state, DrainState::kDone);
}

TEST_F(DrainTest, Gardener_13_070_PodsWithVolumesGoOneAfterTheOther) {
  Begin();
  scene_.pods = {WithVolume("a", 1), WithVolume("b", 5)};
  EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kAccepted), Act::kEvict), ElementsAre("b"));
  Gone("b");
  EXPECT_THAT(Look().acts, IsEmpty());  // its volume is still attached
  EXPECT_EQ(Look().turn, "b");
  scene_.turn_detached = true;
  EXPECT_THAT(Look().acts, IsEmpty());  // and not attached elsewhere
  scene_.turn_reattached = true;
  EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kAccepted), Act::kEvict), ElementsAre("a"));
  Gone("a");
  scene_.turn_detached = scene_.turn_reattached = false;
  EXPECT_EQ(Look().state, DrainState::kRunning);
  scene_.turn_detached = scene_.turn_reattached = true;
  EXPECT_EQ(Look().state, DrainState::kDone);
}

TEST_F(DrainTest, AVolumeThatDoesNotComeUpElsewhereIsNotAwaitedForEver) {
  Begin();
  scene_.pods = {WithVolume("a"), WithVolume("b")};
  LookAndAnswer(DrainAnswer::kAccepted);
  Gone("a");
  scene_.turn_detached = true;
  EXPECT_EQ(Look().look_again, now_ + 90s);
  now_ += 90s;
  EXPECT_THAT(Keys(Look(), Act::kEvict), ElementsAre("b"));
}

TEST_F(DrainTest, AVolumeThatStaysIsSaidAndTheNextOneGoes) {
  Begin();
  scene_.pods = {WithVolume("a"), WithVolume("b")};
  LookAndAnswer(DrainAnswer::kAccepted);
  Gone("a");
  EXPECT_EQ(Look().look_again, now_ + 30s + 2min);
  now_ += 30s + 2min;
  const DrainStep step = Look();
  EXPECT_THAT(Keys(step, Act::kEvict), ElementsAre("b"));
  EXPECT_THAT(step.blockers, ElementsAre(Blocker{"a", Why::kVolumeStays}));
}

TEST_F(DrainTest, Gardener_13_072_BothGroupsGoAtTheSameTime) {
  Begin();
  for (int i = 0; i < 10; ++i) scene_.pods.push_back(Plain("p" + std::to_string(i)));
  scene_.pods.push_back(WithVolume("v1"));
  scene_.pods.push_back(WithVolume("v2"));
  EXPECT_EQ(LookAndAnswer(DrainAnswer::kAccepted).acts.size(), 11u);
}

TEST_F(DrainTest, Gardener_13_073_ByForceAllAreRemovedAndNothingIsAwaited) {
  Begin({.forced = true});
  scene_.pods = {Plain("a"), WithVolume("b")};
  const DrainStep step = LookAndAnswer(DrainAnswer::kAccepted);
  EXPECT_THAT(Keys(step, Act::kDelete), ElementsAre("a", "b"));
  EXPECT_EQ(Look().state, DrainState::kDone);  // though they are still there
}

TEST_F(DrainTest, ByForceAnErrorIsAnError) {
  Begin({.forced = true});
  scene_.pods = {Plain("a")};
  LookAndAnswer(DrainAnswer::kFailed);
  EXPECT_EQ(Look().state, DrainState::kBlocked);
}

TEST_F(DrainTest, Gardener_13_074_ALongGraceDoesNotHoldUpPodsThatGoAtOnce) {
  Begin();
  scene_.pods = {Plain("a")};
  scene_.pods[0].grace = 2min;
  LookAndAnswer(DrainAnswer::kAccepted);
  EXPECT_EQ(Look().look_again, now_ + 2min + 30s);
  scene_.pods.clear();
  EXPECT_EQ(Look().state, DrainState::kDone);
}

TEST_F(DrainTest, ARefusedPodIsAskedAgainAndInTheEndRemoved) {
  Begin();
  scene_.pods = {Plain("a")};
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kRefused), Act::kEvict), ElementsAre("a"));
    const DrainStep waiting = Look();
    EXPECT_THAT(waiting.acts, IsEmpty());
    EXPECT_EQ(waiting.look_again, now_ + 20s);
    now_ += 20s;
  }
  EXPECT_THAT(Keys(Look(), Act::kDelete), ElementsAre("a"));
}

TEST_F(DrainTest, APodThatIsReleasedNeedNotWaitForItsTime) {
  Begin();
  scene_.pods = {Plain("a")};
  LookAndAnswer(DrainAnswer::kRefused);
  run_->Release(Uid("a"));
  now_ += 1s;
  EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kAccepted), Act::kEvict), ElementsAre("a"));
}

TEST_F(DrainTest, APodThatIsReleasedInVainIsRemovedNoSooner) {
  Begin();
  scene_.pods = {Plain("a")};
  for (int i = 0; i < 3; ++i) {
    LookAndAnswer(DrainAnswer::kRefused);
    const WallTime time = now_ + 20s;
    for (int j = 0; j < 5; ++j) {
      now_ += 1s;
      run_->Release(Uid("a"));
      EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kRefused), Act::kEvict), ElementsAre("a"));
      EXPECT_THAT(Look().acts, IsEmpty());
      EXPECT_EQ(Look().look_again, time);
    }
    now_ = time;
  }
  EXPECT_THAT(Keys(Look(), Act::kDelete), ElementsAre("a"));
}

TEST_F(DrainTest, ARefusedPodWithAVolumeLetsOthersGoFirst) {
  Begin();
  scene_.pods = {WithVolume("a", 9), WithVolume("b", 1)};
  EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kRefused), Act::kEvict), ElementsAre("a"));
  EXPECT_THAT(Keys(Look(), Act::kEvict), ElementsAre("b"));
}

TEST_F(DrainTest, ABudgetThatForbidsForGoodBlocksAndIsNamed) {
  Begin();
  scene_.pods = {Plain("a"), Plain("b")};
  const DrainStep first = Look();
  run_->Note(first.acts[0], DrainAnswer::kForbidden, now_);
  run_->Note(first.acts[1], DrainAnswer::kAccepted, now_);
  Gone("b");
  const DrainStep step = Look();
  EXPECT_EQ(step.state, DrainState::kBlocked);
  EXPECT_THAT(step.blockers, ElementsAre(Blocker{"a", Why::kBudgetForbidsForGood}));
  EXPECT_EQ(step.look_again, now_ + 20s);  // a person may have changed it
  for (int i = 0; i < 10; ++i) {
    now_ += 20s;
    EXPECT_THAT(Keys(LookAndAnswer(DrainAnswer::kForbidden), Act::kEvict), ElementsAre("a"));
  }
}

TEST_F(DrainTest, APodThatDoesNotGoIsSaid) {
  Begin();
  scene_.pods = {Plain("a")};
  LookAndAnswer(DrainAnswer::kAccepted);
  now_ += 60s;
  const DrainStep step = Look();
  EXPECT_EQ(step.state, DrainState::kBlocked);
  EXPECT_THAT(step.blockers, ElementsAre(Blocker{"a", Why::kDoesNotGo}));
}

TEST_F(DrainTest, B_20_TimeOverIsNotSuccess) {
  Begin({.limit = 10min});
  scene_.pods = {WithVolume("a")};
  LookAndAnswer(DrainAnswer::kRefused);
  now_ += 10min;
  EXPECT_EQ(Look().state, DrainState::kTimeOver);
}

TEST_F(DrainTest, WithoutItsNodeNothingIsAwaited) {
  Begin();
  scene_.pods = {WithVolume("a")};
  LookAndAnswer(DrainAnswer::kAccepted);
  scene_.pods.clear();
  EXPECT_EQ(Look().state, DrainState::kRunning);
  scene_.node_exists = false;
  EXPECT_EQ(Look().state, DrainState::kDone);
}

TEST_F(DrainTest, B_16_ActsNameThePodByItsUid) {
  Begin();
  scene_.pods = {Plain("a")};
  EXPECT_EQ(Look().acts[0].uid, Uid("a"));
}

TEST(DrainAttempts, AreNoMoreThanFitIntoItsTime) {
  EXPECT_EQ(MaxAttempts(360, 2h, 20s), 360);
  EXPECT_EQ(MaxAttempts(360, 10min, 20s), 30);
  EXPECT_EQ(MaxAttempts(5, 2h, 20s), 5);
}

// Whatever the cluster answers, a run ends within its time, and is always looked at again until
// then.
RC_GTEST_PROP(DrainRuns, EndInTime, ()) {
  DrainScene scene;
  const int pods = *rc::gen::inRange(0, 6);
  for (int i = 0; i < pods; ++i) {
    const std::string key = "p" + std::to_string(i);
    Pod pod{.uid = Uid(key), .key = key, .priority = *rc::gen::inRange(0, 3), .grace = 30s};
    if (*rc::gen::arbitrary<bool>()) pod.volumes = {"pv-" + key};
    scene.pods.push_back(pod);
  }
  WallTime now = kNow;
  DrainRun run({.max_attempts = *rc::gen::inRange(1, 4), .limit = 30min}, now);
  for (int looks = 0; looks < 1000; ++looks) {
    scene.turn_detached = *rc::gen::arbitrary<bool>();
    scene.turn_reattached = scene.turn_detached && *rc::gen::arbitrary<bool>();
    const DrainStep step = run.Plan(scene, now);
    int with_volumes = 0;
    for (const DrainAct& act : step.acts) {
      const auto pod = std::ranges::find(scene.pods, act.key, &Pod::key);
      with_volumes += !pod->volumes.empty();
      const auto answer = *rc::gen::element(DrainAnswer::kAccepted, DrainAnswer::kRefused,
                                            DrainAnswer::kForbidden, DrainAnswer::kFailed);
      run.Note(act, answer, now);
      if (answer == DrainAnswer::kAccepted && *rc::gen::arbitrary<bool>()) scene.pods.erase(pod);
    }
    RC_ASSERT(with_volumes <= 1);
    if (step.state == DrainState::kDone || step.state == DrainState::kTimeOver) return;
    RC_ASSERT(step.look_again.has_value());
    if (step.acts.empty()) {
      RC_ASSERT(*step.look_again > now);
      now = *step.look_again;
    }
    RC_ASSERT(now <= kNow + 30min);
  }
  RC_FAIL("it did not end");
}

}  // namespace
}  // namespace millwright::core
