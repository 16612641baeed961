#include "cli/contract_run.h"

#include <fmt/format.h>
#include <boost/json.hpp>

#include <cstdlib>

#include "admission/capi_webhooks.h"
#include "admission/metered_webhooks.h"
#include "apiserver/auth/pki/pki.h"
#include "base/metrics_process.h"
#include "cli/capi_sample.h"
#include "cli/connect_clusters.h"
#include "cli/contract_fleet.h"
#include "cli/guarded_pages.h"
#include "cli/leading.h"
#include "cli/outcome.h"
#include "cli/preparing.h"
#include "cli/version.h"
#include "controllers/contract/remote/kube_dialer.h"
#include "controllers/metrics/rest_client.h"
#include "controllers/supply/kinds.h"
#include "dialects/capi/contract.h"
#include "dialects/capi/schema.h"
#include "kube/connect/observed_http.h"
#include "kube/runtime/manager.h"

namespace millwright::cli {

namespace contract = controllers::contract;

namespace {

// Requests to workload clusters are counted as those to the management cluster are, but all
// together: there may be thousands of them.
kube::ConnectionOptions RemoteOptions(const std::string& component, Metrics& metrics) {
  return {.field_manager = component,
          .user_agent = VersionText(),
          .observe = [&metrics](const std::string&) {
            return controllers::CountRequests(metrics, "workload");
          }};
}

// As the manifest tells it; none: we are no pod.
std::optional<contract::OwnPod> OwnPodOfThisProcess() {
  const auto told = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  contract::OwnPod pod{.key = {told("POD_NAMESPACE"), told("POD_NAME")},
                       .uid = Uid(told("POD_UID"))};
  if (pod.key.namespace_.empty() || pod.key.name.empty() || pod.uid.empty()) return std::nullopt;
  return pod;
}

// A cluster that manages itself is reached from within: the address in its kubeconfig may be one
// that only others can use.
std::optional<kube::ClientConfig> Within(const dialects::ClusterSource& control) {
  auto config = ConfigOf(control);
  return config ? std::optional(*std::move(config)) : std::nullopt;
}

// Our own kinds are served where somebody defined them.
Task<Result<bool>> HasOwnKinds(kube::Client& client) {
  const std::string name =
      controllers::supply::kInstances.resource + "." + controllers::supply::kInstances.group;
  CO_TRY(const auto found, co_await client.Find(contract::kDefinitions, {"", name}));
  co_return found.has_value();
}

// The version in which a provider's kind is served, for what is converted to
// the old form.
dialects::capi::VersionOf VersionsFrom(const contract::Caches& caches) {
  return [&caches](std::string_view group, std::string_view kind) -> std::optional<std::string> {
    const std::string name = dialects::capi::DefinitionName(kind, group);
    const auto* definition = caches.definitions.store().Find({"", name});
    if (definition == nullptr) return std::nullopt;
    const auto kept = dialects::capi::ChooseContract(definition->labels);
    return kept ? std::optional(kept->version) : std::nullopt;
  };
}

admission::Routes WebhooksOf(const ContractFleet& fleet, const contract::Settings& settings) {
  return admission::CapiRoutes(
      {.taints = settings.taint_propagation, .preflight = settings.preflight_checks},
      VersionsFrom(fleet.caches()));
}

Task<Result<void>> Define(kube::Client& client, boost::json::object definition) {
  const std::string name(definition.at("metadata").at("name").as_string());
  CO_CHECK(co_await client.Apply(contract::kDefinitions, {"", name},
                                 boost::json::serialize(definition), {.force = true}));
  co_return Ok();
}

Task<Result<void>> Configure(kube::Client& client, boost::json::object configuration) {
  const std::string kind(configuration.at("kind").as_string());
  const std::string name(configuration.at("metadata").at("name").as_string());
  const kube::GroupVersionResource resource{"admissionregistration.k8s.io", "v1",
                                            kind == "MutatingWebhookConfiguration"
                                                ? "mutatingwebhookconfigurations"
                                                : "validatingwebhookconfigurations"};
  CO_CHECK(co_await client.Apply(resource, {"", name}, boost::json::serialize(configuration),
                                 {.force = true}));
  co_return Ok();
}

// The server learns the kinds and where their webhooks are: in that order, for
// what it keeps from last time names a port that nobody serves.
Task<Result<void>> Prepare(kube::Client& client, admission::WebhookPlace place,
                           const StandaloneMachines& options) {
  for (const boost::json::object& crd : dialects::capi::Crds()) {
    CO_CHECK(co_await Define(client, admission::WithConversion(crd, place)));
  }
  for (const boost::json::object& crd : controllers::supply::Crds()) {
    CO_CHECK(co_await Define(client, crd));
  }
  for (const boost::json::object& configuration : admission::CapiWebhookConfigurations(place)) {
    CO_CHECK(co_await Configure(client, configuration));
  }
  if (!options.sample) co_return Ok();
  co_return co_await CreateCapiSample(
      client, {.url = options.url, .ca_pem = options.ca_pem, .kubeconfig = options.kubeconfig});
}

// Between two attempts to listen, while a certificate is not there yet.
constexpr Duration kListenPause = std::chrono::seconds(1);

// Something that is served beside the loops. They do not wait for it: what is asked there are
// somebody else's requests. But nobody is sent to us before we answer.
struct Served {
  std::string_view what;
  std::string why_not = "not served yet";  // empty: it is
};

Task<void> Serve(Process process, net::ServerOptions options, net::Handler& handler, Logger log,
                 Served& served) {
  while (true) {
    auto server = net::Server::Listen(process.executor, process.clock, options, handler);
    if (server) {
      served.why_not.clear();
      co_await (*server)->Run();
      co_return;
    }
    if (served.why_not != server.error().message()) {
      log.Error("not served", {{"what", served.what}, {"error", server.error().message()}});
    }
    served.why_not = server.error().message();
    if (co_await SleepFor(process.clock, kListenPause) == Wake::kCancelled) co_return;
  }
}

struct Servers {
  Served webhooks{.what = "webhooks"};
  Served metrics{.what = "metrics"};
};

// With TLS, and no certificate to be had from elsewhere: one of our own.
net::ServerOptions WithCertificate(const Process& process, net::ServerOptions options) {
  if (!options.tls) return options;
  const apiserver::Pki pki = apiserver::MakePki(apiserver::ServerNames(apiserver::HostName()),
                                                process.clock.Now(), process.random);
  options.tls =
      net::TlsPem{.certificate = pki.server.certificate, .key = pki.server.key, .client_ca = {}};
  return options;
}

// Every replica serves, whoever leads. What is referred to outlives the manager's run.
void AddServers(Process process, const ControllerPlan& plan, net::Handler& handler,
                net::Handler& guarded, kube::Manager& manager, Servers& servers) {
  const Logger log = process.log.For("webhooks");
  if (plan.webhooks) {
    manager.Add("webhooks", [=, &plan, &handler, &servers] {
      return Serve(process,
                   admission::WebhookServerOptions(plan.webhooks->port, plan.webhooks->files, log),
                   handler, log, servers.webhooks);
    });
    manager.pages().AddReadyCheck("webhooks", [&servers] { return servers.webhooks.why_not; });
  }
  if (plan.second_status_server) {
    net::Handler& pages = plan.second_status_server->tls ? guarded : manager.pages();
    manager.Add("metrics", [=, &plan, &pages, &servers] {
      return Serve(process, WithCertificate(process, *plan.second_status_server), pages, log,
                   servers.metrics);
    });
  }
}

}  // namespace

Task<ExitCode> RunContractController(Process process, const ControllerFlags& flags,
                                     ControllerPlan plan) {
  const Logger log = process.log.For("controller");
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
  kube::Client& management = clusters->control->client();
  const auto supplies = co_await HasOwnKinds(management);
  if (!supplies) co_return SayFailure({ExitCode::kFailed, supplies.error().message()});

  contract::KubeDialer dialer(process.executor, process.clock,
                              RemoteOptions(plan.component, metrics), OwnPodOfThisProcess(),
                              Within(plan.clusters.control));
  ContractFleet fleet(process, management, dialer,
                      {.component = plan.component,
                       .settings = std::move(plan.contract),
                       .clouds = {.machines = flags.data_dir / "machines",
                                  .remote = *std::move(remote),
                                  .default_provider = flags.providers.fallback,
                                  .joins = &management},
                       .supply = *supplies,
                       .metrics = &metrics});
  admission::WebhookHandler answers(WebhooksOf(fleet, fleet.settings()));
  admission::MeteredWebhooks webhooks(answers, metrics, process.clock);
  kube::Manager manager(
      process.executor, process.clock, process.random, management, metrics, log,
      {.status_server = plan.status_server, .profiling = plan.profiling, .leases = plan.leases});
  manager.Add("caches", [&fleet] { return fleet.RunCaches(); });
  Servers servers;
  GuardedPages guarded(manager.pages(), management, process.clock);
  AddServers(process, plan, webhooks, guarded, manager, servers);
  ShowLeading(manager, metrics, plan);
  manager.AddForLeader("loops", [&fleet] { return fleet.RunLoops(); });
  manager.pages().AddReadyCheck("caches", [&fleet] {
    return fleet.caches().synced() ? std::string() : std::string("not synced");
  });
  manager.pages().BeforeScrape([&fleet] { fleet.BeforeScrape(); });
  log.Info("starting", {{"dialect", flags.dialect->name},
                        {"port", static_cast<int>(plan.status_server.port)},
                        {"own_kinds", *supplies}});
  co_return CodeOf(co_await manager.Run());
}

Task<void> RunContractMachines(Process process, net::Http& http, StandaloneMachines options) {
  const Logger log = process.log.For("standalone");
  Metrics metrics;
  metrics.Add(std::make_unique<ProcessCollector>());
  kube::ObservedHttp counted(http, process.clock, controllers::CountRequests(metrics, "embedded"));
  kube::Client client(counted, "millwright");
  contract::KubeDialer dialer(process.executor, process.clock,
                              RemoteOptions("millwright", metrics));
  ContractFleet fleet(process, client, dialer,
                      {.component = "millwright",
                       .clouds = {.machines = options.directory / "machines",
                                  .remote = std::move(options.remote),
                                  .default_provider = options.default_provider,
                                  .joins = &client},
                       .supply = true,
                       .metrics = &metrics});
  kube::StatusPages pages(process.clock, metrics, false);
  pages.BeforeScrape([&fleet] { fleet.BeforeScrape(); });
  std::unique_ptr<net::Server> page_server;
  if (options.metrics) page_server = ServeMetrics(process, *options.metrics, pages, log);
  admission::WebhookHandler webhooks(WebhooksOf(fleet, fleet.settings()));
  auto server = net::Server::Listen(process.executor, process.clock,
                                    {.tls = options.identity, .log = log}, webhooks);
  TaskGroup tasks(process.executor);
  if (page_server) tasks.Spawn([&] { return page_server->Run(); });
  if (server) {
    const admission::WebhookPlace place{
        .service_namespace = {},
        .service = {},
        .url = fmt::format("https://127.0.0.1:{}", (*server)->port()),
        .ca = options.ca_pem};
    tasks.Spawn([&] { return (*server)->Run(); });
    const auto prepared =
        co_await PrepareInTime(process.clock, [&] { return Prepare(client, place, options); });
    if (!prepared) log.Error("no machines here", {{"error", prepared.error().message()}});
    if (prepared) {
      tasks.Spawn([&] { return fleet.RunCaches(); });
      tasks.Spawn([&] { return fleet.RunLoops(); });
    }
  } else {
    log.Error("no machines here", {{"error", server.error().message()}});
  }
  co_await UntilCancelled();
  tasks.Cancel();
  co_await tasks.Join();
}

}  // namespace millwright::cli
