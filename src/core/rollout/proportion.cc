#include "core/rollout/proportion.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace millwright::core {
namespace {

// Of equals, the newer grows first and the older shrinks first.
std::vector<size_t> Order(std::span<const MachineSet> sets, bool grows) {
  std::vector<size_t> order(sets.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    if (sets[a].replicas != sets[b].replicas) return sets[a].replicas > sets[b].replicas;
    if (sets[a].created != sets[b].created) {
      return grows ? sets[a].created > sets[b].created : sets[a].created < sets[b].created;
    }
    return sets[a].name < sets[b].name;
  });
  return order;
}

int ShareOf(const MachineSet& set, const ProportionRule& rule) {
  if (rule.wished == 0) return -set.replicas;
  const int part_of = set.max_note.value_or(rule.fallback_max);
  if (part_of <= 0) return 0;
  const double size = static_cast<double>(set.replicas) * rule.allowed / part_of;
  return static_cast<int>(std::round(size)) - set.replicas;
}

}  // namespace

std::vector<int> Proportions(std::span<const MachineSet> sets, const ProportionRule& rule) {
  std::vector<int> sizes;
  int total = 0;
  for (const MachineSet& set : sets) {
    sizes.push_back(set.replicas);
    total += set.replicas;
  }
  int left = rule.allowed - total;
  const std::vector<size_t> order = Order(sets, left > 0);
  for (const size_t index : order) {
    if (left == 0) break;
    const int share = ShareOf(sets[index], rule);
    const int change = left > 0 ? std::clamp(share, 0, left) : std::clamp(share, left, 0);
    sizes[index] += change;
    left -= change;
  }
  if (left != 0 && !order.empty()) {
    int& first = sizes[order.front()];
    first = std::max(first + left, 0);
  }
  return sizes;
}

}  // namespace millwright::core
