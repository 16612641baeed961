#include "dialects/gardener/program_options.h"

#include <arpa/inet.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <ranges>

namespace millwright::dialects::gardener {

namespace {

constexpr std::string_view kNone = "none";
constexpr std::string_view kInCluster = "inClusterConfig";

Failure Invalid(std::string message) { return Fail(ErrorKind::kInvalid, std::move(message)); }

bool IsAddress(const std::string& text) {
  std::array<std::byte, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET, text.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, text.c_str(), address.data()) == 1;
}

std::vector<std::string> SplitAtCommas(std::string_view text) {
  std::vector<std::string> parts;
  for (const auto part : std::views::split(text, ',')) {
    if (!part.empty()) parts.emplace_back(part.begin(), part.end());
  }
  return parts;
}

Result<void> CheckNumbers(const FlagValues& values, std::span<const Flag> flags) {
  for (const Flag& flag : flags) {
    if (flag.type == FlagType::kDuration && values.Time(flag.name) < Duration::zero()) {
      return Invalid(fmt::format("--{} must not be negative", flag.name));
    }
    if (flag.type == FlagType::kWhole) {
      const std::int64_t number = values.Whole(flag.name);
      if (number < 0 || number > std::numeric_limits<int>::max()) {
        return Invalid(fmt::format("--{}: {} is out of range", flag.name, number));
      }
    }
  }
  return Ok();
}

Result<void> Check(const FlagValues& values) {
  const std::int64_t port = values.Whole("port");
  if (port < 1 || port > 65535) return Invalid(fmt::format("--port: {} is no port", port));
  if (!IsAddress(values.Text("address"))) {
    return Invalid(fmt::format("--address: '{}' is no IP address", values.Text("address")));
  }
  if (values.Whole("concurrent-syncs") < 1) return Invalid("--concurrent-syncs must be positive");
  if (values.Real("kube-api-qps") <= 0) return Invalid("--kube-api-qps must be positive");
  if (values.Switch("contention-profiling") && !values.Switch("profiling")) {
    return Invalid("--contention-profiling needs --profiling");
  }
  if (values.Text("namespace").empty()) return Invalid("--namespace must not be empty");
  if (!values.Switch("leader-elect")) return Ok();
  if (values.Text("leader-elect-resource-lock") != "leases") {
    return Invalid("--leader-elect-resource-lock: only 'leases' is supported");
  }
  if (values.Time("leader-elect-lease-duration") <= values.Time("leader-elect-renew-deadline")) {
    return Invalid(
        "--leader-elect-lease-duration must be longer than --leader-elect-renew-deadline");
  }
  if (values.Time("leader-elect-renew-deadline") <= values.Time("leader-elect-retry-period")) {
    return Invalid("--leader-elect-renew-deadline must be longer than --leader-elect-retry-period");
  }
  if (values.Time("leader-elect-retry-period") == Duration::zero()) {
    return Invalid("--leader-elect-retry-period must not be zero");
  }
  return Ok();
}

int Number(const FlagValues& values, std::string_view name) {
  return static_cast<int>(values.Whole(name));
}

// What upstream limits by default we do not: a server that wants less says so itself (priority and
// fairness), and a rollout of a thousand machines should not wait for a number of 2017.
std::optional<RequestLimit> LimitOf(const FlagValues& values) {
  if (!values.WasGiven("kube-api-qps") && !values.WasGiven("kube-api-burst")) return std::nullopt;
  return RequestLimit{values.Real("kube-api-qps"), std::max(Number(values, "kube-api-burst"), 1)};
}

SetsOptions SetsOf(const FlagValues& values) {
  return {.safety_up = Number(values, "safety-up"),
          .safety_down = Number(values, "safety-down"),
          .hold_scale_down = values.Switch("autoscaler-scaledown-annotation-during-rollout")};
}

MachinesOptions MachinesOf(const FlagValues& values) {
  return {.creation = values.Time("machine-creation-timeout"),
          .health = values.Time("machine-health-timeout"),
          .drain = values.Time("machine-drain-timeout"),
          .update_in_place = values.Time("machine-inplace-update-timeout"),
          .preserve = values.Time("machine-preserve-timeout"),
          .evict_retries = Number(values, "machine-max-evict-retries"),
          .volume_detach = values.Time("machine-pv-detach-timeout"),
          .volume_reattach = values.Time("machine-pv-reattach-timeout"),
          .orphan_period = values.Time("machine-safety-orphan-vms-period"),
          .api_failing_for = values.Time("machine-safety-apiserver-statuscheck-timeout"),
          .api_period = values.Time("machine-safety-apiserver-statuscheck-period"),
          .node_conditions = SplitAtCommas(values.Text("node-conditions")),
          .token_groups = values.Text("bootstrap-token-auth-extra-groups"),
          .secret_names = SplitAtCommas(values.Text("secret-names")),
          .exhausted_retry = values.Time("resource-exhausted-retry")};
}

// A flag of the other program is a mistake that is worth its own words.
Result<void> CheckNames(Program program, std::span<const Flag> flags,
                        std::span<const std::string> words) {
  if (program == Program::kBoth) return Ok();
  for (const std::string& word : words) {
    if (!word.starts_with("--")) continue;
    const std::string name = NormalFlagName(word.substr(2, word.find('=') - 2));
    if (std::ranges::find(flags, name, &Flag::name) != flags.end()) continue;
    if (std::ranges::find(FlagRows(), name, &FlagRow::name) == FlagRows().end()) continue;
    return Invalid(fmt::format(
        "--{} is a flag of the {}", name,
        program == Program::kSets ? "machine-controller" : "machine-controller-manager"));
  }
  return Ok();
}

}  // namespace

