// How far the old sets may shrink, and which of them first.
#include <algorithm>
#include <numeric>

#include "core/budgeted/draft.h"

namespace millwright::core::budgeted {
namespace {

using Kind = RolloutReason::Kind;

enum class Pass { kUnavailableOnly, kAny };

// Machines that sets are to lose already, decided earlier or in this pass. Any of them may be
// available.
int AlreadyGoing(const Draft& draft) {
  int going = 0;
  for (const DraftSet* set : draft.all()) {
    going += std::max(set->existing() - std::min(set->wished, set->target()), 0);
  }
  return going;
}

struct Budget {
  int shrink = 0;     // what all old sets together may give up
  int available = 0;  // what will be available if the worst happens
  int min_available = 0;
};

Budget BudgetFor(const Draft& draft) {
  Budget budget;
  int wished = 0;
  for (const DraftSet* set : draft.all()) {
    wished += set->wished;
    budget.available += set->available();
  }
  budget.min_available = draft.limits.MinAvailable(draft.wished_total());
  // New machines that do not become available stop the rollout, or it would spread what breaks
  // them.
  const int broken = std::max(draft.current.wished - draft.current.available(), 0);
  budget.shrink = std::max(wished - AlreadyGoing(draft) - budget.min_available - broken, 0);
  return budget;
}

struct Shrink {
  int by = 0;
  int machines_lost = 0;
};

// A set with available machines gives up no more existing ones than may become unavailable; wishes
// without machines behind them are free.
Shrink Bounded(const DraftSet& set, int by, const Budget& budget) {
  if (set.available() == 0) return {.by = by};
  const int spare = budget.available - budget.min_available;
  int target = std::max(set.target() - by, 0);
  if (const int lost = std::max(set.existing() - target, 0); lost > 0 && spare < lost) {
    target = std::min(set.existing() - std::max(spare, 0), set.target());
  }
  return {.by = std::max(set.target() - target, 0),
          .machines_lost = std::max(set.existing() - target, 0)};
}

void ShrinkPass(Draft& draft, Budget& budget, Pass pass) {
  for (DraftSet& set : draft.old) {
    if (budget.shrink <= 0) return;
    const int size = set.target();
    const int most = pass == Pass::kAny ? size : std::max(size - set.available(), 0);
    const int by = std::min(most, budget.shrink);
    if (size <= 0 || by <= 0) continue;

    const Shrink shrink = Bounded(set, by, budget);
    const int available_before = budget.available;
    budget.available -= std::min(set.available(), shrink.machines_lost);
    if (shrink.by == 0) continue;
    set.Because(budget.available == available_before
                    ? RolloutReason{.kind = Kind::kNoMachinesBehind}
                    : RolloutReason{.kind = Kind::kEnoughAvailable,
                                    .a = available_before,
                                    .b = budget.min_available});
    set.intent = std::max(size - shrink.by, 0);
    budget.shrink = std::max(budget.shrink - shrink.by, 0);
  }
}

}  // namespace

void ShrinkOldSets(Draft& draft) {
  const int old_total =
      std::accumulate(draft.old.begin(), draft.old.end(), 0,
                      [](int sum, const DraftSet& set) { return sum + set.wished; });
  if (old_total == 0) return;
  Budget budget = BudgetFor(draft);
  ShrinkPass(draft, budget, Pass::kUnavailableOnly);
  ShrinkPass(draft, budget, Pass::kAny);
}

// All is as wished, and yet old machines that are unavailable keep the rollout from going on,
// because nobody may assume that they would be the ones to go. One step is worth the risk.
void BreakDeadlock(Draft& draft) {
  int machines = 0;
  int available = 0;
  for (const DraftSet& set : draft.old) {
    machines += set.existing();
    available += set.available();
  }
  if (machines == 0 || machines == available) return;
  for (const DraftSet* set : draft.all()) {
    if (set->wished != set->existing() || set->intent) return;
  }
  if (draft.current.available() != draft.current.existing()) return;
  for (DraftSet& set : draft.old) {
    if (set.available() == set.existing() || set.wished == 0) continue;
    set.intent = std::max(set.wished - 1, 0);
    set.Because({.kind = Kind::kUnblocks});
    return;
  }
}

}  // namespace millwright::core::budgeted
