#include "core/rollout/roles.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace millwright::core {
namespace {

std::vector<size_t> Indexes(size_t count) {
  std::vector<size_t> indexes(count);
  std::iota(indexes.begin(), indexes.end(), size_t{0});
  return indexes;
}

std::vector<size_t> Candidates(std::span<const MachineSet> sets, CurrentSetRule rule) {
  std::vector<size_t> order = ByAge(sets);
  std::erase_if(order, [&](size_t index) { return !sets[index].matches_template; });
  if (rule == CurrentSetRule::kLargest) {
    std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
      const auto key = [&](size_t i) {
        return std::make_tuple(-sets[i].replicas, sets[i].created, sets[i].name);
      };
      return key(a) < key(b);
    });
  }
  return order;
}

}  // namespace

std::vector<size_t> ByAge(std::span<const MachineSet> sets) {
  std::vector<size_t> order = Indexes(sets.size());
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(sets[a].created, sets[a].name) < std::tie(sets[b].created, sets[b].name);
  });
  return order;
}

SetRoles FindRoles(const Deployment& deployment, std::span<const MachineSet> sets,
                   CurrentSetRule rule, WallTime now) {
  const auto& after = deployment.rollout_after;
  const bool expired = after && *after <= now;
  const auto too_old = [&](size_t index) { return expired && sets[index].created < *after; };

  SetRoles roles;
  for (const size_t index : Candidates(sets, rule)) {
    if (!too_old(index)) {
      roles.current = index;
      break;
    }
  }
  for (const size_t index : ByAge(sets)) {
    if (roles.current == index) continue;
    const bool in_place = !sets[index].matches_template && !too_old(index);
    roles.old.push_back({.index = index, .may_update_in_place = in_place});
  }
  if (after && !expired) roles.look_again = *after;
  return roles;
}

}  // namespace millwright::core
