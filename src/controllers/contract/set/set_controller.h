// Keeps as many machines as a MachineSet wishes, each with the objects of its providers.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "controllers/contract/external/externals.h"
#include "controllers/contract/set/set_view.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "dialects/capi/status/set_status.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

class SetController {
 public:
  // Before the caches run.
  SetController(Surroundings& surroundings, Caches& caches, Externals& externals);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // What a pass works with. Copies: the caches may change at each wait.
  struct Pass {
    capi::SetRecord set;
    capi::ClusterRecord cluster;
    std::optional<capi::DeploymentRecord> deployment;
    capi::SetFacts facts;
    ExternalLook infrastructure_template;
    ExternalLook bootstrap_template;
    std::optional<WallTime> look_again;
    bool wrote = false;  // to machines: what is known of them is old now
    Result<void> result;

    // A failure does not stop what does not depend on it; the first is what the pass returns.
    void Note(Result<void> step) {
      if (!step && result) result = std::move(step);
    }
  };
  using Members = std::vector<const capi::MachineRecord*>;  // until the next wait

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<Result<kube::Requeue>> Look(kube::ObjectKey key);
  bool IsBehind(const capi::SetRecord& set);
  Members FindMembers(const capi::SetRecord& set) const;
  Task<Result<bool>> Prepare(const Pass& pass);
  Task<Result<bool>> WritePaused(const Pass& pass, bool& paused);
  Task<Result<bool>> Adopt(const capi::SetRecord& set);
  Task<void> Steps(Pass& pass);
  Task<void> Finish(Pass& pass);
  Task<Result<kube::Requeue>> Report(Pass& pass);

  // Templates.
  Task<void> OwnTemplates(Pass& pass);
  Task<void> OwnTemplate(Pass& pass, const capi::Reference& reference, const ExternalLook& look);

  // set_remediate.cc
  Task<void> Remediate(Pass& pass);
  Result<std::vector<std::string>> Preflight(const Pass& pass);

  // set_sync.cc
  struct SyncWrite {
    kube::ObjectKey machine;
    kube::GroupVersionResource resource;
    kube::ObjectKey key;
    std::string body;
    std::string_view manager;  // empty: a merge patch
    std::optional<ExternalKind> kind;
    bool hand_over = false;  // in place of all that: see HandOver
  };
  Task<void> Synchronize(Pass& pass);
  void PlanSync(Pass& pass, const capi::MachineRecord& machine, std::vector<SyncWrite>& writes);
  void PlanCloneSync(Pass& pass, const capi::MachineRecord& machine,
                     const capi::Reference& reference, std::vector<SyncWrite>& writes);
  Task<void> Write(const capi::SetRecord& set, SyncWrite write, Result<void>& failed);

  // set_hand_over.cc
  struct CloneAddress {
    ExternalKind kind;
    kube::GroupVersionResource resource;
    kube::ObjectKey key;
  };
  Task<Result<void>> HandOver(const capi::SetRecord& set, CloneAddress clone, kube::Document seen);
  Task<Result<void>> HandOverLater(const capi::SetRecord& set, CloneAddress clone);

  // set_create.cc
  struct Sources {
    boost::json::object infrastructure;
    std::optional<boost::json::object> bootstrap;
  };
  Task<void> Scale(Pass& pass);
  Task<Result<void>> RaiseFloor(Pass& pass, std::uint32_t floor);
  Result<std::vector<std::string>> FreshNames(const capi::SetRecord& set, std::uint32_t floor,
                                              int count) const;
  Task<Result<void>> Create(Pass& pass, const std::vector<std::string>& names);
  Task<Result<Sources>> ReadTemplates(const Pass& pass);
  Task<Result<boost::json::object>> ReadTemplate(capi::Reference reference, std::string namespace_);
  Task<void> CreateOne(const Pass& pass, const Sources& sources, std::string name,
                       Result<void>& failed);
  Task<Result<void>> CreateParts(const Pass& pass, const Sources& sources, std::string name);
  Task<Result<capi::Reference>> CreateClone(const Pass& pass, const boost::json::object& source,
                                            capi::Reference from, std::string name);
  Task<Result<void>> RemoveMachines(Pass& pass, std::vector<kube::Meta> machines);
  Task<void> RemoveOne(Pass& pass, kube::Meta machine, Result<void>& failed);
  Task<void> SweepClones(Pass& pass);
  Task<void> SweepKind(Pass& pass, ExternalKind kind, bool& complete);

  // set_in_place.cc
  Task<void> Move(Pass& pass, const std::vector<std::string>& names);
  Task<void> Receive(Pass& pass);
  Task<Result<void>> StartUpdate(Pass& pass, capi::MachineRecord machine, bool forget);

  void Tell(const capi::SetRecord& set, kube::EventSeverity severity, std::string reason,
            std::string message);
  void WakeOwnersOf(const capi::MachineRecord& machine);
  void WakeUsersOf(const ExternalKind& kind, const capi::ExternalRecord& object);
  void Forget(const capi::SetRecord& set);

  Surroundings& surroundings_;
  Caches& caches_;
  Externals& externals_;
  Logger log_;
  ObjectWriter sets_;
  ObjectWriter machines_;
  // Machines that we made or removed and do not see so yet. Decisions wait for them.
  std::unordered_map<Uid, std::vector<kube::ObjectKey>> created_;
  std::unordered_set<Uid> removed_;
  // Sets whose clones were looked through for such as have no machine: after a start, and after a
  // failure.
  std::unordered_set<Uid> swept_;
  // Machines that are as their set wants them, and a hash of the versions of which that was found.
  std::unordered_map<Uid, std::size_t> in_sync_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers::contract
