// How a set gets to the number of machines it should have.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/machine.h"
#include "core/model/machine_set.h"
#include "core/replicas/victims.h"

namespace millwright::core {

// Where systems differ.
struct ReplicaPolicy {
  // Whether a machine that is going still fills its place. If so, its replacement waits until it is
  // gone; if not, both exist for a while.
  bool counts_deleting = false;
  // Whether a failed machine is taken away (and so replaced) by its set.
  bool replaces_failed = false;
  // The most machines created, and the most deleted, in one pass; none: no limit.
  std::optional<int> burst;
  VictimOrder victims;
};

enum class RemovalReason {
  kSurplus,
  kMarkedByScaler,  // a scaler named it, and the set knows of the scaler's change
  kFailed,
  kToBeRemediated,  // it should have moved, but is to be replaced anyway
  kSetGoes,
};

struct Removal {
  std::string name;
  RemovalReason reason = RemovalReason::kSurplus;

  friend bool operator==(const Removal&, const Removal&) = default;
};

enum class CreationHold { kNone, kFrozen, kDisabled };

struct ReplicaPlan {
  int create = 0;
  CreationHold hold = CreationHold::kNone;  // machines are missing and none may be made
  std::vector<Removal> remove;
  std::vector<std::string> move;  // to the set that MachineSet::moves_to names

  friend bool operator==(const ReplicaPlan&, const ReplicaPlan&) = default;
};

// Total: every input has an answer. Creates or removes, never both in one pass. `machines` are
// those the set controls, in any order.
ReplicaPlan PlanReplicas(const MachineSet& set, std::span<const Machine> machines,
                         const ReplicaPolicy& policy, WallTime now);

// Sizes of the batches in which `count` creations go out, 1, 2, 4 and so on: if the first fails,
// the others need not be tried.
std::vector<int> SlowStartBatches(int count);

}  // namespace millwright::core
