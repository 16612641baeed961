#include "controllers/contract/all/contract_controllers.h"

namespace millwright::controllers::contract {

ContractControllers::ContractControllers(Surroundings& surroundings)
    : caches_(surroundings),
      externals_(surroundings, caches_),
      remotes_(surroundings, caches_),
      clusters_(surroundings, caches_, externals_, remotes_),
      deployments_(surroundings, caches_, externals_),
      sets_(surroundings, caches_, externals_),
      machines_(surroundings, caches_, externals_, remotes_),
      health_(surroundings, caches_, remotes_),
      tasks_(surroundings.executor) {}

std::vector<kube::Controller*> ContractControllers::queues() {
  return {&clusters_.controller(), &deployments_.controller(), &sets_.controller(),
          &machines_.controller(), &health_.controller()};
}

Task<void> ContractControllers::RunLoops() {
  if (co_await caches_.WaitSynced() == Wake::kCancelled) co_return;
  const auto run = [this](auto& part) { tasks_.Spawn([&part] { return part.Run(); }); };
  run(externals_);
  run(remotes_);
  run(clusters_);
  run(deployments_);
  run(sets_);
  run(machines_);
  run(health_);
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

}  // namespace millwright::controllers::contract
