#include "controllers/shared/calendar.h"

#include <gtest/gtest.h>

#include "base/virtual/world.h"

namespace millwright::controllers {
namespace {

using namespace std::chrono_literals;

TEST(Calendar, WaitsForATimeAndNeverForLongWithoutAnotherLook) {
  const WallTime now(std::chrono::hours(24 * 365));
  EXPECT_EQ(WaitFor(now + 5s, now), 5s);
  EXPECT_EQ(WaitFor(now - 5s, now), 0s);
  EXPECT_EQ(WaitFor(now + 24h, now), 30min);
}

TEST(Calendar, WhatWasSeenHappenedThen) {
  VirtualWorld world;
  VirtualProcess process(world);
  const VirtualClock clock(process);
  const SteadyTime seen = clock.Elapsed();
  world.Advance(10s);
  const WallTime then = clock.Now() - 10s;
  EXPECT_EQ(AsCanBe(clock, then - 1h, seen), then - 1s);
  EXPECT_EQ(AsCanBe(clock, then + 1h, seen), then);
  EXPECT_EQ(AsCanBe(clock, then - 500ms, seen), then - 500ms);
}

TEST(Calendar, WhatWasNotSeenIsBelievedUnlessItIsOfTomorrow) {
  VirtualWorld world;
  VirtualProcess process(world);
  const VirtualClock clock(process);
  const WallTime now = clock.Now();
  EXPECT_EQ(AsCanBe(clock, now - 24h, std::nullopt), now - 24h);
  EXPECT_EQ(AsCanBe(clock, now + 24h, std::nullopt), now);
}

}  // namespace
}  // namespace millwright::controllers
