#include "core/rollout/progress.h"

#include <algorithm>

#include "core/rollout/limits.h"

namespace millwright::core {
namespace {

using Status = Progress::Status;
using namespace std::chrono_literals;

bool HasMoved(const DeploymentCounts& before, const DeploymentCounts& seen) {
  return seen.updated > before.updated ||
         seen.replicas - seen.updated < before.replicas - before.updated ||
         seen.ready > before.ready || seen.available > before.available;
}

std::optional<WallTime> DeadlineOf(const Deployment& deployment, const Progress& last) {
  // Paused time does not count: pausing and resuming rewrite the time it counts from.
  const bool counts =
      last.reason != ProgressReason::kNewSetAvailable && last.reason != ProgressReason::kPaused;
  if (!deployment.progress_deadline || !counts) return std::nullopt;
  return last.updated_at + *deployment.progress_deadline;
}

}  // namespace

bool IsComplete(const Deployment& deployment, const DeploymentCounts& counts,
                bool report_is_current) {
  return report_is_current && counts.updated == deployment.replicas &&
         counts.replicas == deployment.replicas && counts.available == deployment.replicas;
}

ProgressPlan PlanProgress(const Deployment& deployment, const std::optional<Progress>& last,
                          const DeploymentCounts& before, const DeploymentCounts& seen,
                          WallTime now) {
  const bool was_complete =
      last && last->reason == ProgressReason::kNewSetAvailable && seen.replicas == seen.updated;
  if (was_complete) return {.progress = last};
  if (IsComplete(deployment, seen, true)) {
    return {.progress = Progress{Status::kTrue, ProgressReason::kNewSetAvailable, now}};
  }
  if (!last) return {};
  Progress progress = *last;
  if (HasMoved(before, seen)) progress = {Status::kTrue, ProgressReason::kSetUpdated, now};
  if (progress.reason == ProgressReason::kDeadlineExceeded) return {.progress = progress};
  const auto deadline = DeadlineOf(deployment, progress);
  if (deadline && *deadline < now) {
    return {.progress = Progress{Status::kFalse, ProgressReason::kDeadlineExceeded, now}};
  }
  // One second later it has passed for certain: times in objects have no fractions.
  return {.progress = progress,
          .look_again = deadline ? std::optional(*deadline + 1s) : std::nullopt};
}

std::optional<Progress> PlanPauseNotice(bool paused, const std::optional<Progress>& last,
                                        WallTime now) {
  if (last && last->reason == ProgressReason::kDeadlineExceeded) return last;
  const bool says_paused = last && last->reason == ProgressReason::kPaused;
  if (paused == says_paused) return last;
  const ProgressReason reason = paused ? ProgressReason::kPaused : ProgressReason::kResumed;
  return Progress{Status::kUnknown, reason, now};
}

bool IsAvailable(const Deployment& deployment, const DeploymentCounts& counts) {
  const Limits limits = ResolveLimits(deployment);
  return counts.available >=
         std::max(limits.MinAvailable(deployment.replicas) - counts.preserved_failed, 0);
}

}  // namespace millwright::core
