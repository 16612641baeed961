// What a Cluster shows of the objects that belong to it: for people and for `clusterctl describe`.
#pragma once

#include <optional>
#include <vector>

#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

// Everything of one cluster, as the caches have it.
struct ClusterFamily {
  std::vector<const DeploymentRecord*> deployments;
  std::vector<const SetRecord*> sets;       // those of no deployment
  std::vector<const MachineRecord*> loose;  // workers of no set
  std::vector<const MachineRecord*> workers;
  std::vector<const MachineRecord*> control_plane_machines;

  const ExternalRecord* control_plane = nullptr;  // null: not there, not readable, or not named
  bool control_plane_known = true;                // it is there, or it is known not to be
  bool is_v1beta2 = true;                         // the contract of the control plane
};

// Adds to `next` the counts of replicas, ControlPlaneAvailable, WorkersAvailable, the four about
// machines, RollingOut, ScalingUp, ScalingDown, Remediating, and of these and what is there already
// (Deleting, RemoteConnectionProbe, InfrastructureReady) Available. Returns when to look again
// though nothing changes.
std::optional<WallTime> AddClusterSummary(const ClusterRecord& cluster, const ClusterFamily& family,
                                          WallTime now, ClusterStatus& next);

}  // namespace millwright::dialects::capi
