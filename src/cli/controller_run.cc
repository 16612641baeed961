#include "cli/controller_run.h"

#include "base/metrics_process.h"
#include "cli/connect_clusters.h"
#include "cli/contract_run.h"
#include "cli/fleet.h"
#include "cli/leading.h"
#include "cli/outcome.h"
#include "cli/version.h"
#include "controllers/metrics/rest_client.h"
#include "kube/runtime/manager.h"

namespace millwright::cli {

Task<ExitCode> RunController(Process process, const ControllerFlags& flags, ControllerPlan plan) {
  const Logger log = process.log.For("controller");
  if (plan.log_everything) process.log.SetLevels({.all = LogLevel::kDebug});
  for (const std::string& flag : plan.ignored_flags) {
    log.Info("this flag has no effect", {{"flag", "--" + flag}});
  }
  if (flags.dialect->on_contracts()) {
    co_return co_await RunContractController(process, flags, std::move(plan));
  }
  auto remote = MakeProviders(process, flags.providers);
  if (!remote) co_return SayFailure({ExitCode::kUsage, remote.error().message()});
  Metrics metrics;
  metrics.Add(std::make_unique<ProcessCollector>());
  auto clusters = co_await ConnectClusters(process, plan.clusters,
                                           {.field_manager = plan.component,
                                            .user_agent = VersionText(),
                                            .limit = plan.limit,
                                            .observe = [&metrics](const std::string& host) {
                                              return controllers::CountRequests(metrics, host);
                                            }});
  if (!clusters) co_return SayFailure(clusters.error());
  kube::Connection& control = *clusters->control;
  const auto checked = co_await CheckKinds(process.clock, control, *flags.dialect->make());
  if (!checked) co_return SayFailure(checked.error());

  Fleet fleet(process, *flags.dialect, control.client(), clusters->target(),
              {.component = plan.component,
               .clouds = {.machines = flags.data_dir / "machines",
                          .remote = *std::move(remote),
                          .default_provider = flags.providers.fallback},
               .settings = plan.settings,
               .loops = plan.loops,
               .metrics = &metrics});
  kube::Manager manager(
      process.executor, process.clock, process.random, control.client(), metrics, log,
      {.status_server = plan.status_server, .profiling = plan.profiling, .leases = plan.leases});
  manager.Add("caches", [&fleet] { return fleet.RunCaches(); });
  manager.AddForLeader("loops", [&fleet] { return fleet.RunLoops(); });
  ShowLeading(manager, metrics, plan);
  manager.pages().AddReadyCheck("caches", [&fleet] {
    return fleet.controllers().caches().synced() ? std::string() : std::string("not synced");
  });
  manager.pages().BeforeScrape([&fleet] { fleet.BeforeScrape(); });
  log.Info("starting", {{"dialect", flags.dialect->name},
                        {"namespace", plan.settings.namespace_},
                        {"address", plan.status_server.address},
                        {"port", static_cast<int>(plan.status_server.port)}});
  co_return CodeOf(co_await manager.Run());
}

}  // namespace millwright::cli
