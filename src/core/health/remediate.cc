#include "core/health/remediate.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace millwright::core {
namespace {

// Those a person asked for, then the newest: they have the least to lose.
std::vector<const RemediationCandidate*> InOrder(
    const std::vector<RemediationCandidate>& machines) {
  std::vector<const RemediationCandidate*> candidates;
  for (const RemediationCandidate& machine : machines) {
    if (machine.unhealthy && machine.asked_for && !machine.deleting) candidates.push_back(&machine);
  }
  std::sort(candidates.begin(), candidates.end(), [](const auto* a, const auto* b) {
    const auto key = [](const RemediationCandidate& machine) {
      return std::make_tuple(!machine.first, -machine.created.time_since_epoch(), machine.name);
    };
    return key(*a) < key(*b);
  });
  return candidates;
}

int Room(const RemediationScene& scene) {
  if (!scene.max_in_flight) return std::numeric_limits<int>::max();
  const auto in_flight =
      std::ranges::count_if(scene.machines, [](const RemediationCandidate& machine) {
        return machine.deleting && machine.being_replaced;
      });
  return std::max(*scene.max_in_flight - static_cast<int>(in_flight), 0);
}

}  // namespace

RemediationPlan PlanRemediation(const RemediationScene& scene) {
  RemediationPlan plan;
  for (const RemediationCandidate& machine : scene.machines) {
    if (!machine.deleting && machine.healthy && machine.asked_for)
      plan.recovered.push_back(machine.name);
  }
  int room = Room(scene);
  for (const RemediationCandidate* machine : InOrder(scene.machines)) {
    if (!scene.is_current) {
      plan.refused.push_back(machine->name);
    } else if (room == 0) {
      plan.deferred.push_back({machine->name, DeferReason::kLimit});
    } else if (--room; !scene.preflight.empty()) {
      plan.deferred.push_back({machine->name, DeferReason::kPreflight});
    } else {
      plan.replace.push_back(machine->name);
    }
  }
  return plan;
}

}  // namespace millwright::core
