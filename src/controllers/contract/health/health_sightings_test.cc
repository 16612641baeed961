// Times on machines and nodes are believed as far as they can be true.
#include "controllers/contract/health/health_sightings.h"

#include <gtest/gtest.h>

#include "base/virtual/world.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

class HealthSightingsTest : public testing::Test {
 protected:
  WallTime Since(const char* object, WallTime said) const {
    std::vector<core::Condition> conditions = {
        {.type = "Ready", .status = "Unknown", .since = said}};
    sightings_.Correct(Uid(object), conditions);
    return conditions.front().since;
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  HealthSightings sightings_{clock_};
};

TEST_F(HealthSightingsTest, AMachineThatCameIsNoOlderThanThat) {
  sightings_.Came(Uid("1"));
  const WallTime then = clock_.Now();
  world_.JumpWallClock(1h);
  EXPECT_EQ(sightings_.Created(Uid("1"), then), then + 1h - 1s);
  EXPECT_EQ(sightings_.Created(Uid("2"), then), then) << "nobody saw it come";
  sightings_.Started(Uid("1"));
  EXPECT_EQ(sightings_.Created(Uid("1"), then), then);
}

TEST_F(HealthSightingsTest, AConditionThatTurnedBadIsSoSinceThen) {
  const WallTime then = clock_.Now();
  sightings_.TurnedBad(Uid("1"), "Ready");
  world_.JumpWallClock(1h);
  world_.Advance(10s);
  EXPECT_EQ(Since("1", then), then + 1h - 1s);
  EXPECT_EQ(Since("2", then), then);
  sightings_.TurnedGood(Uid("1"), "Ready");
  EXPECT_EQ(Since("1", then), then);
}

TEST_F(HealthSightingsTest, NothingTurnedBadTomorrow) {
  EXPECT_EQ(Since("1", clock_.Now() + 24h), clock_.Now());
}

TEST_F(HealthSightingsTest, WhatIsGoneIsForgotten) {
  const WallTime then = clock_.Now();
  for (const char* type : {"Disk", "Ready"}) sightings_.TurnedBad(Uid("1"), type);
  sightings_.TurnedBad(Uid("2"), "Ready");
  sightings_.Came(Uid("1"));
  sightings_.Gone(Uid("1"));
  world_.JumpWallClock(1h);
  EXPECT_EQ(Since("1", then), then);
  EXPECT_EQ(sightings_.Created(Uid("1"), then), then);
  EXPECT_EQ(Since("2", then), then + 1h - 1s);
}

}  // namespace
}  // namespace millwright::controllers::contract
