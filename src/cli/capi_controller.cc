#include "cli/capi_controller.h"

#include <cstdlib>

#include "dialects/capi/program_options.h"

namespace millwright::cli {

namespace capi = dialects::capi;

namespace {

// The name of upstream's lease: whoever holds it works, of whichever program it
// is.
constexpr std::string_view kLease = "controller-leader-election-capi";
constexpr std::string_view kOwnNamespace = "capi-system";

controllers::contract::Settings SettingsOf(capi::ProgramOptions options) {
  return {.namespace_ = std::move(options.namespace_),
          .watch_filter = std::move(options.watch_filter),
          .connection_grace = options.connection_grace,
          .conditions_grace = options.conditions_grace,
          .cluster_workers = options.workers.clusters,
          .machine_workers = options.workers.machines,
          .set_workers = options.workers.sets,
          .deployment_workers = options.workers.deployments,
          .health_workers = options.workers.health_checks,
          .preflight = std::move(options.preflight),
          .preflight_checks = options.gates.preflight_checks,
          .taint_propagation = options.gates.taint_propagation,
          .in_place_updates = options.gates.in_place_updates,
          .considers_attachments = options.gates.considers_attachments,
          .topology = options.gates.topology,
          .node_labels = std::move(options.node_labels),
          .node_annotations = std::move(options.node_annotations)};
}

}  // namespace

std::vector<dialects::Flag> CapiFlags(controllers::Loops) { return capi::Flags(); }

Result<ControllerPlan> PlanCapi(controllers::Loops loops, std::span<const std::string> words,
                                const std::string& host) {
  if (!loops.sets || !loops.machines) {
    return Fail(ErrorKind::kInvalid,
                "--only: Cluster API's core manager is "
                "one program; its loops cannot be split");
  }
  TRY(capi::ProgramOptions options, capi::ReadFlags(words));
  ControllerPlan plan{
      .clusters = {.control = options.cluster, .target = std::nullopt},
      .loops = loops,
      .component = "capi-controller-manager",
      .status_server = {.address = options.health_address, .port = options.health_port},
      .profiling = options.profiling,
      .log_everything = options.log_everything,
      .ignored_flags = std::move(options.ignored)};
  if (options.metrics_port != 0) {
    plan.second_status_server = net::ServerOptions{};
    plan.second_status_server->address = options.metrics_address;
    plan.second_status_server->port = options.metrics_port;
    // Whoever serves makes the certificate, and asks the API server who may look.
    if (!options.plain_metrics) plan.second_status_server->tls = net::TlsPem{};
  }
  if (options.limit) plan.limit = {options.limit->per_second, options.limit->burst};
  if (options.election) {
    const char* own = std::getenv("POD_NAMESPACE");
    plan.leases.push_back(
        {.lease = {own != nullptr ? own : std::string(kOwnNamespace), std::string(kLease)},
         .identity = host,
         .timing = {.lease_duration = options.election->lease,
                    .renew_deadline = options.election->renew,
                    .retry_period = options.election->retry}});
  }
  if (options.webhooks.port != 0) {
    plan.webhooks = {.port = options.webhooks.port,
                     .files = {.folder = options.webhooks.directory,
                               .certificate = options.webhooks.certificate,
                               .key = options.webhooks.key}};
  }
  plan.contract = SettingsOf(std::move(options));
  return plan;
}

}  // namespace millwright::cli
