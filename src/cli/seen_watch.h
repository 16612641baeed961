// The machines of a namespace, followed as they change.
#pragma once

#include "cli/followed_kinds.h"
#include "cli/seen.h"

namespace millwright::cli {

class SeenWatch {
 public:
  // Without nodes, machines' own words about theirs have to do.
  SeenWatch(Process process, kube::Client& client, dialects::Dialect& dialect,
            const std::string& name_space, bool nodes);

  Task<void> Run() { return kinds_.Run(); }
  Task<Wake> WaitSynced() { return kinds_.WaitSynced(); }
  Task<Wake> WaitChanged(SteadyTime deadline) { return kinds_.WaitChanged(deadline); }

  Seen Now() const;

 private:
  FollowedKinds kinds_;
  const kube::Store<dialects::DeploymentRecord>& deployments_;
  const kube::Store<dialects::SetRecord>& sets_;
  const kube::Store<dialects::MachineRecord>& machines_;
  const kube::Store<dialects::NodeRecord>* nodes_ = nullptr;
};

}  // namespace millwright::cli
