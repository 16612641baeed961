#include "core/rollout/revision.h"

#include <algorithm>
#include <utility>

namespace millwright::core {
namespace {

std::int64_t SecondHighest(std::span<const MachineSet> sets) {
  std::int64_t highest = 0;
  std::int64_t second = 0;
  for (const MachineSet& set : sets) {
    if (set.revision > highest) {
      second = std::exchange(highest, set.revision);
    } else {
      second = std::max(second, set.revision);
    }
  }
  return second;
}

}  // namespace

std::int64_t NextRevision(std::int64_t current, std::span<const MachineSet> old) {
  std::int64_t highest = 0;
  for (const MachineSet& set : old) highest = std::max(highest, set.revision);
  return std::max(current, highest + 1);
}

std::string ExtendHistory(std::string_view history, std::int64_t before, std::int64_t after) {
  std::string extended(history);
  if (before == 0 || before == after) return extended;
  if (!extended.empty()) extended += ',';
  return extended + std::to_string(before);
}

std::optional<size_t> FindRollbackTarget(std::span<const MachineSet> sets, std::int64_t wished) {
  const std::int64_t revision = wished > 0 ? wished : SecondHighest(sets);
  if (revision == 0) return std::nullopt;
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i].revision == revision) return i;
  }
  return std::nullopt;
}

}  // namespace millwright::core
