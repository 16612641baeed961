#include "core/budgeted/plan.h"

#include <algorithm>

#include "core/budgeted/draft.h"

namespace millwright::core::budgeted {

using Kind = RolloutReason::Kind;

// A machine that moved is counted once, when it is first seen here: the list of those counted is
// what remembers it.
void CountMovedMachines(Draft& draft) {
  const InPlaceFacts& facts = draft.scene.in_place;
  int fresh = 0;
  for (const std::string& name : facts.unacknowledged) {
    fresh += std::ranges::find(facts.acknowledged, name) == facts.acknowledged.end();
  }
  draft.acknowledged = facts.unacknowledged;
  std::ranges::sort(draft.acknowledged);
  if (fresh == 0) return;
  draft.current.wished += fresh;
  draft.current.Because({.kind = Kind::kCountsMoved, .names = draft.acknowledged});
}

void SizeCurrentSet(Draft& draft, int max_total) {
  DraftSet& current = draft.current;
  const int wished = draft.wished_total();
  if (current.wished == wished) return;
  if (current.wished > wished) {
    current.intent = wished;
    current.Because({.kind = Kind::kAboveWish});
    return;
  }
  // Machines that are going still take room, and so do machines that are still to come.
  int total = 0;
  for (const DraftSet* set : draft.all()) total += std::max(set->wished, set->existing());
  if (total >= max_total) return;
  current.intent = current.wished + std::min(max_total - total, wished - current.wished);
  current.Because({.kind = Kind::kRoomForMore, .a = total, .b = wished, .c = max_total - wished});
}

Plan PlanRollingUpdate(const Scene& scene) {
  Draft draft(scene);
  CountMovedMachines(draft);
  SizeCurrentSet(draft, draft.limits.MaxTotal(scene.deployment.replicas));
  ShrinkOldSets(draft);
  PreferInPlace(draft);
  BreakDeadlock(draft);
  return draft.Finish();
}

}  // namespace millwright::core::budgeted
