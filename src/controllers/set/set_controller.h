// Keeps as many machines as a set wishes.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "controllers/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class SetController {
 public:
  SetController(Surroundings& surroundings, Caches& caches);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // The machines of a set as this pass counts them. The records are the cache's: they hold until
  // the next wait, the machines beyond it.
  struct Members {
    std::vector<const dialects::MachineRecord*> records;
    std::vector<core::Machine> machines;                 // the same, in the same order
    std::vector<const dialects::MachineRecord*> strays;  // it controls and does not select them
  };

  using Patches = std::vector<std::pair<kube::Meta, boost::json::object>>;

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<Result<bool>> Claim(const dialects::SetRecord& set, const Members& members);
  Members FindMembers(const dialects::SetRecord& set) const;
  bool IsBehind(const dialects::SetRecord& set);
  // These tell whether they wrote something.
  Task<Result<bool>> HandDown(const dialects::SetRecord& set, const Members& members);
  Task<Result<bool>> KeepFailed(const dialects::SetRecord& set, const Members& members);
  Task<Result<bool>> WriteToMachines(Patches patches);
  Task<Result<void>> Carry(dialects::SetRecord& set, const core::ReplicaPlan& plan);
  Task<Result<void>> CreateMachines(const dialects::SetRecord& set, int count);
  Task<void> CreateMachine(const dialects::SetRecord& set, const std::string& name,
                           Result<void>& failed);
  Task<void> RemoveMachine(const dialects::SetRecord& set, const kube::Meta& machine,
                           Result<void>& failed);
  Task<Result<void>> RemoveMachines(dialects::SetRecord& set, const core::ReplicaPlan& plan);
  Task<Result<void>> Report(const dialects::SetRecord& set, const Members& members,
                            const Result<void>& carried);
  Task<Result<kube::Requeue>> Hold(const dialects::SetRecord& set, kube::Unreadable machine);
  Task<Result<kube::Requeue>> Finish(dialects::SetRecord set, const Members& members);
  void Tell(const dialects::SetRecord& set, kube::EventSeverity severity, std::string reason,
            std::string message);
  void WakeOwnersOf(const dialects::MachineRecord& machine);

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  ObjectWriter sets_;
  ObjectWriter machines_;
  // Machines that we made or removed and do not see so yet. Decisions wait for them.
  std::unordered_map<Uid, std::vector<kube::ObjectKey>> created_;
  std::unordered_set<Uid> removed_;
  std::unordered_map<Uid, std::int64_t> complained_;  // about that generation of a set
  struct Said {
    core::SetCounts counts;
    std::string failure;
    std::int64_t generation = 0;
    std::vector<dialects::FailedMachine> failed;
    SteadyTime when{};
  };
  std::unordered_map<Uid, Said> said_;  // of each set, last
  kube::Controller controller_;
};

}  // namespace millwright::controllers
