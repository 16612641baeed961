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
  kMarked,       // somebody else writes into an object
  kHeldBack,     // the deployment is paused for a while
  kNodeDeleted,  // the object, not the VM
  kBudgetShut,   // no pod may be evicted
  kRemade,       // the deployment is deleted, and made again once all of it is gone
  // The cloud.
  kVmHalted,  // for good
  kVmDestroyed,
  kVmDoubled,
  kAllHalted,  // for a while
  kQuota,
  kListLags,
  kGetLags,
  kCloudSlow,
  kVmFlaps,        // off, and on again
  kCreatesDouble,  // one call makes two VMs
  kCloudAway,
  kCloudForbids,
  kCloudMute,  // calls take effect, and nobody hears of it
  kHalfDone,   // calls fail half-way: cards and disks are made, or stay
  kUnheard,    // that from the beginning, and then a machine is deleted
  // The API server and the network.
  kServerAway,
  kCompaction,
  kWatchesHeld,
  kWatchesRepeated,
  kWatchesMerged,  // of what happened meanwhile only the end is told
  kHistoryGone,    // compacted: who was cut off lists anew
  kConflicts,      // every other write
  // The controllers' process.
  kRival,
  kPaused,
  kTakenOver,  // paused, another one begins, and then both go on
  kClockJump,
  kStaleRestart,
  kAncientRestart,  // as if most machines had never been
  kDaysOff,
};

// What can happen grows, and a seed that once failed is kept with the edition that it was drawn
// from: another one makes another run of it.
inline constexpr int kNewestEdition = 3;

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

Schedule DrawSchedule(std::uint64_t seed, int edition = kNewestEdition);

std::string_view NameOf(What what);

}  // namespace millwright::sim
