// Changing machines instead of replacing them, where that is possible. The sizes were planned as if
// machines were replaced, which costs no less availability; here it is decided that they move
// instead, and that surge is then not needed.
#include <algorithm>

#include "core/budgeted/draft.h"

namespace millwright::core::budgeted {
namespace {

using Kind = RolloutReason::Kind;

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

// New machines of this pass that exist only thanks to the allowed surge.
int SurgeUsed(const Draft& draft) {
  int total = 0;
  for (const DraftSet* set : draft.all()) total += std::max(set->target(), set->existing());
  const int growth = draft.current.target() - draft.current.wished;
  return std::min(growth, std::max(total - draft.wished_total(), 0));
}

// Something is under way that may make room, so that no machine has to be made for it.
bool IsMoving(const Draft& draft) {
  const DraftSet& current = draft.current;
  if (current.wished != current.existing()) return true;
  for (const DraftSet& set : draft.old) {
    if (set.wished < set.existing() || set.target() < set.wished) return true;
  }
  return draft.scene.in_place.any_updating || current.wished != current.set->seen.up_to_date ||
         current.wished != current.available();
}

void GiveUpSurge(Draft& draft) {
  DraftSet& current = draft.current;
  if (!current.intent || *current.intent <= current.wished) return;
  const int used = SurgeUsed(draft);
  if (used <= 0) return;
  int growth = std::max(*current.intent - current.wished - used, 0);
  if (growth == 0 && !IsMoving(draft)) {
    growth = 1;
    current.Because({.kind = Kind::kSurgeForUpdates});
  } else {
    current.Because({.kind = Kind::kSurgeDropped, .a = used});
  }
  if (growth == 0) {
    current.intent.reset();
  } else {
    current.intent = current.wished + growth;
  }
}

}  // namespace

std::vector<std::string> SetsToAskAbout(const Scene& scene,
                                        const std::vector<std::string>& may_update_in_place) {
  std::vector<std::string> names;
  Draft draft(scene);
  CountMovedMachines(draft);
  if (draft.current.wished >= draft.wished_total()) return names;
  for (const DraftSet& set : draft.old) {
    if (set.existing() > 0 && Contains(may_update_in_place, set.set->name)) {
      names.push_back(set.set->name);
    }
  }
  return names;
}

void PreferInPlace(Draft& draft) {
  if (draft.current.wished >= draft.wished_total()) return;
  for (DraftSet& set : draft.old) {
    if (set.existing() <= 0 || !Contains(draft.scene.in_place.updatable, set.set->name)) continue;
    set.moves_to = draft.current.set->name;
    set.Because({.kind = Kind::kMovesTo, .names = {set.moves_to}});
    draft.receives_from.push_back(set.set->name);
  }
  if (draft.receives_from.empty()) return;
  std::ranges::sort(draft.receives_from);
  GiveUpSurge(draft);
}

}  // namespace millwright::core::budgeted
