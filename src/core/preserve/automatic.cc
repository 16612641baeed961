#include "core/preserve/automatic.h"

#include <algorithm>
#include <tuple>

namespace millwright::core {
namespace {

std::vector<const Machine*> ByAge(std::vector<const Machine*> machines) {
  std::sort(machines.begin(), machines.end(), [](const Machine* a, const Machine* b) {
    return std::tie(a->created, a->name) < std::tie(b->created, b->name);
  });
  return machines;
}

}  // namespace

AutoPreservePlan PlanAutoPreservation(std::span<const Machine> machines, int quota) {
  std::vector<const Machine*> ours;
  std::vector<const Machine*> failed;
  for (const Machine& machine : machines) {
    if (machine.preservation.wish == PreserveWish::kAutomatic) ours.push_back(&machine);
    const bool free = machine.preservation.wish == PreserveWish::kNone && !machine.IsDeleting();
    if (machine.phase == Phase::kFailed && free) failed.push_back(&machine);
  }
  ours = ByAge(std::move(ours));
  failed = ByAge(std::move(failed));

  AutoPreservePlan plan;
  int room = std::max(quota, 0) - static_cast<int>(ours.size());
  for (auto it = failed.rbegin(); it != failed.rend() && room > 0; ++it, --room) {
    plan.keep.push_back((*it)->name);
  }
  for (auto it = ours.begin(); it != ours.end() && room < 0; ++it, ++room) {
    plan.release.push_back((*it)->name);
  }
  return plan;
}

}  // namespace millwright::core
