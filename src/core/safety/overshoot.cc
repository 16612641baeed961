#include "core/safety/overshoot.h"

namespace millwright::core {

FreezeAct DecideFreeze(const OvershootView& set, const OvershootLimits& limits) {
  if (set.unfreeze_asked) return FreezeAct::kUnfreeze;
  const int allowed =
      set.deployment_replicas ? *set.deployment_replicas + set.surge : 2 * set.set_replicas;
  const int high = allowed + limits.above;
  if (!set.frozen && set.machines >= high) return FreezeAct::kFreeze;
  if (set.frozen && set.machines <= high - limits.below) return FreezeAct::kUnfreeze;
  return FreezeAct::kNothing;
}

FreezeAct DecideDeploymentFreeze(bool any_set_frozen, bool frozen) {
  if (any_set_frozen == frozen) return FreezeAct::kNothing;
  return any_set_frozen ? FreezeAct::kFreeze : FreezeAct::kUnfreeze;
}

}  // namespace millwright::core
