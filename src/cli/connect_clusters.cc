#include "cli/connect_clusters.h"

#include <fmt/format.h>

#include "cli/failure.h"

namespace millwright::cli {

using dialects::ClusterSource;

namespace {

constexpr Duration kPatience = std::chrono::seconds(10);
constexpr Duration kPatienceForKinds = std::chrono::seconds(3);
constexpr Duration kPause = std::chrono::seconds(1);

std::unexpected<StartFailure> Because(Stage stage, const Error& error, std::string_view which) {
  return std::unexpected(StartFailure{CodeFor(stage, error),
                                      fmt::format("the {} cluster: {}", which, error.message())});
}

Task<Result<std::unique_ptr<kube::Connection>>> OpenOnce(Process process, kube::ClientConfig config,
                                                         kube::ConnectionOptions options) {
  CO_TRY(auto connection, co_await kube::Connection::Open(process.executor, process.clock,
                                                          std::move(config), std::move(options)));
  CO_TRY(const std::string health, co_await connection->client().GetPath("/healthz"));
  (void)health;
  co_return connection;
}

Task<std::expected<std::unique_ptr<kube::Connection>, StartFailure>> Connect(
    Process process, ClusterSource source, kube::ConnectionOptions options, std::string which) {
  auto config = ConfigOf(source);
  if (!config) co_return Because(Stage::kKubeconfig, config.error(), which);
  const SteadyTime until = process.clock.Elapsed() + kPatience;
  for (;;) {
    auto opened = co_await OpenOnce(process, *config, options);
    if (opened) co_return *std::move(opened);
    const bool may_come = opened.error().kind() == ErrorKind::kUnavailable;
    if (!may_come || process.clock.Elapsed() >= until) {
      co_return Because(Stage::kConnecting, opened.error(), which);
    }
    if (co_await SleepFor(process.clock, kPause) == Wake::kCancelled) {
      co_return Because(Stage::kConnecting, opened.error(), which);
    }
  }
}

// None: all are there.
Task<Result<std::optional<kube::GroupVersionResource>>> FindMissing(kube::Discovery& discovery,
                                                                    dialects::Kinds kinds) {
  discovery.Forget();
  for (const dialects::Kind* kind :
       {&kinds.machine, &kinds.set, &kinds.deployment, &kinds.machine_class}) {
    CO_TRY(const auto found, co_await discovery.Find(kind->resource));
    if (!found) co_return std::optional(kind->resource);
  }
  co_return std::optional<kube::GroupVersionResource>();
}

}  // namespace

Result<kube::ClientConfig> ConfigOf(const ClusterSource& source) {
  kube::Surroundings surroundings = kube::SurroundingsOfThisProcess();
  if (source.from == ClusterSource::From::kPod) {
    // Nothing but the pod's account: another cluster by accident would be a bad surprise.
    surroundings.env.erase("KUBECONFIG");
    surroundings.env.erase("HOME");
  }
  auto config = kube::LoadClientConfig({.kubeconfig = source.path}, surroundings);
  if (!config && source.from == ClusterSource::From::kPod) {
    return Fail(ErrorKind::kNotFound,
                "we do not run in a pod with a service account; name a kubeconfig");
  }
  return config;
}

Task<std::expected<ConnectedClusters, StartFailure>> ConnectClusters(
    Process process, dialects::Clusters clusters, kube::ConnectionOptions options) {
  ConnectedClusters connected{.joins = clusters.target.has_value()};
  auto control = co_await Connect(process, clusters.control, options, "control");
  if (!control) co_return std::unexpected(std::move(control).error());
  connected.control = *std::move(control);
  if (!clusters.target || *clusters.target == clusters.control) co_return connected;
  auto target = co_await Connect(process, *clusters.target, options, "target");
  if (!target) co_return std::unexpected(std::move(target).error());
  connected.other = *std::move(target);
  co_return connected;
}

Task<std::expected<void, StartFailure>> CheckKinds(Clock& clock, kube::Connection& control,
                                                   const dialects::Dialect& dialect) {
  const SteadyTime until = clock.Elapsed() + kPatienceForKinds;
  for (;;) {
    const auto missing = co_await FindMissing(control.discovery(), dialect.kinds());
    if (!missing) co_return Because(Stage::kRequest, missing.error(), "control");
    if (!*missing) co_return std::expected<void, StartFailure>();
    const bool waited =
        clock.Elapsed() >= until || co_await SleepFor(clock, kPause) == Wake::kCancelled;
    if (waited) {
      co_return std::unexpected(StartFailure{
          ExitCode::kUnknownResource,
          fmt::format("the control cluster has no {}: define its kinds with 'millwright crds "
                      "--dialect {} | kubectl apply -f -'",
                      (*missing)->ToString(), dialect.name())});
    }
  }
}

}  // namespace millwright::cli
