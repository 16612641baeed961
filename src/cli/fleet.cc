#include "cli/fleet.h"

#include <boost/json/serialize.hpp>

#include "controllers/metrics/machine_gauges.h"

namespace millwright::cli {

Fleet::Fleet(Process process, const DialectEntry& dialect, kube::Client& control,
             kube::Client* target, FleetOptions options)
    : dialect_(dialect.make()),
      events_(process.executor, control, process.clock, process.log.For("events"),
              {.component = options.component}),
      surroundings_{.executor = process.executor,
                    .clock = process.clock,
                    .random = process.random,
                    .log = process.log,
                    .control = control,
                    .target = target,
                    .dialect = *dialect_,
                    .events = events_,
                    .settings = options.settings},
      clouds_(process, JoinedTo(target, std::move(options))),
      loops_(options.loops),
      controllers_(surroundings_, clouds_.registry(), options.loops),
      tasks_(process.executor) {
  if (options.metrics != nullptr) Measure(*options.metrics);
}

CloudsOptions Fleet::JoinedTo(kube::Client* target, FleetOptions&& options) {
  CloudsOptions clouds = std::move(options.clouds);
  if (options.loops.machines) clouds.joins = target;
  if (options.metrics != nullptr) {
    clouds.observe = [this](const providers::CloudCallReport& report) {
      activity_->OnCloudCall(report);
    };
  }
  return clouds;
}

void Fleet::Measure(Metrics& metrics) {
  activity_.emplace(metrics, surroundings_, controllers_.caches());
  for (kube::Controller* controller : controllers_.queues()) {
    queue_metrics_.Observe(metrics, *controller);
  }
  metrics.Add(std::make_unique<controllers::MachineGauges>(
      controllers_.caches(), loops_, [this] { return controllers_.frozen(); }));
}

Task<void> Fleet::RunCaches() { return controllers_.RunCaches(); }

void Fleet::RestoreSimulated() {
  for (const dialects::MachineRecord& machine : controllers_.caches().machines.store().objects()) {
    const bool ours = machine.instance.view().starts_with(providers::CloudEngine::kScheme);
    if (!ours || machine.core.IsDeleting()) continue;
    const dialects::ClassRecord* of = controllers_.caches().classes.store().Find(
        {machine.meta.key.namespace_, machine.class_name});
    clouds_.simulated().Restore(
        {.name = machine.class_name,
         .provider_spec = of != nullptr ? std::string(of->provider_spec.view()) : std::string()},
        {.uid = machine.meta.uid,
         .name = machine.meta.key.name,
         .namespace_ = machine.meta.key.namespace_,
         .instance = machine.instance},
        machine.remembered);
  }
}

Task<void> Fleet::RunLoops() {
  if (co_await controllers_.caches().WaitSynced() == Wake::kCancelled) co_return;
  if (loops_.machines) RestoreSimulated();
  tasks_.Spawn([this] { return events_.Run(); });
  if (loops_.machines) tasks_.Spawn([this] { return clouds_.Run(); });
  co_await controllers_.RunLoops();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Result<void>> InstallCrds(kube::Client& client, const DialectEntry& dialect) {
  const kube::GroupVersionResource definitions{"apiextensions.k8s.io", "v1",
                                               "customresourcedefinitions"};
  for (const boost::json::object& crd : dialect.crds()) {
    const std::string name(crd.at("metadata").at("name").as_string());
    CO_CHECK(co_await client.Apply(definitions, {.namespace_ = {}, .name = name},
                                   boost::json::serialize(crd), {.force = true}));
  }
  co_return Ok();
}

}  // namespace millwright::cli
