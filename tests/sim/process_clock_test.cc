// A process that stands still hears of its timers when it goes on.
#include "tests/sim/process_clock.h"

#include <gtest/gtest.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <vector>

namespace millwright::sim {
namespace {

using namespace std::chrono_literals;

class ProcessClockTest : public testing::Test {
 protected:
  static Task<void> Sleep(ProcessClockTest& test, Duration duration) {
    co_await SleepFor(test.clock_, duration);
    test.woken_.push_back(test.world_.Elapsed().time_since_epoch());
  }
  void Begin(Duration duration) {
    boost::asio::co_spawn(process_.executor(), Sleep(*this, duration), boost::asio::detached);
    world_.Settle();
  }

  VirtualWorld world_;
  std::vector<Duration> woken_;
  VirtualProcess process_{world_};
  ProcessClock clock_{process_};
};

TEST_F(ProcessClockTest, TimersFireInTheirTime) {
  Begin(10s);
  Begin(20s);
  world_.Advance(15s);
  EXPECT_EQ(woken_, (std::vector<Duration>{10s}));
}

TEST_F(ProcessClockTest, WhatWasDueDuringAPauseFiresAtItsEndAndTheRestInItsTime) {
  Begin(10s);
  Begin(40s);
  clock_.Pause(true);
  Begin(5s);
  world_.Advance(30s);
  EXPECT_TRUE(woken_.empty());
  clock_.Pause(false);
  world_.Advance(1min);
  EXPECT_EQ(woken_, (std::vector<Duration>{30s, 30s, 40s}));
}

TEST_F(ProcessClockTest, ItsCalendarCanBeWrong) {
  clock_.Skew(1h);
  EXPECT_EQ(clock_.Now(), world_.Now() + 1h);
  EXPECT_EQ(clock_.Elapsed(), world_.Elapsed());
}

}  // namespace
}  // namespace millwright::sim
