#include "controllers/all/all_controllers.h"

namespace millwright::controllers {

AllControllers::AllControllers(Surroundings& surroundings, const providers::CloudRegistry& clouds,
                               Loops loops)
    : caches_(surroundings), tasks_(surroundings.executor) {
  if (loops.sets) {
    deployments_.emplace(surroundings, caches_);
    sets_.emplace(surroundings, caches_);
    overshoot_.emplace(surroundings, caches_);
  }
  if (loops.machines) {
    machines_.emplace(surroundings, caches_, clouds);
    classes_.emplace(surroundings, caches_);
    secrets_.emplace(surroundings, caches_);
    orphans_.emplace(surroundings, caches_, clouds);
    if (surroundings.expects_nodes()) {
      unmanaged_nodes_.emplace(surroundings, caches_);
      api_guard_.emplace(surroundings, caches_, *machines_);
    }
  }
}

std::vector<kube::Controller*> AllControllers::queues() {
  std::vector<kube::Controller*> all;
  const auto add = [&all](auto& loop) {
    if (loop) all.push_back(&loop->controller());
  };
  add(deployments_);
  add(sets_);
  add(machines_);
  add(classes_);
  add(secrets_);
  add(overshoot_);
  add(orphans_);
  add(unmanaged_nodes_);
  return all;
}

Task<void> AllControllers::RunLoops() {
  if (co_await caches_.WaitSynced() == Wake::kCancelled) co_return;
  const auto run = [this](auto& controller) {
    if (controller) tasks_.Spawn([&controller] { return controller->Run(); });
  };
  run(deployments_);
  run(sets_);
  run(machines_);
  run(classes_);
  run(secrets_);
  run(overshoot_);
  run(orphans_);
  run(unmanaged_nodes_);
  run(api_guard_);
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

}  // namespace millwright::controllers
