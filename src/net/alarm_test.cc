#include "net/alarm.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>

#include "net/testing/manual_clock.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;

class AlarmTest : public testing::Test {
 protected:
  void Pass(Duration duration) {
    clock_.Advance(duration);
    io_.restart();
    io_.poll();
  }

  boost::asio::io_context io_{1};
  ManualClock clock_;
  int rung_ = 0;
  Alarm alarm_{io_.get_executor(), clock_, [this] { ++rung_; }};
};

TEST_F(AlarmTest, RingsOnceAtItsTime) {
  alarm_.Set(clock_.Elapsed() + 10s);
  Pass(9s);
  EXPECT_EQ(rung_, 0);
  Pass(1s);
  EXPECT_EQ(rung_, 1);
  Pass(1h);
  EXPECT_EQ(rung_, 1);
}

TEST_F(AlarmTest, ALaterTimeReplacesAnEarlierOne) {
  alarm_.Set(clock_.Elapsed() + 10s);
  alarm_.Set(clock_.Elapsed() + 20s);
  Pass(15s);
  EXPECT_EQ(rung_, 0);
  Pass(5s);
  EXPECT_EQ(rung_, 1);
}

TEST_F(AlarmTest, CancelledDoesNotRingEvenIfItsTimeHasJustCome) {
  alarm_.Set(clock_.Elapsed() + 10s);
  clock_.Advance(10s);
  alarm_.Cancel();
  Pass(0s);
  EXPECT_EQ(rung_, 0);
  EXPECT_FALSE(clock_.has_sleepers());
}

}  // namespace
}  // namespace millwright::net
