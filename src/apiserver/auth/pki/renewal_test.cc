#include "apiserver/auth/pki/renewal.h"

#include <gtest/gtest.h>

#include "base/task_group.h"
#include "base/virtual/world.h"

namespace millwright::apiserver {
namespace {

using std::chrono::hours;

class RenewalTest : public testing::Test {
 protected:
  RenewalTest() : process_(world_), clock_(process_), tasks_(process_.executor()) {}

  void TearDown() override {
    tasks_.Cancel();
    world_.Settle();
  }

  void Start(WallTime first, Renew renew) {
    tasks_.Spawn([this, first, renew] { return RenewInTime(clock_, first, renew); });
    world_.Settle();
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  TaskGroup tasks_;
};

TEST_F(RenewalTest, ComesWhenItIsDue) {
  int renewed = 0;
  Start(clock_.Now() + hours(100), [&]() -> Result<WallTime> {
    ++renewed;
    return clock_.Now() + hours(1000);
  });
  world_.Advance(hours(99));
  EXPECT_EQ(renewed, 0);
  world_.Advance(hours(1));
  EXPECT_EQ(renewed, 1);
  world_.Advance(hours(999));
  EXPECT_EQ(renewed, 1);
  world_.Advance(hours(1));
  EXPECT_EQ(renewed, 2);
}

TEST_F(RenewalTest, TriesAgainAfterAnHour) {
  int tries = 0;
  Start(clock_.Now(), [&]() -> Result<WallTime> {
    if (++tries < 3) return Fail(ErrorKind::kPermission, "the disk is read-only");
    return clock_.Now() + hours(1000);
  });
  EXPECT_EQ(tries, 1);
  world_.Advance(hours(2));
  EXPECT_EQ(tries, 3);
  world_.Advance(hours(500));
  EXPECT_EQ(tries, 3);
}

TEST_F(RenewalTest, NeverIsFarAway) {
  int renewed = 0;
  Start(WallTime::max(), [&]() -> Result<WallTime> { return ++renewed, clock_.Now(); });
  world_.Advance(hours(24 * 365));
  EXPECT_EQ(renewed, 0);
}

}  // namespace
}  // namespace millwright::apiserver
