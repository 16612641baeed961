// The status of a MachineDeployment, from what a pass saw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/capi/records.h"
#include "dialects/capi/status/machine_groups.h"

namespace millwright::dialects::capi {

struct DeploymentFacts {
  std::vector<const SetRecord*> sets;          // those it has
  std::vector<const MachineRecord*> machines;  // those its selector matches
  bool known = true;                           // both could be listed
  const SetRecord* current = nullptr;          // of `sets`: the one of the present template
  std::vector<std::string> missing_templates;
  std::string current_problem;  // why the current set could not be made, for the old condition
  bool succeeded = true;
};

struct DeploymentReport {
  DeploymentStatus status;
  std::optional<WallTime> look_again;
};

DeploymentReport NextDeploymentStatus(const DeploymentRecord& deployment,
                                      const DeploymentFacts& facts, WallTime now);

// As core's planners see it, without the parts that only they need.
int MaxUnavailable(const DeploymentSpec& spec);

}  // namespace millwright::dialects::capi
