#include "dialects/capi/program_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace millwright::dialects::capi {

namespace {

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return parts;
}

struct Endpoint {
  std::string address;
  std::uint16_t port = 0;
};

// ":9440", "127.0.0.1:9440", "[::1]:9440"; "0" and "" are nowhere.
Result<Endpoint> ParseEndpoint(const FlagValues& values, std::string_view flag) {
  const std::string& text = values.Text(flag);
  if (text.empty() || text == "0") return Endpoint{};
  const std::size_t colon = text.rfind(':');
  Endpoint endpoint;
  const std::string_view port = std::string_view(text).substr(std::min(colon + 1, text.size()));
  const char* const end = port.data() + port.size();
  const auto [stop, error] = std::from_chars(port.data(), end, endpoint.port);
  if (colon == std::string::npos || error != std::errc{} || stop != end) {
    return Invalid(fmt::format("--{}: '{}' is no address: write HOST:PORT", flag, text));
  }
  endpoint.address = text.substr(0, colon);
  if (endpoint.address.empty()) endpoint.address = "0.0.0.0";
  if (endpoint.address.starts_with('[') && endpoint.address.ends_with(']')) {
    endpoint.address = endpoint.address.substr(1, endpoint.address.size() - 2);
  }
  return endpoint;
}

Result<std::set<core::PreflightCheck>> ParsePreflight(const std::string& text) {
  using enum core::PreflightCheck;
  static const std::map<std::string, core::PreflightCheck, std::less<>> kChecks = {
      {"ControlPlaneIsStable", kControlPlaneIsStable},
      {"KubernetesVersionSkew", kVersionSkew},
      {"KubeadmVersionSkew", kBootstrapVersionSkew},
      {"ControlPlaneVersionSkew", kControlPlaneVersionSkew}};
  std::set<core::PreflightCheck> checks;
  for (const std::string& name : SplitAtCommas(text)) {
    if (name == "All") {
      for (const auto& [_, check] : kChecks) checks.insert(check);
      continue;
    }
    const auto found = kChecks.find(name);
    if (found == kChecks.end()) {
      return Invalid(fmt::format("--machineset-preflight-checks: there is no check '{}'", name));
    }
    checks.insert(found->second);
  }
  return checks;
}

// Gates of upstream's that mean nothing here are accepted.
Result<Gates> ParseGates(const std::string& text) {
  Gates gates;
  const std::map<std::string_view, bool*> known = {
      {"MachineSetPreflightChecks", &gates.preflight_checks},
      {"MachineWaitForVolumeDetachConsiderVolumeAttachments", &gates.considers_attachments},
      {"MachineTaintPropagation", &gates.taint_propagation},
      {"InPlaceUpdates", &gates.in_place_updates},
      {"ClusterTopology", &gates.topology},
      {"MachinePool", nullptr},
      {"RuntimeSDK", nullptr},
      {"KubeadmBootstrapFormatIgnition", nullptr},
      {"PriorityQueue", nullptr},
      {"ReconcilerRateLimiting", nullptr}};
  for (const std::string& part : SplitAtCommas(text)) {
    const std::size_t equals = std::min(part.find('='), part.size());
    const auto found = known.find(std::string_view(part).substr(0, equals));
    const std::string value = part.substr(std::min(equals + 1, part.size()));
    if (found == known.end()) {
      return Invalid(fmt::format("--feature-gates: there is no gate '{}'", part.substr(0, equals)));
    }
    if (value != "true" && value != "false") {
      return Invalid(
          fmt::format("--feature-gates: write {}=true or {}=false", found->first, found->first));
    }
    if (found->second != nullptr) *found->second = value == "true";
  }
  return gates;
}

