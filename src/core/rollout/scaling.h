// Changing a deployment's size while it is paused, or in the middle of a rollout.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/model/deployment.h"
#include "core/model/machine_set.h"
#include "core/rollout/reason.h"

namespace millwright::core {

struct Resize {
  std::string set;
  int replicas = 0;
  RolloutReason reason{RolloutReason::Kind::kShareOfChange};

  friend bool operator==(const Resize&, const Resize&) = default;
};

// Who gets new machines while several sets are active.
enum class Growth {
  kToCurrent,     // the current set: why make more of what is to go?
  kProportional,  // each set by its share
};

struct ScalingScene {
  Deployment deployment;
  std::optional<MachineSet> current;
  std::vector<MachineSet> old;
  int reported_replicas = 0;  // of the deployment; stands in for a set without a note
};

// Sizes for the sets, of those that change. Only sizes: no machine is replaced by it. The caller
// refreshes the notes (desired and maximal size) on every active set, changed or not.
std::vector<Resize> PlanScaling(const ScalingScene& scene, Growth growth);

// Whether the deployment's size changed since its sets were last sized, which is then dealt with
// before any rollout goes on.
bool IsScalingEvent(const ScalingScene& scene);

}  // namespace millwright::core
