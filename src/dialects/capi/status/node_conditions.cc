#include "dialects/capi/status/node_conditions.h"

#include <fmt/format.h>
#include <algorithm>
#include <array>

#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

constexpr int kFailuresUntilDown = 5;
constexpr std::string_view kNotReported = "Condition not yet reported";

NodeShown Both(Truth status, std::string_view reason, std::string message = {}) {
  const Shown shown{.status = status, .reason = std::string(reason), .message = std::move(message)};
  return {.ready = shown, .healthy = shown, .look_again = {}};
}

std::string ProbeText(const Connection& connection) {
  if (!connection.last_success) return {};
  return fmt::format("Last successful probe at {}", FormatTime(*connection.last_success));
}

// What nobody has judged yet is unknown; what was judged stays.
NodeShown KeepOr(const MachineRecord& machine, std::string message) {
  const Conditions& shown = machine.status.conditions;
  if (Find(shown, types::kNodeReady) != nullptr && Find(shown, types::kNodeHealthy) != nullptr) {
    return {};
  }
  return Both(Truth::kUnknown, reasons::kConnectionDown, std::move(message));
}

Shown ShowReady(const Conditions& node) {
  const Condition* ready = Find(node, "Ready");
  if (ready == nullptr) {
    return {.status = Truth::kUnknown,
            .reason = "NodeReadyUnknown",
            .message = fmt::format("* Node.Ready: {}", kNotReported)};
  }
  Shown shown{.status = ready->status, .reason = "NodeReady"};
  if (ready->since != WallTime{}) shown.since = ready->since;
  if (ready->status == Truth::kTrue) return shown;
  shown.reason = ready->status == Truth::kFalse ? "NodeNotReady" : "NodeReadyUnknown";
  if (!ready->message.empty()) shown.message = fmt::format("* Node.Ready: {}", ready->message);
  return shown;
}

struct Watched {
  std::string_view type;
  Truth good;
};
constexpr std::array<Watched, 4> kWatched = {{
    {"Ready", Truth::kTrue},
    {"MemoryPressure", Truth::kFalse},
    {"DiskPressure", Truth::kFalse},
    {"PIDPressure", Truth::kFalse},
}};

Shown ShowHealthy(const Conditions& node) {
  bool bad = false;
  bool unknown = false;
  std::string lines;
  std::vector<std::string> reported;
  for (const Watched& watched : kWatched) {
    const Condition* condition = Find(node, watched.type);
    if (condition != nullptr && condition->status == watched.good) continue;
    std::string message;
    if (condition == nullptr) {
      unknown = true;
      message = kNotReported;
    } else {
      (condition->status == Truth::kUnknown ? unknown : bad) = true;
      message = condition->message.empty()
                    ? fmt::format("Condition is {}", ToString(condition->status))
                    : condition->message.str();
      reported.push_back(message);
    }
    if (!lines.empty()) lines += '\n';
    lines += fmt::format("* Node.{}: {}", watched.type, message);
  }
  if (reported.size() > 1 && std::ranges::all_of(reported, [&](const std::string& message) {
        return message == reported.front();
      })) {
    lines = fmt::format("* Node.AllConditions: {}", reported.front());
  }
  if (bad) return {.status = Truth::kFalse, .reason = "NodeNotHealthy", .message = lines};
  if (unknown) return {.status = Truth::kUnknown, .reason = "NodeHealthyUnknown", .message = lines};
  return {.status = Truth::kTrue, .reason = "NodeHealthy"};
}

NodeShown ShowMissing(const MachineRecord& machine) {
  const std::string& name = machine.status.node;
  if (machine.deleting()) {
    if (name.empty()) {
      return Both(Truth::kUnknown, reasons::kNodeDoesNotExist, "Node does not exist");
    }
    return Both(Truth::kFalse, reasons::kNodeDeleted,
                fmt::format("Node {} has been deleted", name));
  }
  if (!name.empty()) {
    return Both(Truth::kFalse, reasons::kNodeDeleted,
                fmt::format("Node {} has been deleted while the Machine still exists", name));
  }
  if (!machine.spec.provider_id.empty()) {
    return Both(Truth::kUnknown, reasons::kInspectionFailed,
                fmt::format("Waiting for a Node with spec.providerID {} to exist",
                            machine.spec.provider_id));
  }
  return Both(
      Truth::kUnknown, reasons::kInspectionFailed,
      fmt::format("Waiting for {} to report spec.providerID", machine.spec.infrastructure.kind));
}

}  // namespace

NodeShown ShowNode(const MachineRecord& machine, const MachineFacts& facts, WallTime now) {
  if (!facts.cluster_provisioned) {
    return Both(Truth::kUnknown, reasons::kInspectionFailed,
                "Waiting for Cluster status.initialization.infrastructureProvisioned to be true");
  }
  if (!facts.control_plane_initialized) {
    return Both(Truth::kUnknown, reasons::kInspectionFailed,
                "Waiting for Cluster control plane to be initialized");
  }
  const Connection& connection = facts.connection;
  if (!connection.last_success && connection.failures_in_a_row < kFailuresUntilDown) {
    return KeepOr(machine, "Remote connection not established yet");
  }
  const WallTime known_good =
      std::max(connection.last_success.value_or(WallTime{}), *facts.control_plane_initialized);
  if (now - known_good > facts.connection_grace) {
    return Both(Truth::kUnknown, reasons::kConnectionDown, ProbeText(connection));
  }
  NodeShown shown;
  if (facts.node_step == NodeStep::kNotConnected) {
    shown = KeepOr(machine, ProbeText(connection));
    shown.look_again = known_good + facts.connection_grace + std::chrono::seconds(1);
  } else if (facts.node_step == NodeStep::kFailed) {
    shown = Both(Truth::kUnknown, reasons::kInternalError, std::string(kSeeLogs));
  } else if (facts.node) {
    shown = {.ready = ShowReady(facts.node->conditions),
             .healthy = ShowHealthy(facts.node->conditions),
             .look_again = {}};
  } else {
    shown = ShowMissing(machine);
  }
  return shown;
}

}  // namespace millwright::dialects::capi