Result<std::vector<kube::Pattern>> ParsePatterns(const FlagValues& values, std::string_view flag) {
  std::vector<kube::Pattern> patterns;
  for (const std::string& text : SplitAtCommas(values.Text(flag))) {
    auto pattern = kube::Pattern::Compile(text);
    if (!pattern) {
      return Invalid(fmt::format("--{}: '{}': {}", flag, text, pattern.error().message()));
    }
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

Result<std::size_t> ReadWorkers(const FlagValues& values, std::string_view flag) {
  const std::int64_t count = values.Whole(flag);
  if (count < 1) return Invalid(fmt::format("--{} must be 1 or more", flag));
  return static_cast<std::size_t>(count);
}

Result<Workers> ReadAllWorkers(const FlagValues& values) {
  Workers workers;
  TRY(workers.clusters, ReadWorkers(values, "cluster-concurrency"));
  TRY(workers.machines, ReadWorkers(values, "machine-concurrency"));
  TRY(workers.sets, ReadWorkers(values, "machineset-concurrency"));
  TRY(workers.deployments, ReadWorkers(values, "machinedeployment-concurrency"));
  TRY(workers.health_checks, ReadWorkers(values, "machinehealthcheck-concurrency"));
  return workers;
}

Result<std::optional<Election>> ReadElection(const FlagValues& values) {
  if (!values.Switch("leader-elect")) return std::optional<Election>();
  const Election election{.lease = values.Time("leader-elect-lease-duration"),
                          .renew = values.Time("leader-elect-renew-deadline"),
                          .retry = values.Time("leader-elect-retry-period")};
  const bool sensible = election.lease > election.renew && election.renew > election.retry &&
                        election.retry > Duration::zero();
  if (!sensible) {
    return Invalid(
        "--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline, and that "
        "longer than --leader-elect-retry-period");
  }
  return std::optional(election);
}

Result<void> CheckGraces(const ProgramOptions& options) {
  if (options.conditions_grace < std::chrono::minutes(2)) {
    return Invalid("--remote-conditions-grace-period must be 2m or more");
  }
  if (options.conditions_grace > options.connection_grace) return Ok();
  return Invalid(
      "--remote-conditions-grace-period must be longer than --remote-connection-grace-period");
}

Result<WebhookOptions> ReadWebhooks(const FlagValues& values) {
  const std::int64_t port = values.Whole("webhook-port");
  if (port < 0 || port > 65535) return Invalid("--webhook-port must be between 0 and 65535");
  return WebhookOptions{.port = static_cast<std::uint16_t>(port),
                        .directory = values.Text("webhook-cert-dir"),
                        .certificate = values.Text("webhook-cert-name"),
                        .key = values.Text("webhook-key-name")};
}

}  // namespace

Result<ProgramOptions> ReadFlags(std::span<const std::string> words) {
  TRY(const FlagValues values, ParseFlags(Flags(), words));
  ProgramOptions options{.namespace_ = values.Text("namespace"),
                         .watch_filter = values.Text("watch-filter"),
                         .connection_grace = values.Time("remote-connection-grace-period"),
                         .conditions_grace = values.Time("remote-conditions-grace-period"),
                         .profiling = !values.Text("profiler-address").empty(),
                         .log_everything = values.Whole("v") >= 4,
                         .ignored = values.ignored()};
  if (const std::string& file = values.Text("kubeconfig"); !file.empty()) {
    options.cluster = {ClusterSource::From::kFile, file};
  }
  CHECK_OK(CheckGraces(options));
  TRY(options.workers, ReadAllWorkers(values));
  TRY(options.preflight, ParsePreflight(values.Text("machineset-preflight-checks")));
  TRY(options.gates, ParseGates(values.Text("feature-gates")));
  TRY(options.node_labels, ParsePatterns(values, "additional-sync-machine-labels"));
  TRY(options.node_annotations, ParsePatterns(values, "additional-sync-machine-annotations"));
  // As with every dialect: a server that wants less says so itself.
  if (values.WasGiven("kube-api-qps") || values.WasGiven("kube-api-burst")) {
    const auto burst = static_cast<int>(values.Whole("kube-api-burst"));
    options.limit = RequestLimit{values.Real("kube-api-qps"), std::max(burst, 1)};
  }
  TRY(options.election, ReadElection(values));
  TRY(const Endpoint health, ParseEndpoint(values, "health-addr"));
  options.health_address = health.address;
  options.health_port = health.port;
  TRY(const Endpoint metrics, ParseEndpoint(values, "diagnostics-address"));
  options.metrics_address = metrics.address;
  options.metrics_port = metrics.port;
  options.plain_metrics = values.Switch("insecure-diagnostics");
  TRY(options.webhooks, ReadWebhooks(values));
  return options;
}

}  // namespace millwright::dialects::capi
