// A rollout that plans all sets of a deployment at once within a budget of availability (Cluster
// API's way). Nothing is assumed about which machines a shrinking set will lose: available ones may
// go first.
#pragma once

#include <string>
#include <vector>

#include "core/model/deployment.h"
#include "core/model/machine_set.h"
#include "core/rollout/reason.h"

namespace millwright::core::budgeted {

// What is known about changing machines without replacing them.
struct InPlaceFacts {
  std::vector<std::string> updatable;  // old sets whose machines can be changed; see SetsToAskAbout
  std::vector<std::string> unacknowledged;  // machines that moved to the current set, not counted
                                            // in its size when they moved
  std::vector<std::string> acknowledged;    // of these, the ones that its size was raised for
  bool any_updating = false;                // some machine of the deployment is being changed
};

struct Scene {
  Deployment deployment;
  MachineSet current;           // with nothing in it if it is about to be created
  std::vector<MachineSet> old;  // in any order
  InPlaceFacts in_place;
};

struct SetPlan {
  std::string set;
  int replicas = 0;
  std::string moves_to;  // its surplus moves there; empty: it is removed
  bool creation_disabled = false;
  std::vector<RolloutReason> reasons;

  friend bool operator==(const SetPlan&, const SetPlan&) = default;
};

struct Plan {
  SetPlan current;
  std::vector<SetPlan> old;                // the oldest first
  std::vector<std::string> receives_from;  // old sets that move machines to the current one, sorted
  std::vector<std::string> acknowledged;  // machines that the current set's size now counts, sorted

  friend bool operator==(const Plan&, const Plan&) = default;
};

// Replaces machines in step with what becomes available, or moves them to the current set to be
// changed in place where that is possible.
Plan PlanRollingUpdate(const Scene& scene);

// Replaces only what somebody deleted: old sets shrink behind their machines, the current one fills
// up.
Plan PlanOnDelete(const Scene& scene);

// Old sets for which it matters whether their machines can be changed in place. Asking is the
// caller's work (it may ask an extension); the answers are InPlaceFacts::updatable.
std::vector<std::string> SetsToAskAbout(const Scene& scene,
                                        const std::vector<std::string>& may_update_in_place);

}  // namespace millwright::core::budgeted
