// Cluster API's objects, read once.
#pragma once

#include <string>

#include "cli/contract_seen.h"
#include "dialects/capi/read.h"
#include "kube/client/client.h"

namespace millwright::cli {

// Providers' objects that we may not read, or whose kinds are not defined, are left out, with the
// reason.
Task<Result<ContractSeen>> ReadContractSeen(kube::Client& client, std::string name_space);

}  // namespace millwright::cli
