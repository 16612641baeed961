// Every loop of one dialect, around one set of caches.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/task_group.h"
#include "controllers/classes/class_controller.h"
#include "controllers/classes/secret_controller.h"
#include "controllers/deployment/deployment_controller.h"
#include "controllers/machine/machine_controller.h"
#include "controllers/safety/api_guard.h"
#include "controllers/safety/node_controller.h"
#include "controllers/safety/orphan_controller.h"
#include "controllers/safety/overshoot_controller.h"
#include "controllers/set/set_controller.h"
#include "controllers/shared/caches.h"
#include "providers/cloud.h"

namespace millwright::controllers {

// Which loops run here. Upstream's two programs run one part each.
struct Loops {
  bool sets = true;      // deployments and sets
  bool machines = true;  // machines, classes, secrets
};

class AllControllers {
 public:
  // All outlive this.
  AllControllers(Surroundings& surroundings, const providers::CloudRegistry& clouds,
                 Loops loops = {});

  // The caches: whoever waits to lead keeps them warm.
  Task<void> RunCaches() { return caches_.Run(); }

  // The loops, once the caches are synced. Until cancelled.
  Task<void> RunLoops();

  Caches& caches() { return caches_; }

  // The loops that have a queue, for whoever measures them.
  std::vector<kube::Controller*> queues();

  // Machines are left alone because an API server is away.
  bool frozen() const { return machines_ && machines_->frozen(); }

 private:
  Caches caches_;
  std::optional<DeploymentController> deployments_;
  std::optional<SetController> sets_;
  std::optional<MachineController> machines_;
  std::optional<ClassController> classes_;
  std::optional<SecretController> secrets_;
  std::optional<OvershootController> overshoot_;
  std::optional<OrphanController> orphans_;
  std::optional<NodeController> unmanaged_nodes_;
  std::optional<ApiGuardLoop> api_guard_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers
