// The conditions of a Cluster that machines, health checks and their users look at.
#pragma once

#include <optional>

#include "dialects/capi/records.h"
#include "dialects/capi/status/cluster_summary.h"
#include "dialects/capi/status/mirror.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

struct ClusterFacts {
  SeenExternal infrastructure;  // kNone: the cluster names none
  SeenExternal control_plane;
  bool control_plane_failed_to_read = false;
  std::optional<bool> control_plane_initialized;  // none: not known yet

  std::optional<WallTime> last_probe;  // of the connection; none: never
  int probe_failures = 0;
  Duration probe_grace = std::chrono::minutes(5);

  std::optional<Shown> deleting;  // the stage; none: it is not deleting
  ClusterFamily family;
  bool succeeded = true;
};

struct ClusterReport {
  ClusterStatus status;
  std::optional<WallTime> look_again;
  std::optional<WallTime> machines_due;  // when a new machine is old enough to be counted
};

// `cluster` is the record as the steps of the pass left it (flags, failure domains, endpoint).
// Adds phase, InfrastructureReady, ControlPlaneInitialized, RemoteConnectionProbe, Deleting, what
// cluster_summary.h says, and the old conditions InfrastructureReady, ControlPlaneInitialized,
// Ready.
ClusterReport NextClusterStatus(const ClusterRecord& cluster, const ClusterFacts& facts,
                                WallTime now);

}  // namespace millwright::dialects::capi
