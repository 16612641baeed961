#include "cli/contract_fleet.h"

#include "controllers/contract/metrics/cluster_gauges.h"

namespace millwright::cli {

namespace contract = controllers::contract;

ContractFleet::ContractFleet(Process process, kube::Client& management,
                             contract::RemoteDialer& dialer, ContractFleetOptions options)
    : events_(process.executor, management, process.clock, process.log.For("events"),
              {.component = options.component}),
      surroundings_{.executor = process.executor,
                    .clock = process.clock,
                    .random = process.random,
                    .log = process.log,
                    .management = management,
                    .events = events_,
                    .dialer = dialer,
                    .in_place = in_place_,
                    .settings = std::move(options.settings)},
      clouds_(process, std::move(options.clouds)),
      controllers_(surroundings_),
      caches_(process.executor),
      loops_(process.executor) {
  if (options.supply) {
    supply_.emplace(surroundings_, controllers_.caches(), controllers_.externals(),
                    controllers_.remotes(), clouds_.registry());
  }
  if (options.metrics == nullptr) return;
  for (kube::Controller* controller : controllers_.queues()) {
    loop_metrics_.Observe(*options.metrics, *controller);
  }
  options.metrics->Add(std::make_unique<contract::ClusterGauges>(controllers_.remotes()));
}

Task<void> ContractFleet::RunCaches() {
  caches_.Spawn([this] { return controllers_.RunCaches(); });
  if (supply_) caches_.Spawn([this] { return supply_->RunCaches(); });
  co_await UntilCancelled();
  caches_.Cancel();
  co_await caches_.Join();
}

void ContractFleet::RestoreSimulated() {
  for (const auto& instance : supply_->seen().instances.store().objects()) {
    const bool ours = instance.provider_id.starts_with(providers::CloudEngine::kScheme);
    if (!ours || instance.deleting()) continue;
    clouds_.simulated().Restore({.name = instance.meta.key.name,
                                 .provider_spec = std::string(instance.provider_spec.view())},
                                {.uid = controllers::supply::MadeFor(instance),
                                 .name = instance.meta.key.name,
                                 .namespace_ = instance.meta.key.namespace_,
                                 .instance = instance.provider_id},
                                instance.remembered);
  }
}

Task<void> ContractFleet::RunLoops() {
  if (co_await controllers_.caches().WaitSynced() == Wake::kCancelled) co_return;
  loops_.Spawn([this] { return events_.Run(); });
  if (supply_) {
    if (co_await supply_->WaitSynced() == Wake::kCancelled) co_return;
    RestoreSimulated();
    loops_.Spawn([this] { return clouds_.Run(); });
    loops_.Spawn([this] { return supply_->RunLoops(); });
  }
  co_await controllers_.RunLoops();
  loops_.Cancel();
  co_await loops_.Join();
}

}  // namespace millwright::cli
