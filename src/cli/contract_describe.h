// Descriptions of Cluster API's objects.
#pragma once

#include "cli/contract_seen.h"
#include "cli/describe_view.h"

namespace millwright::cli {

Description Describe(const ContractSeen& seen, const dialects::capi::ClusterRecord& cluster,
                     WallTime now);
Description Describe(const ContractSeen& seen, const dialects::capi::DeploymentRecord& deployment,
                     WallTime now);
Description Describe(const ContractSeen& seen, const dialects::capi::SetRecord& set, WallTime now);
Description Describe(const ContractSeen& seen, const dialects::capi::MachineRecord& machine,
                     WallTime now);

}  // namespace millwright::cli
