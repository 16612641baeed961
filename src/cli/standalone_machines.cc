#include "cli/standalone_machines.h"

#include <cstdio>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "cli/fleet.h"
#include "cli/machine_lines.h"
#include "cli/sample.h"

namespace millwright::cli {

namespace {

Task<Result<void>> Prepare(kube::Client& client, const DialectEntry& dialect,
                           const StandaloneMachines& options) {
  CO_CHECK(co_await InstallCrds(client, dialect));
  if (!options.sample) co_return Ok();
  co_return co_await CreateSample(client, options.url, options.ca_pem);
}

// Kinds are served a moment after they were defined.
Task<Result<void>> PrepareInTime(Clock& clock, kube::Client& client, const DialectEntry& dialect,
                                 const StandaloneMachines& options) {
  for (int attempt = 0;; ++attempt) {
    auto prepared = co_await Prepare(client, dialect, options);
    const bool soon = !prepared && prepared.error().kind() == ErrorKind::kNotFound && attempt < 50;
    if (!soon) co_return prepared;
    if (co_await SleepFor(clock, std::chrono::milliseconds(100)) == Wake::kCancelled)
      co_return Ok();
  }
}

}  // namespace

Task<void> RunMachines(Process process, net::Handler& server, StandaloneMachines options) {
  const Logger log = process.log.For("standalone");
  const auto dialect = FindDialect(options.dialect);
  if (!dialect) {
    log.Error("no machines here", {{"error", dialect.error().message()}});
    co_return;
  }
  apiserver::InProcessHttp http(process.executor, server, apiserver::TrustedPeer("millwright"));
  kube::Client client(http, "millwright");
  const auto prepared = co_await PrepareInTime(process.clock, client, **dialect, options);
  if (!prepared) log.Error("no machines here", {{"error", prepared.error().message()}});
  if (prepared) {
    Fleet fleet(process, **dialect, client, &client,
                {.machines = options.directory / "machines",
                 .component = "millwright",
                 .settings = {.token_groups = "system:bootstrappers:millwright"},
                 .loops = {}});
    PrintMachineChanges(fleet.controllers().caches(), process.clock, stdout);
    TaskGroup tasks(process.executor);
    tasks.Spawn([&] { return fleet.RunCaches(); });
    tasks.Spawn([&] { return fleet.RunLoops(); });
    co_await UntilCancelled();
    tasks.Cancel();
    co_await tasks.Join();
  }
  co_await IgnoreCancellation();
  co_await http.Close();
}

}  // namespace millwright::cli
