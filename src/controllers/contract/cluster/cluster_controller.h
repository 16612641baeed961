// The part of a cluster that its machines need: whether its infrastructure and its control plane
// are there, how to reach it, and the order in which it goes.
#pragma once

#include "controllers/contract/external/externals.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/contract/shared/writer.h"
#include "dialects/capi/status/cluster_status.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

class ClusterController {
 public:
  // Before the caches run. All outlive this.
  ClusterController(Surroundings& surroundings, Caches& caches, Externals& externals,
                    RemoteClusters& remotes);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run() { return controller_.Run(); }
  kube::Controller& controller() { return controller_; }

 private:
  // One look at one cluster.
  struct Pass {
    capi::ClusterRecord seen;
    capi::ClusterRecord cluster;  // as the steps leave it
    ExternalLook infrastructure;
    ExternalLook control_plane;
    capi::ClusterFacts facts;
    std::vector<Error> errors;
    bool finished = false;

    void Failed(Error error) {
      facts.succeeded = false;
      errors.push_back(std::move(error));
    }
  };

  Task<Result<kube::Requeue>> Reconcile(kube::ObjectKey key);
  Task<Result<kube::Requeue>> AddFinalizer(capi::ClusterRecord cluster);
  Task<Result<kube::Requeue>> ShowPause(capi::ClusterRecord cluster);
  Task<Result<kube::Requeue>> Finish(Pass& pass);

  capi::ClusterFamily FamilyOf(const Pass& pass) const;
  Task<void> LearnInfrastructure(Pass& pass);
  Task<void> LearnControlPlane(Pass& pass);
  Task<Result<void>> Own(const Pass& pass, capi::Reference reference, const ExternalLook& look);
  Task<void> KeepKubeconfig(Pass& pass);
  Task<Result<void>> CreateKubeconfig(capi::ClusterRecord cluster);

  Task<void> Delete(Pass& pass);
  Task<bool> DeleteWorkers(Pass& pass);
  Task<bool> DeleteExternal(Pass& pass, capi::Reference reference, const ExternalLook& look,
                            std::string_view reason);

  void Listen();
  void ListenToFamily();
  // Its own needs are looked at at once, what belongs to it when it has rested.
  void Wake(const kube::ObjectKey& cluster) {
    controller_.queue().Add(cluster, kube::Priority::kUrgent);
  }

  Surroundings& surroundings_;
  Caches& caches_;
  Externals& externals_;
  RemoteClusters& remotes_;
  Logger log_;
  Writer clusters_;
  const kube::Index<capi::ClusterRecord>& clusters_by_reference_;
  kube::Controller controller_;
};

}  // namespace millwright::controllers::contract
