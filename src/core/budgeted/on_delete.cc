#include <algorithm>

#include "core/budgeted/draft.h"

namespace millwright::core::budgeted {
namespace {

using Kind = RolloutReason::Kind;

// Old sets follow their machines down, whoever deleted these; then the deployment's own wish for
// fewer machines is met from the oldest set on.
void FollowDeletions(Draft& draft) {
  int wished = draft.current.target();
  for (const DraftSet& set : draft.old) wished += set.wished;
  int excess = std::max(wished - draft.wished_total(), 0);

  for (DraftSet& set : draft.old) {
    const int missing = std::max(set.wished - set.existing(), 0);
    if (set.wished <= 0 || missing == 0) continue;
    set.intent = set.wished - missing;
    set.Because({.kind = Kind::kNoMachinesBehind});
    excess -= missing;
  }
  for (DraftSet& set : draft.old) {
    if (excess <= 0) return;
    const int by = std::min(set.target(), excess);
    if (by <= 0) continue;
    // Counted from the size and not from the step above, as the system we follow does: one pass
    // later the set has caught up with its machines and the rest goes too.
    set.intent = std::max(set.wished - by, 0);
    set.Because({.kind = Kind::kAboveWish});
    excess -= by;
  }
}

}  // namespace

Plan PlanOnDelete(const Scene& scene) {
  Draft draft(scene);
  SizeCurrentSet(draft, scene.deployment.replicas);
  FollowDeletions(draft);
  return draft.Finish();
}

}  // namespace millwright::core::budgeted