Result<Clusters> ChooseClusters(const std::string& control, const std::string& target) {
  using From = ClusterSource::From;
  const auto source = [](const std::string& text) {
    return text == kInCluster ? ClusterSource{From::kPod, ""} : ClusterSource{From::kFile, text};
  };
  if (target == kNone) {
    if (control.empty()) return Invalid("--target-kubeconfig=none needs --control-kubeconfig");
    return Clusters{.control = source(control), .target = std::nullopt};
  }
  if (control.empty() && target.empty()) {
    const ClusterSource both{From::kAsKubectl, ""};
    return Clusters{.control = both, .target = both};
  }
  if (control.empty()) return Clusters{.control = source(target), .target = source(target)};
  if (target.empty()) {
    return Clusters{.control = source(control), .target = ClusterSource{From::kPod, ""}};
  }
  return Clusters{.control = source(control), .target = source(target)};
}

Result<ProgramOptions> ReadFlags(Program program, std::span<const std::string> words) {
  const std::vector<Flag> flags = FlagsOf(program);
  CHECK_OK(CheckNames(program, flags, words));
  TRY(const FlagValues values, ParseFlags(flags, words));
  CHECK_OK(CheckNumbers(values, flags));
  CHECK_OK(Check(values));
  TRY(Clusters clusters,
      ChooseClusters(values.Text("control-kubeconfig"), values.Text("target-kubeconfig")));
  ProgramOptions options{.program = program,
                         .clusters = std::move(clusters),
                         .namespace_ = values.Text("namespace"),
                         .address = values.Text("address"),
                         .port = static_cast<std::uint16_t>(values.Whole("port")),
                         .profiling = values.Switch("profiling"),
                         .workers = static_cast<std::size_t>(values.Whole("concurrent-syncs")),
                         .limit = LimitOf(values),
                         .log_everything = values.Whole("v") >= 4,
                         .ignored = values.ignored()};
  if (values.Switch("leader-elect")) {
    options.election = Election{.lease = values.Time("leader-elect-lease-duration"),
                                .renew = values.Time("leader-elect-renew-deadline"),
                                .retry = values.Time("leader-elect-retry-period")};
  }
  if (program != Program::kMachines) options.sets = SetsOf(values);
  if (program != Program::kSets) options.machines = MachinesOf(values);
  return options;
}

}  // namespace millwright::dialects::gardener
