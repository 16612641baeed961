#include "core/replicas/plan.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/replicas/hand_over.h"

namespace millwright::core {
namespace {

using Pointers = std::vector<const Machine*>;

Pointers Counted(std::span<const Machine> machines, const ReplicaPolicy& policy) {
  Pointers counted;
  for (const Machine& machine : machines) {
    if (policy.counts_deleting || !machine.IsDeleting()) counted.push_back(&machine);
  }
  return counted;
}

int Burst(const ReplicaPolicy& policy) {
  return policy.burst.value_or(std::numeric_limits<int>::max());
}

CreationHold HoldOn(const MachineSet& set) {
  if (set.frozen) return CreationHold::kFrozen;
  if (set.creation_disabled) return CreationHold::kDisabled;
  return CreationHold::kNone;
}

ReplicaPlan PlanCreation(const MachineSet& set, int missing, const ReplicaPolicy& policy) {
  const CreationHold hold = HoldOn(set);
  if (hold != CreationHold::kNone) return {.hold = hold};
  return {.create = std::min(missing, Burst(policy))};
}

ReplicaPlan PlanEnd(std::span<const Machine> machines) {
  ReplicaPlan plan;
  for (const Machine& machine : machines) {
    if (!machine.IsDeleting()) plan.remove.push_back({machine.name, RemovalReason::kSetGoes});
  }
  return plan;
}

// Collects removals, each machine once, in the order of their reasons, up to the burst.
class Removals {
 public:
  explicit Removals(int most) : most_(most) {}

  void Add(const Machine& machine, RemovalReason reason) {
    // One that is going already satisfies its share of the surplus.
    if (machine.IsDeleting() || static_cast<int>(list_.size()) >= most_) return;
    if (names_.insert(machine.name).second) list_.push_back({machine.name, reason});
  }

  std::vector<Removal> Take() { return std::move(list_); }

 private:
  int most_;
  std::set<std::string> names_;
  std::vector<Removal> list_;
};

// Named by a scaler in, or before, the change of size that this set has heard of. It goes even when
// the number fits by now: the scaler's wish and the new size arrive by different ways.
bool IsMarkedByScaler(const Machine& machine, const MachineSet& set) {
  return set.scaler_time && machine.disposal.chosen && machine.disposal.marked_at &&
         *machine.disposal.marked_at <= *set.scaler_time;
}

bool IsKept(const Machine& machine, WallTime now) {
  if (machine.preservation.until) return machine.preservation.HoldsAt(now);
  switch (machine.preservation.wish) {
    case PreserveWish::kNow:
    case PreserveWish::kWhenFailed:
    case PreserveWish::kAutomatic: return true;  // about to be preserved
    case PreserveWish::kNone:
    case PreserveWish::kNever: return false;
  }
  return false;
}

void AddSurplus(Removals& removals, const Pointers& candidates, int surplus,
                const ReplicaPolicy& policy, WallTime now) {
  if (surplus <= 0) return;
  // Those that are going already fill no place in the burst.
  const auto going = static_cast<size_t>(std::ranges::count_if(
      candidates, [](const Machine* machine) { return machine->IsDeleting(); }));
  const size_t most = std::min<size_t>(surplus, going + static_cast<size_t>(Burst(policy)));
  for (const Machine* machine : FirstVictims(candidates, policy.victims, now, most)) {
    removals.Add(*machine, RemovalReason::kSurplus);
  }
}

// In an order that does not depend on the one given: there may be more than the burst.
void AddByName(Removals& removals, const Pointers& candidates, RemovalReason reason,
               const auto& goes) {
  Pointers going;
  std::ranges::copy_if(candidates, std::back_inserter(going),
                       [&](const Machine* machine) { return goes(*machine); });
  std::ranges::sort(going, {}, [](const Machine* machine) { return machine->name.view(); });
  for (const Machine* machine : going) removals.Add(*machine, reason);
}

// Those not counted in the wished size yet: deleting to make it fit would take the wrong ones.
int Unacknowledged(const MachineSet& set, const Pointers& counted) {
  if (!set.receives) return 0;
  return static_cast<int>(std::ranges::count_if(
      counted, [](const Machine* machine) { return machine->in_place.unacknowledged; }));
}

}  // namespace

ReplicaPlan PlanReplicas(const MachineSet& set, std::span<const Machine> machines,
                         const ReplicaPolicy& policy, WallTime now) {
  if (set.deleting) return PlanEnd(machines);
  const int wished = std::max(set.replicas, 0);
  const Pointers counted = Counted(machines, policy);
  const int have = static_cast<int>(counted.size());
  if (have < wished) return PlanCreation(set, wished - have, policy);

  // A machine that just arrived with its change done is not settled; it counts and is not touched.
  Pointers candidates;
  std::ranges::copy_if(counted, std::back_inserter(candidates),
                       [](const Machine* machine) { return !machine->in_place.handed_over; });
  const int surplus = static_cast<int>(candidates.size()) - Unacknowledged(set, counted) - wished;
  if (surplus > 0 && !set.moves_to.empty()) {
    return PlanHandOver(FirstVictims(candidates, policy.victims, now, candidates.size()), surplus);
  }

  Removals removals(Burst(policy));
  AddSurplus(removals, candidates, surplus, policy, now);
  AddByName(removals, candidates, RemovalReason::kMarkedByScaler,
            [&](const Machine& machine) { return IsMarkedByScaler(machine, set); });
  if (policy.replaces_failed) {
    AddByName(removals, candidates, RemovalReason::kFailed, [&](const Machine& machine) {
      return machine.phase == Phase::kFailed && !IsKept(machine, now);
    });
  }
  return {.remove = removals.Take()};
}

std::vector<int> SlowStartBatches(int count) {
  std::vector<int> batches;
  for (int size = 1; count > 0; size *= 2) {
    batches.push_back(std::min(size, count));
    count -= batches.back();
  }
  return batches;
}

}  // namespace millwright::core
