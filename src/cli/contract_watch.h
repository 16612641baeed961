// Cluster API's objects, followed as they change.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/contract_seen.h"
#include "cli/followed_kinds.h"
#include "dialects/capi/read.h"

namespace millwright::cli {

class ContractWatch {
 public:
  // Of providers' objects the kinds that were looked at before, and why others were not.
  ContractWatch(Process process, kube::Client& client, const std::string& name_space,
                const ContractSeen& first);

  Task<void> Run() { return kinds_.Run(); }
  Task<Wake> WaitSynced() { return kinds_.WaitSynced(); }
  Task<Wake> WaitChanged(SteadyTime deadline) { return kinds_.WaitChanged(deadline); }

  ContractSeen Now() const;

 private:
  const std::vector<ServedExternal> served_;
  const std::map<std::string, std::string, std::less<>> unread_;
  dialects::capi::Reader reader_;
  FollowedKinds kinds_;
  const kube::Store<dialects::capi::ClusterRecord>& clusters_;
  const kube::Store<dialects::capi::DeploymentRecord>& deployments_;
  const kube::Store<dialects::capi::SetRecord>& sets_;
  const kube::Store<dialects::capi::MachineRecord>& machines_;
  // In the order of served_.
  std::vector<const kube::Store<dialects::capi::ExternalRecord>*> externals_;
};

}  // namespace millwright::cli
