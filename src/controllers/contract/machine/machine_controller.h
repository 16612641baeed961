// Moves machines through their life: what providers report goes to the machine, what the machine
// wants goes to its node, and at the end all of it is taken away in order.
#pragma once

#include <string>

#include "controllers/contract/drain/node_drains.h"
#include "controllers/contract/external/externals.h"
#include "controllers/contract/machine/pass.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/contract/shared/writer.h"
#include "core/lifecycle/contract_deletion.h"
#include "dialects/capi/node_sync.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

class MachineController {
 public:
  // Before the caches run. All outlive this.
  MachineController(Surroundings& surroundings, Caches& caches, Externals& externals,
                    RemoteClusters& remotes);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run();
  kube::Controller& controller() { return controller_; }

 private:
  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<Result<kube::Requeue>> Finish(Pass& pass);
  Task<Result<kube::Requeue>> AddFinalizer(capi::MachineRecord machine);
  Task<Result<kube::Requeue>> ShowPause(capi::MachineRecord machine, bool cluster_paused);
  Result<void> FindOwners(Pass& pass) const;

  // Steps. What goes wrong is noted in the pass.
  void KeepLabels(Pass& pass);
  Task<void> LearnBootstrap(Pass& pass);
  Task<void> LearnInfrastructure(Pass& pass);
  Task<Result<void>> Own(const Pass& pass, capi::Reference reference, const ExternalLook& look);
  void LearnCertificates(Pass& pass);
  Task<void> FollowNode(Pass& pass);
  Task<void> WriteNode(Pass& pass, RemoteNode node);
  Task<void> UpdateInPlace(Pass& pass);
  Task<void> EndUpdate(Pass& pass);
  Task<Result<void>> UnmarkUpdate(const capi::Reference& reference, const ExternalLook& look);

  // Deletion.
  Task<void> Delete(Pass& pass);
  core::NodeAccess AskForNode(Pass& pass);
  bool MayFindNodeSoon(const Pass& pass) const;
  core::ContractDeletionView ObserveDeletion(const Pass& pass, core::NodeAccess access) const;
  Task<bool> Carry(Pass& pass, core::ContractDeletionView& view, core::ContractStage stage,
                   bool act);
  Task<bool> DrainNode(Pass& pass);
  Task<bool> AwaitVolumes(Pass& pass);
  Result<DrainOrder> OrderFor(const Pass& pass, WallTime started) const;
  Task<void> DeleteExternal(Pass& pass, capi::Reference reference, const ExternalLook& look,
                            bool act);
  Task<bool> DeleteNode(Pass& pass);

  void Tell(const capi::MachineRecord& machine, kube::EventSeverity severity, std::string reason,
            std::string message);

  void Listen();
  void Wake(const kube::ObjectKey& machine) { controller_.queue().Add(machine); }
  void WakeAllOf(const kube::ObjectKey& cluster);
  void WakeOwnerOf(const ExternalKind& kind, const capi::ExternalRecord& object);
  void WakeForNode(const kube::ObjectKey& cluster, const RemoteNode& node);

  Surroundings& surroundings_;
  Caches& caches_;
  Externals& externals_;
  RemoteClusters& remotes_;
  Logger log_;
  Writer machines_;
  capi::NodeSyncRules node_rules_;
  std::map<Uid, SteadyTime> update_calls_;  // when to ask again how far an update in place is
  kube::Controller controller_;
  NodeDrains drains_;
};

}  // namespace millwright::controllers::contract
