// The parts of a cluster that somebody else made: its infrastructure needs nothing, its control
// plane is there as soon as there is a kubeconfig for it.
#pragma once

#include "controllers/shared/object_writer.h"
#include "controllers/supply/seen.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::supply {

class ClusterPartsController {
 public:
  // Both outlive it.
  ClusterPartsController(contract::Surroundings& surroundings, Seen& seen);

  // Runs until cancelled; what is seen must be synced.
  Task<void> Run();

 private:
  Task<Result<kube::Requeue>> ReconcileInfrastructure(kube::ObjectKey key);
  Task<Result<kube::Requeue>> ReconcileControlPlane(kube::ObjectKey key);

  Seen& seen_;
  ObjectWriter infrastructure_writer_;
  ObjectWriter control_plane_writer_;
  kube::Controller infrastructures_;
  kube::Controller control_planes_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers::supply
