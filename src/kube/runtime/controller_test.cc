#include "kube/runtime/controller.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "kube/api/status.h"
#include "kube/runtime/retry_policy.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

class ControllerTest : public testing::Test {
 protected:
  void Start(std::size_t workers = 10) {
    controller_.emplace(process_.executor(), clock_, log_.For("test"),
                        ControllerOptions{.name = "test", .workers = workers},
                        [this](ObjectKey key) { return Reconcile(std::move(key)); });
    tasks_.Spawn([this] { return controller_->Run(); });
    world_.Settle();
  }

  Task<Result<Requeue>> Reconcile(ObjectKey key) {
    trace_.push_back(key.name + "@" + Now());
    ++active_;
    most_active_ = std::max(most_active_, active_);
    co_await SleepFor(clock_, work_takes_);
    --active_;
    if (key.name == "throws") throw std::runtime_error("boom");
    if (key.name == "throws 7") throw 7;
    if (add_after_) controller_->queue().AddAfter(key, *std::exchange(add_after_, std::nullopt));
    if (!answers_.empty()) {
      Result<Requeue> answer = std::move(answers_.front());
      answers_.erase(answers_.begin());
      co_return answer;
    }
    co_return Requeue::WhenChanged();
  }

  std::string Now() const {
    return std::to_string(
        std::chrono::duration_cast<std::chrono::milliseconds>(world_.Elapsed().time_since_epoch())
            .count());
  }

  void Add(const std::string& name) { controller_->queue().Add({"", name}); }

