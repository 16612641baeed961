// A second line of defence: a set that has far too many machines makes no more, whatever the
// reason.
#pragma once

#include <optional>

namespace millwright::core {

struct OvershootView {
  int machines = 0;  // of the set, in any phase
  int set_replicas = 0;
  // Of the deployment that selects the set, if one does.
  std::optional<int> deployment_replicas;
  int surge = 0;  // none if its strategy has none
  bool frozen = false;
  bool unfreeze_asked = false;  // by a person
};

struct OvershootLimits {
  int above = 2;  // so many more than allowed: freeze
  int below = 1;  // so many fewer than that: let go
};

enum class FreezeAct { kNothing, kFreeze, kUnfreeze };

FreezeAct DecideFreeze(const OvershootView& set, const OvershootLimits& limits);

// A deployment is frozen if any of its sets is.
FreezeAct DecideDeploymentFreeze(bool any_set_frozen, bool frozen);

}  // namespace millwright::core
