#include "core/lifecycle/deletion.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;

// A node that is away for so long will not answer eviction either.
constexpr Duration kLostFor = 5min;

Force ForceFor(const DeletionView& machine, WallTime now) {
  if (machine.forced_by_user) return Force::kUser;
  if (now > machine.deleting_since + machine.drain_limit) return Force::kTimeOver;
  for (const auto& since : {machine.node_not_ready_since, machine.disk_read_only_since}) {
    if (since && now - *since > kLostFor) return Force::kNodeLost;
  }
  return Force::kNone;
}

DeletionPlan Advance(DeletionStage stage) {
  return {.action = DeletionAction::kAdvance, .stage = stage};
}

DeletionPlan PlanFindNode(const DeletionView& machine) {
  if (!machine.expects_node) return Advance(DeletionStage::kRemoveInstance);
  if (machine.has_node_name) return Advance(DeletionStage::kDrain);
  return {.action = DeletionAction::kLookForNode};
}

DeletionPlan PlanReleaseVolumes(const DeletionView& machine) {
  const bool held = machine.node_exists && machine.attached_volumes > 0;
  if (!held || machine.live_attachments == 0) return Advance(DeletionStage::kRemoveInstance);
  return {.action = DeletionAction::kReleaseVolumes, .retry = Retry::kShort};
}

DeletionPlan PlanRemoveInstance(const DeletionView& machine) {
  if (machine.class_exists) return {.action = DeletionAction::kRemoveInstance};
  // Without its class nobody can be asked. Where nothing was made, nothing is left behind.
  if (!machine.has_instance) return Advance(DeletionStage::kRemoveNode);
  return {.action = DeletionAction::kReportMissingClass, .retry = Retry::kLong};
}

}  // namespace

DeletionPlan PlanDeletion(const DeletionView& machine, WallTime now) {
  if (machine.creation_under_way) return {.action = DeletionAction::kWait, .retry = Retry::kMedium};
  if (!machine.has_finalizer) return {.action = DeletionAction::kNothing, .retry = Retry::kLong};
  if (machine.phase != Phase::kDeleting || !machine.stage) {
    return {.action = DeletionAction::kBegin, .stage = DeletionStage::kFindNode};
  }
  switch (*machine.stage) {
    case DeletionStage::kFindNode: return PlanFindNode(machine);
    case DeletionStage::kDrain:
      if (!machine.has_node_name) return Advance(DeletionStage::kRemoveInstance);
      return {.action = DeletionAction::kDrain, .force = ForceFor(machine, now)};
    case DeletionStage::kReleaseVolumes: return PlanReleaseVolumes(machine);
    case DeletionStage::kRemoveInstance: return PlanRemoveInstance(machine);
    case DeletionStage::kRemoveNode:
      if (!machine.has_node_name || !machine.node_exists) return Advance(DeletionStage::kLetGo);
      return {.action = DeletionAction::kRemoveNode};
    case DeletionStage::kLetGo: return {.action = DeletionAction::kRemoveFinalizer};
  }
  return {};
}

StageOutcome AfterDrain(bool drained, Force force) {
  // By force it goes on even so: the pods are lost with their node.
  if (force != Force::kNone) return {.stage = DeletionStage::kReleaseVolumes};
  if (drained) return {.stage = DeletionStage::kRemoveInstance};
  return {.stage = DeletionStage::kDrain, .failed = true, .retry = Retry::kShort};
}

StageOutcome AfterNodeLookup(std::optional<CloudCode> code) {
  if (!code) return {.stage = DeletionStage::kFindNode, .failed = true, .retry = Retry::kLong};
  const bool goes_on = code == CloudCode::kOk || code == CloudCode::kUnimplemented ||
                       code == CloudCode::kNotFound || code == CloudCode::kUninitialized;
  if (goes_on) return {.stage = DeletionStage::kDrain};
  return {.stage = DeletionStage::kFindNode,
          .failed = true,
          .retry = IsPassing(*code) ? Retry::kShort : Retry::kMedium};
}

StageOutcome AfterRemoval(std::optional<CloudCode> code) {
  if (code == CloudCode::kOk || code == CloudCode::kNotFound)
    return {.stage = DeletionStage::kRemoveNode};
  const bool passing = code && IsPassing(*code);
  return {.stage = DeletionStage::kRemoveInstance,
          .failed = true,
          .retry = passing ? Retry::kShort : Retry::kLong};
}

GoingBecause ReasonToGo(Phase before) {
  return before == Phase::kFailed ? GoingBecause::kUnhealthy : GoingBecause::kScaleDown;
}

}  // namespace millwright::core
