#include "core/lifecycle/contract_deletion.h"

namespace millwright::core {
namespace {

bool IsOver(const TimedStage& stage, WallTime now) {
  return stage.limit > Duration::zero() && stage.started && now - *stage.started >= stage.limit;
}

// With the infrastructure going there is nothing left that could be drained in order.
bool IsAllowed(const ContractDeletionView& view, const TimedStage& stage, WallTime now) {
  return !stage.excluded && !view.terminate_hook_waited && view.infrastructure_exists &&
         !view.infrastructure_deleting && !IsOver(stage, now);
}

bool NodeRemovalGoesOn(const ContractDeletionView& view, WallTime now) {
  if (view.node_removed) return false;
  if (!view.node_removal_failed) return true;
  return view.node_removal_limit == Duration::zero() ||
         view.deleting_since + view.node_removal_limit > now;
}

}  // namespace

NodeAccess MayTouchNode(const NodeAccessView& view) {
  if (view.cluster_deleting || !view.has_node) return NodeAccess::kDenied;
  switch (view.control_plane) {
    case NodeAccessView::ControlPlane::kUnreadable: return NodeAccess::kUnclear;
    case NodeAccessView::ControlPlane::kFound:
      if (view.control_plane_deleting) return NodeAccess::kDenied;
      if (view.control_plane_external) return NodeAccess::kAllowed;
      break;
    case NodeAccessView::ControlPlane::kNone:
    case NodeAccessView::ControlPlane::kMissing: break;
  }
  return view.live_control_plane_machines > 0 ? NodeAccess::kAllowed : NodeAccess::kDenied;
}

bool IsDrainAllowed(const ContractDeletionView& view, WallTime now) {
  return IsAllowed(view, view.drain, now);
}

bool IsVolumeWaitAllowed(const ContractDeletionView& view, WallTime now) {
  return IsAllowed(view, view.volumes, now);
}

ContractDeletionPlan PlanContractDeletion(const ContractDeletionView& view, WallTime now) {
  if (view.node == NodeAccess::kUnclear) return {ContractStage::kUnclear, true};
  if (view.instance_in_doubt) return {ContractStage::kInstanceInDoubt};
  const bool node = view.node == NodeAccess::kAllowed;
  if (node && !view.pre_drain_hooks.empty()) return {ContractStage::kPreDrainHooks};
  if (node && !view.drained && IsDrainAllowed(view, now)) return {ContractStage::kDrain, true};
  if (node && !view.volumes_detached && IsVolumeWaitAllowed(view, now)) {
    return {ContractStage::kVolumes, true};
  }
  if (!view.pre_terminate_hooks.empty()) return {ContractStage::kPreTerminateHooks};
  if (view.infrastructure_exists) {
    return {ContractStage::kInfrastructure, !view.infrastructure_deleting};
  }
  // The instance may have needed its bootstrap data to the end.
  if (view.bootstrap_exists) return {ContractStage::kBootstrap, !view.bootstrap_deleting};
  if (node && NodeRemovalGoesOn(view, now)) return {ContractStage::kNode, true};
  return {ContractStage::kDone, true};
}

}  // namespace millwright::core
