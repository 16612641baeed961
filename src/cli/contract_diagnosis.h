// Why something of Cluster API's is not as it should be: from its conditions, from what providers'
// objects say, and from who holds it.
#pragma once

#include <vector>

#include "cli/contract_seen.h"
#include "cli/contract_words.h"
#include "cli/diagnosis.h"

namespace millwright::cli {

// Nothing: it is as it should be.
std::vector<Cause> WhyNot(const ContractSeen& seen, const dialects::capi::ClusterRecord& cluster,
                          WallTime now);
std::vector<Cause> WhyNot(const ContractSeen& seen,
                          const dialects::capi::DeploymentRecord& deployment, WallTime now);
std::vector<Cause> WhyNot(const ContractSeen& seen, const dialects::capi::SetRecord& set,
                          WallTime now);
std::vector<Cause> WhyNot(const ContractSeen& seen, const dialects::capi::MachineRecord& machine,
                          WallTime now);

// What a provider's object says, or what it lacks. Nothing: it is done, and well.
std::vector<Cause> WhyNot(const ContractSeen& seen, const dialects::capi::Header& from,
                          const dialects::capi::Reference& reference, ExternalRole role,
                          WallTime now);

// Who paused it, and how it goes on. Nothing: nobody did.
std::vector<Cause> WhyPaused(const dialects::capi::ClusterRecord* cluster,
                             const dialects::capi::Header& object);

// Finalizers besides ours.
std::vector<Cause> HeldBy(const std::vector<std::string>& finalizers);

}  // namespace millwright::cli
