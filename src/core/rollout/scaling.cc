#include "core/rollout/scaling.h"

#include <algorithm>
#include <tuple>

#include "core/rollout/limits.h"
#include "core/rollout/proportion.h"

namespace millwright::core {
namespace {

using Kind = RolloutReason::Kind;

std::vector<MachineSet> ActiveSets(const ScalingScene& scene) {
  std::vector<MachineSet> active;
  for (const MachineSet& set : scene.old) {
    if (set.replicas > 0) active.push_back(set);
  }
  if (scene.current && scene.current->replicas > 0) active.push_back(*scene.current);
  return active;
}

const MachineSet* Latest(const ScalingScene& scene) {
  if (scene.current) return &*scene.current;
  const MachineSet* latest = nullptr;
  for (const MachineSet& set : scene.old) {
    if (latest == nullptr ||
        std::tie(set.created, set.name) > std::tie(latest->created, latest->name)) {
      latest = &set;
    }
  }
  return latest;
}

void Add(std::vector<Resize>& resizes, const MachineSet& set, int replicas, Kind kind) {
  if (set.replicas != replicas) resizes.push_back({set.name, replicas, {.kind = kind}});
}

// The current set holds all that is wished, and they work: whatever else is active is left over.
bool IsSaturated(const ScalingScene& scene) {
  const int wished = scene.deployment.replicas;
  return scene.current && scene.current->replicas == wished &&
         scene.current->desired_note == wished && scene.current->seen.available == wished;
}

// A change of size in the middle of a strategy without surge: what is added goes to the current
// set, and what is taken comes from it first and then from the largest.
std::vector<Resize> PassOnChange(const ScalingScene& scene, std::vector<MachineSet> active) {
  int change = scene.deployment.replicas;
  for (const MachineSet& set : active) {
    if (set.desired_note) {
      change = scene.deployment.replicas - *set.desired_note;
      break;
    }
    change -= set.replicas;
  }
  std::sort(active.begin(), active.end(), [&](const MachineSet& a, const MachineSet& b) {
    const auto key = [&](const MachineSet& set) {
      return std::make_tuple(!(scene.current && scene.current->name == set.name), -set.replicas,
                             set.name);
    };
    return key(a) < key(b);
  });
  std::vector<Resize> resizes;
  if (change > 0 && scene.current) {
    Add(resizes, *scene.current, scene.current->replicas + change, Kind::kShareOfChange);
    return resizes;
  }
  for (const MachineSet& set : active) {
    const int size = std::max(set.replicas + std::min(change, 0), 0);
    change += set.replicas - size;
    Add(resizes, set, size, Kind::kShareOfChange);
  }
  return resizes;
}

std::vector<Resize> ScaleRolling(const ScalingScene& scene, const std::vector<MachineSet>& active,
                                 Growth growth) {
  const int wished = scene.deployment.replicas;
  const int allowed = wished > 0 ? ResolveLimits(scene.deployment).MaxTotal(wished) : 0;
  int total = 0;
  for (const MachineSet& set : active) total += set.replicas;
  std::vector<Resize> resizes;
  if (allowed >= total && growth == Growth::kToCurrent && scene.current) {
    Add(resizes, *scene.current, scene.current->replicas + allowed - total, Kind::kShareOfChange);
    return resizes;
  }
  const std::vector<int> sizes = Proportions(
      active, {.wished = wished, .allowed = allowed, .fallback_max = scene.reported_replicas});
  for (size_t i = 0; i < active.size(); ++i)
    Add(resizes, active[i], sizes[i], Kind::kShareOfChange);
  return resizes;
}

}  // namespace

std::vector<Resize> PlanScaling(const ScalingScene& scene, Growth growth) {
  const std::vector<MachineSet> active = ActiveSets(scene);
  std::vector<Resize> resizes;
  if (active.size() <= 1) {
    const MachineSet* only = active.empty() ? Latest(scene) : &active.front();
    if (only != nullptr) Add(resizes, *only, scene.deployment.replicas, Kind::kShareOfChange);
    return resizes;
  }
  if (IsSaturated(scene)) {
    for (const MachineSet& set : scene.old) Add(resizes, set, 0, Kind::kNewOnesSuffice);
    return resizes;
  }
  if (scene.deployment.strategy == Strategy::kRollingUpdate)
    return ScaleRolling(scene, active, growth);
  return PassOnChange(scene, active);
}

bool IsScalingEvent(const ScalingScene& scene) {
  if (!scene.current) return false;
  const std::vector<MachineSet> active = ActiveSets(scene);
  if (active.empty()) return scene.deployment.replicas > 0;
  return std::ranges::any_of(active, [&](const MachineSet& set) {
    return set.desired_note.has_value() && *set.desired_note != scene.deployment.replicas;
  });
}

}  // namespace millwright::core
