#include "core/node/sync.h"

#include <algorithm>

namespace millwright::core {

KeyChanges SyncKeys(const FindPresent& present, const StringMap& wanted,
                    const std::set<std::string>& ours) {
  KeyChanges changes;
  for (const auto& [key, value] : wanted) {
    if (present(key) != value) changes.set.emplace(key, value);
  }
  for (const std::string& key : ours) {
    if (!wanted.contains(key) && present(key)) changes.remove.push_back(key);
  }
  return changes;
}

KeyChanges SyncKeys(const StringMap& present, const StringMap& wanted,
                    const std::set<std::string>& ours) {
  const auto find = [&](std::string_view key) -> std::optional<std::string_view> {
    const auto it = present.find(std::string(key));
    return it == present.end() ? std::nullopt : std::optional<std::string_view>(it->second);
  };
  return SyncKeys(FindPresent(find), wanted, ours);
}

TaintId IdOf(const Taint& taint) { return {taint.key, taint.effect}; }

bool HasTaint(const std::vector<Taint>& taints, const TaintId& id) {
  return std::ranges::any_of(taints, [&](const Taint& taint) { return IdOf(taint) == id; });
}

std::vector<Taint> SyncTaints(const std::vector<Taint>& present, const std::vector<Taint>& wanted,
                              const std::set<TaintId>& ours) {
  std::vector<Taint> result;
  for (const Taint& taint : present) {
    const auto replacement = std::ranges::find(wanted, IdOf(taint), IdOf);
    if (replacement != wanted.end()) {
      result.push_back(*replacement);
    } else if (!ours.contains(IdOf(taint))) {
      result.push_back(taint);
    }
  }
  for (const Taint& taint : wanted) {
    if (!HasTaint(result, IdOf(taint))) result.push_back(taint);
  }
  return result;
}

TrackedTaints SyncTrackedTaints(const std::vector<Taint>& present,
                                const std::vector<WantedTaint>& wanted,
                                const std::optional<std::set<TaintId>>& tracked) {
  std::vector<Taint> kept;
  std::set<TaintId> ours = tracked.value_or(std::set<TaintId>{});
  TrackedTaints result;
  for (const auto& [taint, only_at_first] : wanted) {
    if (!only_at_first) {
      kept.push_back(taint);
      result.tracked.insert(IdOf(taint));
      continue;
    }
    // What was kept and now is for new nodes only stays where it is, as nobody's.
    ours.erase(IdOf(taint));
    const bool is_new = !tracked.has_value();
    if (is_new && !HasTaint(present, IdOf(taint))) kept.push_back(taint);
  }
  result.taints = SyncTaints(present, kept, ours);
  return result;
}

}  // namespace millwright::core
