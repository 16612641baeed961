// Times on objects are believed as far as they can be true.
#include "controllers/machine/sightings.h"

#include <gtest/gtest.h>

#include "base/virtual/world.h"

namespace millwright::controllers {
namespace {

using namespace std::chrono_literals;
using dialects::MachineRecord;

class SightingsTest : public testing::Test {
 protected:
  MachineRecord Made(WallTime created, const char* uid = "1") const {
    MachineRecord machine;
    machine.meta.uid = Uid(uid);
    machine.core.created = created;
    machine.phase_since = created;
    return machine;
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  Sightings sightings_{clock_};
};

TEST_F(SightingsTest, WhatWasThereBeforeUsIsAsOldAsItSays) {
  const MachineRecord machine = Made(world_.Now() - 3h);
  sightings_.Saw(nullptr, &machine, false);
  EXPECT_EQ(sightings_.Created(machine), machine.core.created);
  EXPECT_EQ(sightings_.PhaseSince(machine), machine.phase_since);
}

TEST_F(SightingsTest, WhatWeSawComeIsNoOlderThanThat) {
  const MachineRecord machine = Made(world_.Now());
  sightings_.Saw(nullptr, &machine, true);
  world_.Advance(5s);
  EXPECT_EQ(sightings_.Created(machine), machine.core.created);
  world_.JumpWallClock(1h);
  EXPECT_EQ(sightings_.Created(machine), world_.Now() - 6s);
  EXPECT_EQ(sightings_.PhaseSince(machine), world_.Now() - 6s);
}

TEST_F(SightingsTest, NothingHappenedTomorrow) {
  const MachineRecord old = Made(world_.Now());
  sightings_.Saw(nullptr, &old, false);
  const MachineRecord seen = Made(world_.Now(), "2");
  sightings_.Saw(nullptr, &seen, true);
  world_.Advance(5s);
  world_.JumpWallClock(-24h);
  EXPECT_EQ(sightings_.Created(old), world_.Now());
  EXPECT_EQ(sightings_.Created(seen), world_.Now() - 5s);
}

TEST_F(SightingsTest, PhasesAndDeletionsAreSeenByThemselves) {
  const MachineRecord machine = Made(world_.Now() - 3h);
  sightings_.Saw(nullptr, &machine, false);
  MachineRecord unwell = machine;
  unwell.core.phase = core::Phase::kUnhealthy;
  unwell.phase_since = world_.Now();
  sightings_.Saw(&machine, &unwell, true);
  MachineRecord going = unwell;
  going.meta.deleting_since = world_.Now();
  world_.Advance(1min);
  sightings_.Saw(&unwell, &going, true);
  world_.JumpWallClock(24h);
  EXPECT_EQ(sightings_.Created(going), machine.core.created) << "nobody saw that";
  EXPECT_EQ(sightings_.PhaseSince(going), world_.Now() - 61s);
  EXPECT_EQ(sightings_.DeletingSince(going), world_.Now() - 1s);
}

TEST_F(SightingsTest, AnotherMachineOfTheSameNameIsAnother) {
  const MachineRecord first = Made(world_.Now() - 3h, "1");
  const MachineRecord second = Made(world_.Now() - 3h, "2");
  sightings_.Saw(nullptr, &first, false);
  sightings_.Saw(&first, &second, true);
  EXPECT_EQ(sightings_.Created(second), world_.Now() - 1s);
  sightings_.Saw(&second, nullptr, true);
  EXPECT_EQ(sightings_.Created(second), second.core.created) << "forgotten";
}

}  // namespace
}  // namespace millwright::controllers
