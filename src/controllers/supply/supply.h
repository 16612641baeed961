// Every loop of our own kinds on Cluster API's contracts.
#pragma once

#include "controllers/supply/bootstrap_controller.h"
#include "controllers/supply/cluster_parts_controller.h"
#include "controllers/supply/instance_controller.h"

namespace millwright::controllers::supply {

class Supply {
 public:
  // All outlive it.
  Supply(contract::Surroundings& surroundings, contract::Caches& served,
         contract::Externals& externals, contract::RemoteClusters& remotes,
         const providers::CloudRegistry& clouds)
      : seen_(surroundings, served, externals),
        cluster_parts_(surroundings, seen_),
        bootstraps_(surroundings, seen_, remotes),
        instances_(surroundings, seen_, clouds),
        tasks_(surroundings.executor) {}

  // The caches: whoever waits to lead keeps them warm. Until cancelled.
  Task<void> RunCaches() { return seen_.Run(); }

  // The loops, once all that is seen is synced. Until cancelled.
  Task<void> RunLoops();

  Task<Wake> WaitSynced() { return seen_.WaitSynced(); }
  const Seen& seen() const { return seen_; }

 private:
  Seen seen_;
  ClusterPartsController cluster_parts_;
  BootstrapController bootstraps_;
  InstanceController instances_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers::supply
