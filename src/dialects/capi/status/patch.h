// The difference between two statuses, as a JSON merge patch.
#pragma once

#include <boost/json/object.hpp>

#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

// {"status": {...}}; empty if nothing differs. Lists are replaced whole, so a patch that has
// conditions needs the resourceVersion as precondition, or it may undo what others wrote.
boost::json::object StatusPatch(const MachineStatus& before, const MachineStatus& after);
boost::json::object StatusPatch(const SetStatus& before, const SetStatus& after);
boost::json::object StatusPatch(const DeploymentStatus& before, const DeploymentStatus& after);
boost::json::object StatusPatch(const HealthCheckStatus& before, const HealthCheckStatus& after);
boost::json::object StatusPatch(const ClusterStatus& before, const ClusterStatus& after);

}  // namespace millwright::dialects::capi
