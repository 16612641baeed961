#include "kube/runtime/manager.h"

namespace millwright::kube {

Manager::Manager(Executor executor, Clock& clock, Random& random, Client& client, Metrics& metrics,
                 Logger log, ManagerOptions options)
    : executor_(std::move(executor)),
      clock_(clock),
      random_(random),
      client_(client),
      log_(std::move(log)),
      options_(std::move(options)),
      pages_(clock, metrics, options_.profiling) {}

Task<ManagerOutcome> Manager::Run() {
  std::unique_ptr<net::Server> server;
  if (options_.status_server) {
    auto listening = net::Server::Listen(executor_, clock_, *options_.status_server, pages_);
    if (!listening) {
      log_.Error("cannot serve health and metrics", {{"error", listening.error().message()}});
      co_return ManagerOutcome::kCannotListen;
    }
    server = *std::move(listening);
    status_port_ = server->port();
  }
  TaskGroup serving(executor_);
  TaskGroup running(executor_);
  if (server) serving.Spawn([&server] { return server->Run(); });
  for (const Named& part : parts_) running.Spawn([this, &part] { return RunNamed(part); });

  bool lost = false;
  co_await Lead(0, lost);
  log_.Info("stopping");
  running.Cancel();
  co_await running.Join();
  // Last, so that probes see us as long as we work.
  serving.Cancel();
  co_await serving.Join();
  co_return lost ? ManagerOutcome::kLostLease : ManagerOutcome::kStopped;
}

Task<void> Manager::Lead(std::size_t lease, bool& lost) {
  if (lease == options_.leases.size()) {
    co_await RunLeaderParts();
    co_return;
  }
  Elector elector(client_, clock_, random_, log_, options_.leases[lease]);
  const LeaderOutcome outcome =
      co_await elector.Run([this, lease, &lost] { return Lead(lease + 1, lost); });
  if (outcome == LeaderOutcome::kLost) lost = true;
}

Task<void> Manager::RunLeaderParts() {
  TaskGroup parts(executor_);
  for (const Named& part : leader_parts_) parts.Spawn([this, &part] { return RunNamed(part); });
  co_await UntilCancelled();
  parts.Cancel();
  co_await parts.Join();
}

Task<void> Manager::RunNamed(Named part) {
  log_.Debug("starting", {{"part", part.name}});
  co_await part.run();
  log_.Debug("ended", {{"part", part.name}});
}

}  // namespace millwright::kube
