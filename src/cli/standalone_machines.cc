#include "cli/standalone_machines.h"

#include <cstdio>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "base/metrics_process.h"
#include "cli/contract_run.h"
#include "cli/fleet.h"
#include "cli/machine_lines.h"
#include "cli/preparing.h"
#include "cli/sample.h"
#include "kube/runtime/status_pages.h"
#include "net/server.h"

namespace millwright::cli {

namespace {

Task<Result<void>> Prepare(kube::Client& client, const DialectEntry& dialect,
                           const StandaloneMachines& options) {
  CO_CHECK(co_await InstallCrds(client, dialect));
  if (!options.sample) co_return Ok();
  co_return co_await CreateSample(client, options.url, options.ca_pem);
}

}  // namespace

std::unique_ptr<net::Server> ServeMetrics(const Process& process, const MetricsListen& listen,
                                          net::Handler& pages, const Logger& log) {
  auto server = net::Server::Listen(process.executor, process.clock,
                                    {.address = listen.address, .port = listen.port}, pages);
  if (!server) {
    log.Error("cannot serve metrics", {{"error", server.error().message()}});
    return nullptr;
  }
  std::printf("Metrics at http://%s:%u/metrics\n", listen.address.c_str(), (*server)->port());
  std::fflush(stdout);
  return *std::move(server);
}

Task<void> RunMachines(Process process, net::Handler& server, StandaloneMachines options) {
  const Logger log = process.log.For("standalone");
  const auto dialect = FindDialect(options.dialect);
  if (!dialect) {
    log.Error("no machines here", {{"error", dialect.error().message()}});
    co_return;
  }
  apiserver::InProcessHttp http(process.executor, server, apiserver::TrustedPeer("millwright"));
  if ((*dialect)->on_contracts()) {
    co_await RunContractMachines(process, http, std::move(options));
    co_await IgnoreCancellation();
    co_await http.Close();
    co_return;
  }
  kube::Client client(http, "millwright");
  const auto prepared =
      co_await PrepareInTime(process.clock, [&] { return Prepare(client, **dialect, options); });
  if (!prepared) log.Error("no machines here", {{"error", prepared.error().message()}});
  if (prepared) {
    Metrics metrics;
    metrics.Add(std::make_unique<ProcessCollector>());
    Fleet fleet(process, **dialect, client, &client,
                {.component = "millwright",
                 .clouds = {.machines = options.directory / "machines",
                            .remote = std::move(options.remote),
                            .default_provider = options.default_provider},
                 .settings = {.token_groups = "system:bootstrappers:millwright"},
                 .loops = {},
                 .metrics = &metrics});
    kube::StatusPages pages(process.clock, metrics, false);
    pages.BeforeScrape([&fleet] { fleet.BeforeScrape(); });
    std::unique_ptr<net::Server> page_server;
    if (options.metrics) page_server = ServeMetrics(process, *options.metrics, pages, log);
    PrintMachineChanges(fleet.controllers().caches(), process.clock, stdout);
    TaskGroup tasks(process.executor);
    tasks.Spawn([&] { return fleet.RunCaches(); });
    tasks.Spawn([&] { return fleet.RunLoops(); });
    if (page_server) tasks.Spawn([&] { return page_server->Run(); });
    co_await UntilCancelled();
    tasks.Cancel();
    co_await tasks.Join();
  }
  co_await IgnoreCancellation();
  co_await http.Close();
}

}  // namespace millwright::cli
