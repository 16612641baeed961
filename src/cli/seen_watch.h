// The machines of a namespace, followed as they change.
#pragma once

#include <optional>

#include "base/signal.h"
#include "base/task_group.h"
#include "cli/process.h"
#include "cli/seen.h"
#include "kube/informer/informer.h"

namespace millwright::cli {

class SeenWatch {
 public:
  // Without nodes, machines' own words about theirs have to do.
  SeenWatch(Process process, kube::Client& client, dialects::Dialect& dialect,
            const std::string& name_space, bool nodes);

  // Runs until cancelled.
  Task<void> Run();
  Task<Wake> WaitSynced();

  // Until something changed since the last call, or the time is over.
  Task<Wake> WaitChanged(SteadyTime deadline);

  Seen Now() const;

 private:
  void Changed();

  Clock& clock_;
  bool changed_ = false;
  Signal signal_;
  kube::Informer<dialects::DeploymentRecord> deployments_;
  kube::Informer<dialects::SetRecord> sets_;
  kube::Informer<dialects::MachineRecord> machines_;
  std::optional<kube::Informer<dialects::NodeRecord>> nodes_;
  TaskGroup tasks_;
};

}  // namespace millwright::cli
