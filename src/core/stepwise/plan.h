// A rollout in small steps, each of which goes in one direction: more new machines, or fewer old
// ones (the way of Kubernetes' Deployments, which Gardener and Kubermatic follow).
#pragma once

#include <optional>
#include <vector>

#include "core/model/deployment.h"
#include "core/model/machine_set.h"
#include "core/rollout/scaling.h"

namespace millwright::core::stepwise {

struct Scene {
  Deployment deployment;
  std::optional<MachineSet> current;
  std::vector<MachineSet> old;
  int old_machines = 0;  // that exist, whatever their sets report
};

// What one pass does; the next pass follows when it is seen to be done.
struct Step {
  std::optional<int>
      create_current;  // the current set does not exist: make it with so many machines
  std::vector<Resize> resize;
  bool waits_for_old = false;  // nothing new comes before the old machines are gone
  bool thaw_current = false;   // it was an old set that might not grow, and is current again

  friend bool operator==(const Step&, const Step&) = default;
};

Step PlanRollingUpdate(const Scene& scene);
Step PlanRecreate(const Scene& scene);

// The size of the current set if it may grow now; of a new one, the size to make it with.
int CurrentSize(const Scene& scene);

// Whether the current set carries the mark of an old one, to make no machines.
bool MustThaw(const Scene& scene);

// What is asked of the nodes while their machines wait to be replaced.
struct NodeMarks {
  bool avoid_old = false;        // the scheduler should rather not use nodes of old sets
  bool hold_scale_down = false;  // a scaler should leave all nodes of the deployment alone

  friend bool operator==(const NodeMarks&, const NodeMarks&) = default;
};

// Marks that should be there now; whatever else of ours is found is taken away.
NodeMarks PlanNodeMarks(const Scene& scene, bool complete);

}  // namespace millwright::core::stepwise
