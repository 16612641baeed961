// A set and its machines as core's planners see them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controllers/contract/external/externals.h"
#include "core/health/remediate.h"
#include "core/model/machine.h"
#include "core/model/machine_set.h"
#include "core/replicas/plan.h"
#include "core/replicas/preflight.h"
#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

core::Machine ViewOf(const capi::MachineRecord& machine);
core::MachineSet ViewOf(const capi::SetRecord& set);
core::ReplicaPolicy ReplicaPolicyOf(const capi::SetRecord& set);

core::RemediationCandidate CandidateOf(const capi::MachineRecord& machine);

// How many machines of the deployment may be replaced at once; none: any number.
std::optional<int> MaxInFlight(const capi::DeploymentRecord* deployment);

// A set without a deployment, or of its present revision.
bool IsCurrent(const capi::SetRecord& set, const capi::DeploymentRecord* deployment);

struct PreflightScene {
  const Settings* settings = nullptr;
  const capi::SetRecord* set = nullptr;
  const capi::ClusterRecord* cluster = nullptr;
  const ExternalLook* control_plane = nullptr;
  const ExternalLook* bootstrap_template = nullptr;
};

// Why no machine should be made now; empty: nothing speaks against it. Fails if that cannot be
// said.
Result<std::vector<std::string>> CheckPreflight(const PreflightScene& scene);

}  // namespace millwright::controllers::contract
