#include "dialects/gardener/flags.h"

namespace millwright::dialects::gardener {

namespace {

using enum FlagType;

constexpr std::string_view kManager = "machine-controller-manager";
constexpr std::string_view kMachineController = "machine-controller";

constexpr FlagRow Shared(std::string_view name, FlagType type, std::string_view fallback,
                         std::string_view meaning) {
  return {name, type, fallback, fallback, meaning};
}

constexpr FlagRow Ignored(std::string_view name, FlagType type, std::string_view fallback,
                          std::string_view meaning) {
  return {name, type, fallback, fallback, meaning, Program::kBoth, true};
}

constexpr FlagRow OfSets(std::string_view name, FlagType type, std::string_view fallback,
                         std::string_view meaning) {
  return {name, type, fallback, fallback, meaning, Program::kSets};
}

constexpr FlagRow OfMachines(std::string_view name, FlagType type, std::string_view fallback,
                             std::string_view meaning) {
  return {name, type, fallback, fallback, meaning, Program::kMachines};
}

constexpr FlagRow kRows[] = {
    // Clusters and the page about ourselves
    Shared("control-kubeconfig", kText, "",
           "Cluster of the machine objects: a file, or inClusterConfig"),
    Shared("target-kubeconfig", kText, "", "Cluster that machines join: a file, or none"),
    Shared("namespace", kText, "default", "Namespace of the machine objects"),
    Shared("address", kText, "0.0.0.0", "IP address for /healthz and /metrics"),
    {"port", kWhole, "10258", "10259", "Port for /healthz and /metrics"},
    Shared("profiling", kSwitch, "false", "Serve /debug/pprof/ too"),

    // How much at once
    {"concurrent-syncs", kWhole, "10", "50", "Objects of a kind that are worked on at once"},
    Shared("kube-api-qps", kReal, "20", "Requests a second to a server; unlimited unless set"),
    Shared("kube-api-burst", kWhole, "30", "Requests at once beyond that; unlimited unless set"),

    // Who works
    Shared("leader-elect", kSwitch, "true", "Work only while holding the lease"),
    Shared("leader-elect-lease-duration", kDuration, "15s",
           "How long others wait for a silent leader"),
    Shared("leader-elect-renew-deadline", kDuration, "10s",
           "A leader that cannot renew so long stops"),
    Shared("leader-elect-retry-period", kDuration, "2s", "Between two attempts"),
    Shared("leader-elect-resource-lock", kText, "leases", "Only leases"),

    // Deployments and sets
    OfSets("safety-up", kWhole, "2", "A set with so many machines too many is frozen"),
    OfSets("safety-down", kWhole, "1", "And let go with so many fewer than that"),
    OfSets("autoscaler-scaledown-annotation-during-rollout", kSwitch, "true",
           "Ask the autoscaler to leave nodes alone while they are replaced"),

    // Machines
    OfMachines("machine-creation-timeout", kDuration, "20m",
               "Until a machine's node must be there"),
    OfMachines("machine-health-timeout", kDuration, "10m",
               "An unwell machine is given up after that"),
    OfMachines("machine-drain-timeout", kDuration, "2h", "Pods are driven out by force after that"),
    OfMachines("machine-inplace-update-timeout", kDuration, "20m",
               "For a change without replacement"),
    OfMachines("machine-preserve-timeout", kDuration, "96h", "How long a failed machine is kept"),
    OfMachines("machine-max-evict-retries", kWhole, "360", "Attempts to evict a pod"),
    OfMachines("machine-pv-detach-timeout", kDuration, "2m", "For a volume to be detached"),
    OfMachines("machine-pv-reattach-timeout", kDuration, "90s",
               "For a volume to be attached elsewhere"),
    OfMachines("machine-safety-orphan-vms-period", kDuration, "15m",
               "How often instances without a machine are looked for; 0s: never"),
    OfMachines("machine-safety-apiserver-statuscheck-timeout", kDuration, "30s",
               "Without an API server for so long, machines are left alone"),
    OfMachines("machine-safety-apiserver-statuscheck-period", kDuration, "1m",
               "How often the API servers are asked"),
    OfMachines("node-conditions", kText,
               "KernelDeadlock,ReadonlyFilesystem,DiskPressure,NetworkUnavailable",
               "Conditions that make a node unwell"),
    OfMachines("bootstrap-token-auth-extra-groups", kText, "", "Groups of bootstrap tokens"),
    OfMachines(
        "secret-names", kText, "",
        "Secrets that classes may name; empty: any, for which rights to list all are needed"),
    OfMachines("resource-exhausted-retry", kDuration, "10m",
               "Until a cloud without room is asked again"),

    // Logging
    Shared("v", kWhole, "0", "4 or more: log everything"),

    // Without effect here
    {"machine-safety-overshooting-period", kDuration, "1m", "1m",
     "Sets are looked at when something changes", Program::kSets, true},
    Ignored("min-resync-period", kDuration, "12h", "Nothing is listed again without need"),
    Ignored("kube-api-content-type", kText, "application/vnd.kubernetes.protobuf", "JSON is used"),
    Ignored("cloud-provider", kText, "", "Upstream ignores it too"),
    Ignored("controller-start-interval", kDuration, "0s", "Upstream ignores it too"),
    Ignored("contention-profiling", kSwitch, "false", "There is one thread"),
    Ignored("vmodule", kText, "", "Use millwright --log"),
    Ignored("log-flush-frequency", kDuration, "5s", "Lines are written at once"),
    Ignored("logtostderr", kSwitch, "true", "Always so"),
    Ignored("alsologtostderr", kSwitch, "false", "Always so"),
    Ignored("stderrthreshold", kText, "2", "All lines go to standard error"),
    Ignored("legacy-stderr-threshold-behavior", kSwitch, "true", "All lines go to standard error"),
    Ignored("log-backtrace-at", kText, ":0", "There are no line numbers"),
    Ignored("log-dir", kText, "", "Lines go to standard error"),
    Ignored("log-file", kText, "", "Lines go to standard error"),
    Ignored("log-file-max-size", kWhole, "1800", "Lines go to standard error"),
    Ignored("add-dir-header", kSwitch, "false", "There are no file names"),
    Ignored("one-output", kSwitch, "false", "There is one output"),
    Ignored("skip-headers", kSwitch, "false", "Use millwright --log-format"),
    Ignored("skip-log-headers", kSwitch, "false", "There are no log files"),
};

std::string_view FallbackFor(const FlagRow& row, Program program) {
  if (program == Program::kBoth) return row.name == "port" ? row.sets : row.machines;
  return program == Program::kSets ? row.sets : row.machines;
}

}  // namespace

std::span<const FlagRow> FlagRows() { return kRows; }

std::vector<Flag> FlagsOf(Program program) {
  std::vector<Flag> flags;
  for (const FlagRow& row : kRows) {
    const bool has = row.of == Program::kBoth || program == Program::kBoth || row.of == program;
    if (!has) continue;
    flags.push_back({.name = row.name,
                     .type = row.type,
                     .fallback = FallbackFor(row, program),
                     .meaning = row.meaning,
                     .ignored = row.ignored});
  }
  return flags;
}

std::optional<Program> ProgramNamed(std::string_view name) {
  if (name == kManager) return Program::kSets;
  if (name == kMachineController) return Program::kMachines;
  return std::nullopt;
}

std::vector<std::string> LeasesOf(Program program) {
  switch (program) {
    case Program::kBoth: return {std::string(kManager), std::string(kMachineController)};
    case Program::kSets: return {std::string(kManager)};
    case Program::kMachines: return {std::string(kMachineController)};
  }
  return {};
}

}  // namespace millwright::dialects::gardener
