// A plan being made: the sets with what was decided about them so far.
#pragma once

#include <optional>
#include <vector>

#include "core/budgeted/plan.h"
#include "core/rollout/limits.h"

namespace millwright::core::budgeted {

struct DraftSet {
  const MachineSet* set = nullptr;
  int wished = 0;             // the set's size, with machines that were acknowledged in this pass
  std::optional<int> intent;  // the size it is to have, if that was decided
  std::string moves_to;
  std::vector<RolloutReason> reasons;

  int target() const { return intent.value_or(wished); }
  int existing() const { return set->seen.replicas; }
  int available() const { return set->seen.available; }

  // Once each: two steps may have the same reason.
  void Because(RolloutReason reason);
};

struct Draft {
  explicit Draft(const Scene& scene_given);

  const Scene& scene;
  Limits limits;
  DraftSet current;
  std::vector<DraftSet> old;  // the oldest first
  std::vector<std::string> receives_from;
  std::vector<std::string> acknowledged;

  int wished_total() const { return scene.deployment.replicas; }
  std::vector<const DraftSet*> all() const;

  Plan Finish() const;
};

// The steps; each builds on what the ones before it decided.
void CountMovedMachines(Draft& draft);
void SizeCurrentSet(Draft& draft, int max_total);
void ShrinkOldSets(Draft& draft);
void PreferInPlace(Draft& draft);
void BreakDeadlock(Draft& draft);

}  // namespace millwright::core::budgeted