  ~ControllerTest() override {
    tasks_.Cancel();
    world_.Settle();
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Duration work_takes_{};
  std::optional<Duration> add_after_;  // by the next pass
  int active_ = 0;
  int most_active_ = 0;
  std::vector<Result<Requeue>> answers_;
  std::vector<std::string> trace_;
  CapturingSink lines_;
  Log log_{lines_, clock_, {.all = LogLevel::kDebug}};
  std::optional<Controller> controller_;
  TaskGroup tasks_{process_.executor()};
};

// Whoever is about the object itself is told of its end anyway; all else is for people.
TEST_F(ControllerTest, AnObjectThatIsGoneIsNothingToLookAt) {
  const auto missing = [](std::string name) {
    return Failure(ErrorFrom(Status{.message = "machines \"" + name + "\" not found",
                                    .reason = "NotFound",
                                    .details = {.name = name, .kind = "machines"},
                                    .code = 404}));
  };
  answers_ = {missing("gone"), missing("another")};
  Start();
  Add("gone");
  world_.Settle();
  EXPECT_THAT(lines_.lines(), testing::Not(testing::Contains(testing::HasSubstr("WARN"))));
  world_.Advance(1min);
  EXPECT_THAT(lines_.lines(), testing::Contains(testing::HasSubstr("WARN")));
}

TEST_F(ControllerTest, NeverRunsMoreThanItsWorkers) {
  work_takes_ = 1s;
  Start(3);
  for (int i = 0; i < 9; ++i) Add("k" + std::to_string(i));
  world_.Advance(10s);
  EXPECT_EQ(trace_.size(), 9u);
  EXPECT_EQ(most_active_, 3);
}

TEST_F(ControllerTest, AKeyChangedWhileItRunsRunsAgainAfterwards) {
  work_takes_ = 100ms;
  Start();
  Add("a");
  world_.Advance(50ms);
  Add("a");
  world_.Advance(1s);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@100"));
  EXPECT_EQ(most_active_, 1);
}

TEST_F(ControllerTest, ComesBackWhenItWasAskedTo) {
  answers_.emplace_back(Requeue::After(30s));
  Start();
  Add("a");
  world_.Advance(1min);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@30000"));
}

TEST_F(ControllerTest, TheLastAnswerDecidesWhenToComeBack) {
  answers_.emplace_back(Requeue::After(30s));
  answers_.emplace_back(Requeue::WhenChanged());
  Start();
  Add("a");
  world_.Advance(10s);
  Add("a");
  world_.Advance(1min);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@10000"));
}

TEST_F(ControllerTest, FailuresBackOffAndSuccessResets) {
  answers_.emplace_back(Fail(ErrorKind::kConflict, "x"));
  answers_.emplace_back(Fail(ErrorKind::kUnavailable, "x"));
  Start();
  Add("a");
  world_.Advance(1min);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@5", "a@15"));
  EXPECT_EQ(controller_->queue().Failures({"", "a"}), 0);
}

TEST_F(ControllerTest, AConflictIsNothingToWarnOf) {
  answers_.emplace_back(Fail(ErrorKind::kConflict, "a newer one is there"));
  Start();
  Add("a");
  world_.Advance(1min);
  ASSERT_EQ(lines_.Count("a newer one is there"), 1u);
  EXPECT_EQ(lines_.Count("reconcile failed"), 0u);
  log_.SetLevels({.all = LogLevel::kInfo});
  answers_.emplace_back(Fail(ErrorKind::kConflict, "and again"));
  answers_.emplace_back(Fail(ErrorKind::kUnavailable, "nobody answers"));
  Add("a");
  world_.Advance(1min);
  EXPECT_EQ(lines_.Count("and again"), 0u);
  EXPECT_EQ(lines_.Count("nobody answers"), 1u);
}

TEST_F(ControllerTest, TheServersHintIsObeyed) {
  answers_.emplace_back(Failure(Error(ErrorKind::kThrottled, "x").WithRetryAfter(7s)));
  Start();
  Add("a");
  world_.Advance(1min);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@7000"));
}

TEST_F(ControllerTest, AHintOutweighsAnEarlierWishToComeBack) {
  answers_.emplace_back(Requeue::After(30s));
  answers_.emplace_back(Failure(Error(ErrorKind::kThrottled, "x").WithRetryAfter(60s)));
  Start();
  Add("a");
  world_.Advance(10s);
  Add("a");
  world_.Advance(5min);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@10000", "a@70000"));
}

TEST_F(ControllerTest, AWishMadeDuringAPassHoldsWhateverThePassReturns) {
  Start();
  add_after_ = 20s;
  Add("succeeds");
  world_.Advance(1min);
  add_after_ = 20s;
  answers_.emplace_back(Fail(ErrorKind::kInvalid, "x"));
  Add("fails");
  world_.Advance(1min);
  add_after_ = 20s;
  answers_.emplace_back(Requeue::After(5s));
  Add("returns");
  world_.Advance(1min);
  EXPECT_THAT(trace_, ElementsAre("succeeds@0", "succeeds@20000", "fails@60000", "fails@80000",
                                  "returns@120000", "returns@125000"));
}

TEST_F(ControllerTest, WhatOnlyAPersonCanMendIsTriedSlowlyButAChangeAtOnce) {
  answers_.emplace_back(Fail(ErrorKind::kInvalid, "x"));
  Start();
  Add("a");
  world_.Advance(4min);
  EXPECT_THAT(trace_, ElementsAre("a@0"));
  Add("a");
  world_.Advance(0s);
  EXPECT_THAT(trace_, ElementsAre("a@0", "a@240000"));
}

TEST_F(ControllerTest, AnExceptionIsThatKeysErrorAndTheOthersGoOn) {
  Start();
  Add("throws");
  Add("throws 7");
  Add("fine");
  world_.Advance(4ms);
  EXPECT_THAT(trace_, ElementsAre("throws@0", "throws 7@0", "fine@0"));
  EXPECT_EQ(controller_->queue().Failures({"", "throws"}), 1);
  EXPECT_EQ(controller_->queue().Failures({"", "throws 7"}), 1);
  world_.Advance(1ms);
  EXPECT_THAT(trace_, testing::IsSupersetOf({"throws@5", "throws 7@5"}));
}

TEST_F(ControllerTest, StoppingWaitsForWhatIsInFlight) {
  work_takes_ = 1h;
  Start();
  Add("a");
  world_.Settle();
  tasks_.Cancel();
  world_.Settle();
  EXPECT_EQ(tasks_.size(), 0u);
  EXPECT_EQ(active_, 0);
}

struct RetryCase {
  ErrorKind kind;
  Retry want;
};

class RetryForTest : public testing::TestWithParam<RetryCase> {};

TEST_P(RetryForTest, FollowsTheKind) {
  EXPECT_EQ(RetryFor(Error(GetParam().kind, "")), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, RetryForTest,
                         testing::Values(RetryCase{ErrorKind::kNotFound, Retry::kBackOff},
                                         RetryCase{ErrorKind::kConflict, Retry::kBackOff},
                                         RetryCase{ErrorKind::kUnavailable, Retry::kBackOff},
                                         RetryCase{ErrorKind::kInDoubt, Retry::kBackOff},
                                         RetryCase{ErrorKind::kNoCapacity, Retry::kBackOff},
                                         RetryCase{ErrorKind::kInternal, Retry::kBackOff},
                                         RetryCase{ErrorKind::kThrottled, Retry::kAfterHint},
                                         RetryCase{ErrorKind::kInvalid, Retry::kSlowly},
                                         RetryCase{ErrorKind::kPermission, Retry::kBackOff},
                                         RetryCase{ErrorKind::kUnauthenticated, Retry::kBackOff},
                                         RetryCase{ErrorKind::kCancelled, Retry::kNever}));

}  // namespace
}  // namespace millwright::kube
