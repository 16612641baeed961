#include "core/replicas/victims.h"

#include <algorithm>
#include <compare>

namespace millwright::core {
namespace {

// How much is lost with a machine of that phase. What never ran, or is in the middle of something,
// has the least to lose.
int PhaseRank(Phase phase) {
  switch (phase) {
    case Phase::kNew:
    case Phase::kProvisioning:
    case Phase::kUpdating:
    case Phase::kUpdated:
    case Phase::kUpdateFailed:
    case Phase::kDeleting: return 0;
    case Phase::kFailed: return 1;
    case Phase::kCreateFailing: return 2;
    case Phase::kUnhealthy: return 3;
    case Phase::kJoining: return 4;
    case Phase::kAvailable: return 5;
    case Phase::kRunning: return 6;
  }
  return 0;
}

std::strong_ordering TrueFirst(bool a, bool b) { return b <=> a; }

// A time that is missing or in the future is no age at all.
WallTime BirthFor(const Machine& machine, WallTime now) {
  const bool unknown = machine.created == WallTime{} || machine.created > now;
  return unknown ? now : machine.created;
}

std::strong_ordering EarlierFirstMissingLast(const std::optional<WallTime>& a,
                                             const std::optional<WallTime>& b) {
  if (a && b) return *a <=> *b;
  return TrueFirst(a.has_value(), b.has_value());
}

std::strong_ordering ComparePreserved(VictimKey key, const Machine& a, const Machine& b,
                                      WallTime now) {
  const bool kept_a = a.preservation.HoldsAt(now);
  const bool kept_b = b.preservation.HoldsAt(now);
  if (key == VictimKey::kUnpreserved) return kept_a <=> kept_b;
  if (!kept_a || !kept_b) return std::strong_ordering::equal;
  if (key == VictimKey::kPreserveExpiry) return *a.preservation.until <=> *b.preservation.until;
  return TrueFirst(a.preservation.wish == PreserveWish::kAutomatic,
                   b.preservation.wish == PreserveWish::kAutomatic);
}

std::strong_ordering Compare(VictimKey key, const Machine& a, const Machine& b, WallTime now) {
  switch (key) {
    case VictimKey::kDeleting: return TrueFirst(a.IsDeleting(), b.IsDeleting());
    case VictimKey::kChosen: return TrueFirst(a.disposal.chosen, b.disposal.chosen);
    case VictimKey::kErrored: return TrueFirst(a.disposal.errored, b.disposal.errored);
    case VictimKey::kUpdating: return TrueFirst(a.in_place.updating, b.in_place.updating);
    case VictimKey::kUnhealthy: return TrueFirst(a.unhealthy, b.unhealthy);
    case VictimKey::kNodeless: return TrueFirst(!a.has_node, !b.has_node);
    case VictimKey::kUnpreserved:
    case VictimKey::kAutoPreserved:
    case VictimKey::kPreserveExpiry: return ComparePreserved(key, a, b, now);
    case VictimKey::kPriority: return a.disposal.priority <=> b.disposal.priority;
    case VictimKey::kMarkedTime:
      return EarlierFirstMissingLast(a.disposal.marked_at, b.disposal.marked_at);
    case VictimKey::kPhase: return PhaseRank(a.phase) <=> PhaseRank(b.phase);
    case VictimKey::kOlder: return BirthFor(a, now) <=> BirthFor(b, now);
    case VictimKey::kNewer: return BirthFor(b, now) <=> BirthFor(a, now);
    case VictimKey::kName: return a.name <=> b.name;
  }
  return std::strong_ordering::equal;
}

}  // namespace

std::vector<const Machine*> FirstVictims(std::span<const Machine* const> machines,
                                         const VictimOrder& order, WallTime now, std::size_t most) {
  std::vector<const Machine*> first(std::min(machines.size(), most));
  // A few of very many: the others need no order among themselves.
  std::ranges::partial_sort_copy(machines, first, [&](const Machine* a, const Machine* b) {
    for (const VictimKey key : order) {
      const auto difference = Compare(key, *a, *b, now);
      if (difference != std::strong_ordering::equal) return difference < 0;
    }
    return false;
  });
  return first;
}

}  // namespace millwright::core
