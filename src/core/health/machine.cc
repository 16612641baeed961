#include "core/health/machine.h"

#include <algorithm>

namespace millwright::core {
namespace {

HealthPlan WaitUntil(WallTime deadline, WallTime now, HealthEvent then) {
  if (now >= deadline) return {.event = then};
  return {.look_again = deadline};
}

HealthPlan PlanUnwell(const HealthView& machine, const HealthLimits& limits, WallTime now) {
  if (limits.never_fail_for_health) return {};
  return WaitUntil(machine.phase_since + limits.health, now, HealthEvent::kUnwellTooLong);
}

HealthPlan PlanUpdating(const HealthView& machine, const HealthLimits& limits, WallTime now) {
  switch (machine.update_result) {
    case UpdateResult::kSucceeded: return {.event = HealthEvent::kUpdateSucceeded};
    case UpdateResult::kFailed: return {.event = HealthEvent::kUpdateFailed};
    case UpdateResult::kNone: break;
  }
  return WaitUntil(machine.phase_since + limits.update, now, HealthEvent::kUpdateTimedOut);
}

HealthPlan PlanRunning(const HealthView& machine) {
  if (!machine.node_exists) {
    return {.event = machine.had_node ? HealthEvent::kNodeLost : HealthEvent::kNone};
  }
  return {.event = machine.node_well ? HealthEvent::kNone : HealthEvent::kBecameUnwell};
}

}  // namespace

HealthPlan PlanHealth(const HealthView& machine, const HealthLimits& limits, WallTime now) {
  const bool well = machine.node_exists && machine.node_well;
  switch (machine.phase) {
    case Phase::kNew:
    case Phase::kProvisioning:
    case Phase::kDeleting: return {};
    case Phase::kJoining:
      if (well && !machine.node_held) return {.event = HealthEvent::kJoined};
      return WaitUntil(machine.created + limits.join, now, HealthEvent::kJoinTimedOut);
    case Phase::kRunning: return PlanRunning(machine);
    case Phase::kUnhealthy:
      if (well) return {.event = HealthEvent::kRecovered};
      return PlanUnwell(machine, limits, now);
    case Phase::kUpdating: return PlanUpdating(machine, limits, now);
    case Phase::kUpdateFailed:
      if (machine.update_result == UpdateResult::kSucceeded) {
        return {.event = HealthEvent::kUpdateSucceeded};
      }
      return PlanUnwell(machine, limits, now);
    case Phase::kCreateFailing:
    case Phase::kAvailable:
    case Phase::kUpdated:
    case Phase::kFailed: return {.event = well ? HealthEvent::kRecovered : HealthEvent::kNone};
  }
  return {};
}

Phase PhaseAfter(HealthEvent event, Phase before) {
  switch (event) {
    case HealthEvent::kNone: return before;
    case HealthEvent::kJoined:
    case HealthEvent::kRecovered: return Phase::kRunning;
    case HealthEvent::kBecameUnwell:
    case HealthEvent::kNodeLost: return Phase::kUnhealthy;
    case HealthEvent::kJoinTimedOut:
    case HealthEvent::kUnwellTooLong: return Phase::kFailed;
    case HealthEvent::kUpdateSucceeded: return Phase::kUpdated;
    case HealthEvent::kUpdateFailed:
    case HealthEvent::kUpdateTimedOut: return Phase::kUpdateFailed;
  }
  return before;
}

bool MayReplace(const Machine& candidate, std::span<const Machine> siblings, int max_in_flight) {
  const auto in_flight = std::ranges::count_if(siblings, [&](const Machine& machine) {
    // Counting the candidate against itself would keep it for ever.
    if (machine.uid == candidate.uid) return false;
    const bool settled = machine.phase == Phase::kRunning || machine.phase == Phase::kUnhealthy;
    if (machine.IsDeleting()) return true;
    return !settled && !machine.preservation.until;
  });
  return in_flight < max_in_flight;
}

}  // namespace millwright::core
