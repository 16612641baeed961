#include "base/signal.h"

#include <gtest/gtest.h>

#include "base/task_group.h"
#include "base/virtual/world.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;

class SignalTest : public testing::Test {
 protected:
  ~SignalTest() override {
    tasks_.Cancel();
    world_.Settle();
  }

  Task<void> WaitAndNote(char name) {
    const Wake why = co_await signal_.Wait();
    trace_ += why == Wake::kDone ? name : '!';
  }

  Task<void> WaitAtMost(Duration longest, char name) {
    const Wake why = co_await signal_.WaitUntil(clock_, clock_.Elapsed() + longest);
    trace_ += why == Wake::kDone ? name : why == Wake::kTimeout ? '-' : '!';
  }

  void Spawn(TaskGroup& group, char name) {
    group.Spawn([this, name] { return WaitAndNote(name); });
    world_.Settle();
  }

  std::string After(const std::function<void()>& act) {
    act();
    world_.Settle();
    return std::exchange(trace_, {});
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Signal signal_{process_.executor()};
  std::string trace_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(SignalTest, NotifyAllWakesWhoWaitsNow) {
  Spawn(tasks_, 'a');
  Spawn(tasks_, 'b');
  EXPECT_EQ(After([&] { signal_.NotifyAll(); }), "ab");
  Spawn(tasks_, 'c');
  EXPECT_EQ(trace_, "");
  EXPECT_EQ(After([&] { signal_.NotifyAll(); }), "c");
}

TEST_F(SignalTest, NotifyOneWakesWhoHasWaitedLongest) {
  for (const char name : {'a', 'b', 'c'}) Spawn(tasks_, name);
  EXPECT_EQ(After([&] { signal_.NotifyOne(); }), "a");
  EXPECT_EQ(After([&] {
              signal_.NotifyOne();
              signal_.NotifyOne();
              signal_.NotifyOne();
            }),
            "bc");
}

TEST_F(SignalTest, AWaiterThatWentAwayTakesNoWake) {
  TaskGroup others(process_.executor());
  Spawn(others, 'x');
  Spawn(tasks_, 'a');
  EXPECT_EQ(After([&] { others.Cancel(); }), "!");
  EXPECT_EQ(After([&] { signal_.NotifyOne(); }), "a");
}

TEST_F(SignalTest, ATimeoutTakesNoWakeEither) {
  tasks_.Spawn([this] { return WaitAtMost(1s, 'x'); });
  Spawn(tasks_, 'a');
  EXPECT_EQ(After([&] { world_.Advance(1s); }), "-");
  EXPECT_EQ(After([&] { signal_.NotifyOne(); }), "a");
}

TEST_F(SignalTest, WhoWasWokenLeavesNoTimer) {
  tasks_.Spawn([this] { return WaitAtMost(1h, 'a'); });
  world_.Settle();
  EXPECT_TRUE(world_.NextDeadline());
  EXPECT_EQ(After([&] { signal_.NotifyAll(); }), "a");
  EXPECT_FALSE(world_.NextDeadline());
}

TEST_F(SignalTest, WithNobodyWaitingNothingIsKept) {
  signal_.NotifyAll();
  signal_.NotifyOne();
  Spawn(tasks_, 'a');
  EXPECT_EQ(trace_, "");
}

}  // namespace
}  // namespace millwright
