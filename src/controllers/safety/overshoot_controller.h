// A second line of defence: sets that have far too many machines are held back, and let go again.
//
// A set is looked at when a machine of it comes or goes, or when its size or its deployment's
// changes; nothing is scanned. What a deployment shows follows from its sets.
#pragma once

#include <string>
#include <unordered_map>

#include "controllers/shared/caches.h"
#include "controllers/shared/object_writer.h"
#include "core/safety/overshoot.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers {

class OvershootController {
 public:
  OvershootController(Surroundings& surroundings, Caches& caches);

  // Runs until cancelled; the caches must be synced.
  Task<void> Run();
  kube::Controller& controller() { return set_controller_; }

 private:
  using Next = Result<kube::Requeue>;

  Task<Next> LookAtSet(kube::ObjectKey key);
  Task<Next> LookAtDeployment(kube::ObjectKey key);
  core::OvershootView ViewOf(const dialects::SetRecord& set) const;
  Task<Result<void>> Freeze(dialects::SetRecord set, std::string message);
  Task<Result<void>> Unfreeze(dialects::SetRecord set);
  Task<Result<bool>> HandOnWish(const dialects::DeploymentRecord& deployment);
  void Wake(const dialects::SetRecord& set);
  void Tell(const dialects::SetRecord& set, std::string reason, std::string message);

  Surroundings& surroundings_;
  Caches& caches_;
  Logger log_;
  ObjectWriter sets_;
  ObjectWriter deployments_;
  // Sets that a person let go: until then they are not held back again.
  std::unordered_map<Uid, WallTime> spared_;
  kube::Controller set_controller_;
  kube::Controller deployment_controller_;
  TaskGroup tasks_;
};

}  // namespace millwright::controllers
