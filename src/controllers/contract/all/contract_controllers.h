// Every loop of the contract family, around one set of caches.
#pragma once

#include <vector>

#include "base/task_group.h"
#include "controllers/contract/cluster/cluster_controller.h"
#include "controllers/contract/deployment/deployment_controller.h"
#include "controllers/contract/external/externals.h"
#include "controllers/contract/health/health_controller.h"
#include "controllers/contract/machine/machine_controller.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/shared/caches.h"

namespace millwright::controllers::contract {

class ContractControllers {
 public:
  // It outlives this.
  explicit ContractControllers(Surroundings& surroundings);

  // The caches: whoever waits to lead keeps them warm.
  Task<void> RunCaches() { return caches_.Run(); }

  // The loops, once the caches are synced, with connections to clusters and watches of providers'
  // objects. Until cancelled.
  Task<void> RunLoops();

  Caches& caches() { return caches_; }
  const Caches& caches() const { return caches_; }
  Externals& externals() { return externals_; }
  RemoteClusters& remotes() { return remotes_; }

  // For whoever measures them.
  std::vector<kube::Controller*> queues();

 private:
  Caches caches_;
  Externals externals_;
  RemoteClusters remotes_;
  ClusterController clusters_;
  DeploymentController deployments_;
  SetController sets_;
  MachineController machines_;
  HealthController health_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers::contract
