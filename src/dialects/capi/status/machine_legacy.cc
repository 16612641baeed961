#include "dialects/capi/status/machine_legacy.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {
namespace {

constexpr std::string_view kBootstrap = "BootstrapReady";
constexpr std::string_view kDrained = "DrainingSucceeded";

LegacyShown False(std::string reason, std::string severity, std::string message = {}) {
  return {.status = Truth::kFalse,
          .reason = std::move(reason),
          .severity = std::move(severity),
          .message = std::move(message)};
}

LegacyShown True() { return {.status = Truth::kTrue}; }

LegacyShown FromExternal(const SeenExternal& object, bool ready, LegacyShown fallback) {
  if (!object.ready) return ready ? True() : fallback;
  if (object.ready->status == Truth::kTrue) return True();
  if (object.ready->status == Truth::kUnknown) {
    return {.status = Truth::kUnknown,
            .reason = object.ready->reason,
            .severity = {},
            .message = object.ready->message};
  }
  return False(object.ready->reason, "Info", object.ready->message);
}

void SetBootstrap(const MachineRecord& machine, const MachineFacts& facts, MachineStatus& next,
                  WallTime now) {
  switch (facts.bootstrap.state) {
    case core::ObjectState::kFound:
      Set(next.legacy_conditions, kBootstrap,
          FromExternal(facts.bootstrap, next.data_secret_created.value_or(false),
                       False("WaitingForDataSecret", "Info")),
          now);
      break;
    case core::ObjectState::kMissing:
      if (machine.deleting()) {
        Set(next.legacy_conditions, kBootstrap, False("Deleted", "Info"), now);
      }
      break;
    case core::ObjectState::kNone:
    case core::ObjectState::kUnreadable: break;
  }
}

void SetInfrastructure(const MachineRecord& machine, const MachineFacts& facts, MachineStatus& next,
                       WallTime now) {
  switch (facts.infrastructure.state) {
    case core::ObjectState::kFound:
      Set(next.legacy_conditions, types::kInfrastructureReady,
          FromExternal(facts.infrastructure, next.infrastructure_provisioned.value_or(false),
                       False(machine.deleting() ? "Deleting" : "WaitingForInfrastructure", "Info")),
          now);
      break;
    case core::ObjectState::kMissing:
      if (machine.deleting()) {
        Set(next.legacy_conditions, types::kInfrastructureReady, False("Deleted", "Info"), now);
      }
      break;
    case core::ObjectState::kNone:
    case core::ObjectState::kUnreadable: break;
  }
}

// The old kind is unknown only if nothing at all is known.
LegacyShown NodeHealth(const Conditions& node) {
  int unknown = 0;
  std::string bad;
  for (std::string_view type : {"Ready", "MemoryPressure", "DiskPressure", "PIDPressure"}) {
    const Condition* condition = Find(node, type);
    if (condition == nullptr || condition->status == Truth::kUnknown) {
      ++unknown;
      continue;
    }
    const bool good = (condition->status == Truth::kTrue) == (type == "Ready");
    if (good) continue;
    if (!bad.empty()) bad += ". ";
    bad += fmt::format("Node condition {} is {}", type, ToString(condition->status));
  }
  if (!bad.empty()) return False("NodeConditionsFailed", "Warning", bad);
  if (unknown == 4) return {.status = Truth::kUnknown, .reason = "NodeConditionsFailed"};
  return True();
}

std::optional<LegacyShown> NodeShownOld(const MachineRecord& machine, const MachineFacts& facts) {
  if (facts.deletion && facts.deletion->reason == reasons::kDeletingNode) {
    return False("DeletionFailed", "Warning", facts.deletion->message);
  }
  if (machine.spec.provider_id.empty()) return False("WaitingForNodeRef", "Info");
  if (facts.node_step == NodeStep::kNotConnected) return std::nullopt;
  if (facts.node_step == NodeStep::kFailed) {
    return LegacyShown{.status = Truth::kUnknown,
                       .reason = "NodeInspectionFailed",
                       .severity = {},
                       .message = "Failed to get the Node for this Machine by ProviderID"};
  }
  if (facts.node) return NodeHealth(facts.node->conditions);
  if (machine.deleting()) return False("Deleting", "Info");
  if (!machine.status.node.empty()) return False("NodeNotFound", "Error");
  return False("NodeProvisioning", "Warning",
               "Waiting for a node with matching ProviderID to exist");
}

// A stage that was shown as lasting and is over succeeded.
void SetStage(MachineStatus& next, std::string_view type, bool lasts,
              const LegacyShown& while_it_lasts, WallTime now) {
  if (lasts) {
    Set(next.legacy_conditions, type, while_it_lasts, now);
  } else if (Find(next.legacy_conditions, type) != nullptr) {
    Set(next.legacy_conditions, type, True(), now);
  }
}

void SetStages(const MachineFacts& facts, MachineStatus& next, WallTime now) {
  if (!facts.deletion) return;
  const DeletionStage& stage = *facts.deletion;
  if (stage.reason == reasons::kInternalError) return;
  SetStage(next, "PreDrainDeleteHookSucceeded", stage.reason == reasons::kWaitingForPreDrainHook,
           False("WaitingExternalHook", "Info"), now);
  const bool failed = stage.message.starts_with("Error draining");
  SetStage(next, kDrained, stage.reason == reasons::kDrainingNode,
           failed ? False("DrainingFailed", "Warning", stage.message)
                  : False("Draining", "Info", "Draining the node before deletion"),
           now);
  SetStage(next, "VolumeDetachSucceeded", stage.reason == reasons::kWaitingForVolumeDetach,
           False("WaitingForVolumeDetach", "Info",
                 "Waiting for node volumes to be detached before deletion"),
           now);
  SetStage(next, "PreTerminateDeleteHookSucceeded",
           stage.reason == reasons::kWaitingForPreTerminateHook,
           False("WaitingExternalHook", "Info"), now);
}

int Gravity(const LegacyCondition& condition) {
  if (condition.status == Truth::kUnknown) return 1;
  if (condition.status == Truth::kTrue) return 0;
  if (condition.severity == "Error") return 4;
  return condition.severity == "Warning" ? 3 : 2;
}

void SetReady(const MachineRecord& machine, MachineStatus& next, WallTime now) {
  const LegacyCondition* worst = nullptr;
  for (std::string_view type : {types::kInfrastructureReady, kBootstrap,
                                types::kHealthCheckSucceeded, types::kOwnerRemediated, kDrained}) {
    const LegacyCondition* condition = Find(next.legacy_conditions, type);
    if (condition == nullptr) continue;
    if (worst == nullptr || Gravity(*condition) > Gravity(*worst)) worst = condition;
  }
  if (worst == nullptr) return;
  LegacyShown shown{.status = worst->status,
                    .reason = worst->reason,
                    .severity = worst->severity,
                    .message = worst->message};
  if (shown.status == Truth::kFalse && !machine.deleting() && machine.spec.provider_id.empty()) {
    int steps = 0;
    int done = 0;
    for (std::string_view type : {kBootstrap, types::kInfrastructureReady}) {
      const LegacyCondition* condition = Find(next.legacy_conditions, type);
      if (condition == nullptr) continue;
      ++steps;
      if (condition->status == Truth::kTrue) ++done;
    }
    shown.message = fmt::format("{} of {} completed", done, steps);
  }
  Set(next.legacy_conditions, types::kReady, shown, now);
}

}  // namespace

void SetLegacy(const MachineRecord& machine, const MachineFacts& facts, MachineStatus& next,
               WallTime now) {
  SetBootstrap(machine, facts, next, now);
  SetInfrastructure(machine, facts, next, now);
  if (const std::optional<LegacyShown> node = NodeShownOld(machine, facts)) {
    Set(next.legacy_conditions, types::kNodeHealthy, *node, now);
  }
  SetStages(facts, next, now);
  SetReady(machine, next, now);
}

}  // namespace millwright::dialects::capi
