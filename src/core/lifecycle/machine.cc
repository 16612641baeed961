#include "core/lifecycle/machine.h"

namespace millwright::core {

LivePlan PlanLiveMachine(const LiveView& machine) {
  if (machine.deleting && !machine.creation_under_way)
    return {LiveStep::kLeaveToDeletion, Retry::kNow};
  if (!machine.has_finalizer) return {LiveStep::kAddFinalizer, Retry::kNow};
  if (machine.frozen || !machine.valid) return {LiveStep::kWait, Retry::kLong};
  switch (machine.class_state) {
    case ClassState::kMissing: return {LiveStep::kWait, Retry::kLong};
    case ClassState::kUnprotected: return {LiveStep::kProtectClass, Retry::kShort};
    case ClassState::kInvalid: return {LiveStep::kWait, Retry::kShort};
    case ClassState::kReady: break;
  }
  return {LiveStep::kCheckNode, Retry::kLong};
}

bool HasNodeToCheck(const LiveView& machine) {
  return machine.has_node_name && machine.phase != Phase::kNew;
}

bool NeedsInstance(const LiveView& machine) {
  return !machine.has_instance || machine.phase == Phase::kNew ||
         machine.phase == Phase::kCreateFailing;
}

}  // namespace millwright::core
