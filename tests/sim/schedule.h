// What happens in a run by chance: all of it is drawn from the seed before the
// run begins, so that single happenings can be left out when a failure is made
// small.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/sim/fault_plan.h"

namespace millwright::sim {

enum class What {
  // Users.
  kScaled,
  kRolled,
  kMachineDeleted,
  kMarked,  // somebody else writes into an object
  // The cloud.
  kVmHalted,  // for good
  kVmDestroyed,
  kVmDoubled,
  kAllHalted,  // for a while
  kQuota,
  kListLags,
  kGetLags,
  kCloudSlow,
  // The API server and the network.
  kServerAway,
  kCompaction,
  kWatchesHeld,
  kWatchesRepeated,
  // The controllers' process.
  kRival,
  kPaused,
  kTakenOver,  // paused, another one begins, and then both go on
  kClockJump,
  kStaleRestart,
};

struct Happening {
  What what = What::kScaled;
  Duration at{};     // since the run began
  Duration lasts{};  // where it does
  int amount = 0;
  std::uint64_t pick = 0;  // chooses among what there is

  std::string ToString() const;
};

struct Schedule {
  int replicas = 1;
  int surge = 1;
  int unavailable = 0;
  int pods = 0;
  int least_pods = 0;
  FaultPlan faults;
  std::vector<Happening> happenings;  // in order of time
};

Schedule DrawSchedule(std::uint64_t seed);

std::string_view NameOf(What what);

}  // namespace millwright::sim
