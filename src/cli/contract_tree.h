// Cluster API's objects as a tree: cluster, deployment, set, machine, and what providers and nodes
// say.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cli/contract_seen.h"
#include "cli/machine_kind.h"
#include "cli/tree_view.h"

namespace millwright::cli {

// `everything`: providers' objects that are well, and sets that are history, have lines, too.
TreeItem ContractItem(const ContractSeen& seen, const dialects::capi::ClusterRecord& cluster,
                      bool everything);
TreeItem ContractItem(const ContractSeen& seen, const dialects::capi::DeploymentRecord& deployment,
                      bool everything);
TreeItem ContractItem(const ContractSeen& seen, const dialects::capi::SetRecord& set,
                      const dialects::capi::DeploymentRecord* owner, bool everything);
TreeItem ContractItem(const ContractSeen& seen, const dialects::capi::MachineRecord& machine,
                      bool everything);

// All clusters, then what names a cluster that is not here.
std::vector<TreeItem> ContractForest(const ContractSeen& seen, bool everything);

// That of one object by its name ("workers" or "machineset/workers-1"); none: there is nothing of
// that name.
std::optional<TreeItem> ContractTree(const ContractSeen& seen, std::string_view name,
                                     bool everything);

}  // namespace millwright::cli
