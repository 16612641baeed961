// Cluster API's objects, followed as they change.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/signal.h"
#include "base/task_group.h"
#include "cli/contract_seen.h"
#include "cli/process.h"
#include "dialects/capi/read.h"
#include "kube/informer/informer.h"

namespace millwright::cli {

class ContractWatch {
 public:
  // Of providers' objects the kinds that were looked at before, and why others were not.
  ContractWatch(Process process, kube::Client& client, const std::string& name_space,
                const ContractSeen& first);

  // Runs until cancelled.
  Task<void> Run();
  Task<Wake> WaitSynced();
  Task<Wake> WaitChanged(SteadyTime deadline);
  ContractSeen Now() const;

 private:
  template <class Record>
  using Followed = std::unique_ptr<kube::Informer<Record>>;

  template <class Record>
  Followed<Record> Follow(Process process, kube::Client& client,
                          kube::GroupVersionResource resource,
                          Result<Record> (dialects::capi::Reader::*read)(kube::JsonObject));

  Clock& clock_;
  const std::string name_space_;
  const std::vector<ServedExternal> served_;
  const std::map<std::string, std::string, std::less<>> unread_;
  bool changed_ = false;
  Signal signal_;
  dialects::capi::Reader reader_;
  Followed<dialects::capi::ClusterRecord> clusters_;
  Followed<dialects::capi::DeploymentRecord> deployments_;
  Followed<dialects::capi::SetRecord> sets_;
  Followed<dialects::capi::MachineRecord> machines_;
  std::vector<Followed<dialects::capi::ExternalRecord>> externals_;  // in the order of served_
  TaskGroup tasks_;
};

}  // namespace millwright::cli
