#include "base/system_clock.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "base/task_group.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;

// Deadlines of a few milliseconds at most: what is tested is the order, not how long it takes.
class SystemClockTest : public testing::Test {
 protected:
  static Task<void> SleepAndNote(Clock& clock, SteadyTime deadline, char name, std::string& trace) {
    const Wake why = co_await SleepUntil(clock, deadline);
    EXPECT_TRUE(why == Wake::kCancelled || clock.Elapsed() >= deadline);
    trace += why == Wake::kTimeout ? name : '!';
  }

  void Sleep(SteadyTime deadline, char name) {
    tasks_.Spawn([=, this] { return SleepAndNote(clock_, deadline, name, trace_); });
  }

  boost::asio::io_context loop_{1};
  SystemClock clock_{loop_.get_executor()};
  std::string trace_;
  TaskGroup tasks_{loop_.get_executor()};
};

TEST_F(SystemClockTest, WakesSleepersInOrder) {
  const SteadyTime now = clock_.Elapsed();
  Sleep(now + 3ms, 'c');
  Sleep(now + 1ms, 'a');
  Sleep(now + 2ms, 'b');
  Sleep(now - 1h, '0');
  loop_.run();
  EXPECT_EQ(trace_, "0abc");
}

TEST_F(SystemClockTest, ASleeperThatGivesUpDisturbsNobody) {
  const SteadyTime now = clock_.Elapsed();
  Sleep(now + 1ms, 'a');
  TaskGroup others(loop_.get_executor());
  std::string given_up;
  others.Spawn([&] { return SleepAndNote(clock_, now, 'x', given_up); });
  others.Spawn([&] { return SleepAndNote(clock_, now + 24h, 'y', given_up); });
  others.Spawn([&] { return SleepAndNote(clock_, kNever, 'z', given_up); });
  while (given_up.empty()) loop_.run_one();
  others.Cancel();
  loop_.run();
  EXPECT_EQ(trace_, "a");
  EXPECT_EQ(given_up, "x!!");
  // Nothing is armed any more, and it can be armed again.
  loop_.restart();
  Sleep(clock_.Elapsed() + 1ms, 'b');
  loop_.run();
  EXPECT_EQ(trace_, "ab");
}

TEST_F(SystemClockTest, TheCalendarIsTheSystems) {
  // After this was written, and not in some other unit.
  EXPECT_GT(clock_.Now(), *ParseTime("2024-01-01T00:00:00Z"));
  EXPECT_LT(clock_.Now(), *ParseTime("2200-01-01T00:00:00Z"));
}

}  // namespace
}  // namespace millwright
