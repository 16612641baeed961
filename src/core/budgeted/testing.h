// Short ways to say what a rollout's scene looks like.
#pragma once

#include <map>
#include <string>

#include "core/budgeted/plan.h"

namespace millwright::core::budgeted {

inline MachineSet Set(std::string name, int wished, int existing, int available,
                      int up_to_date = 0) {
  MachineSet set{.name = std::move(name), .replicas = wished};
  set.seen = {.replicas = existing, .available = available, .up_to_date = up_to_date};
  return set;
}

inline MachineSet Set(std::string name, int size) { return Set(std::move(name), size, size, size); }

inline Deployment Rolling(int replicas, int surge, int unavailable) {
  return {.name = "md",
          .replicas = replicas,
          .max_surge = Amount::Of(surge),
          .max_unavailable = Amount::Of(unavailable)};
}

// The sizes that a plan gives to its sets.
inline std::map<std::string, int> Sizes(const Plan& plan) {
  std::map<std::string, int> sizes{{plan.current.set, plan.current.replicas}};
  for (const SetPlan& set : plan.old) sizes[set.set] = set.replicas;
  return sizes;
}

}  // namespace millwright::core::budgeted
