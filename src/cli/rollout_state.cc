#include "cli/rollout_state.h"

#include <fmt/format.h>

namespace millwright::cli {

using dialects::DeploymentRecord;

namespace {

// "2 of 3 updated, 2 available, 1 old to go"
std::string Counted(const DeploymentRecord& deployment) {
  const core::DeploymentCounts& seen = deployment.seen;
  if (seen.updated > deployment.core.replicas) {
    return fmt::format("{} too many, {} available", seen.updated - deployment.core.replicas,
                       seen.available);
  }
  std::string text = fmt::format("{} of {} updated, {} available", seen.updated,
                                 deployment.core.replicas, seen.available);
  if (seen.replicas > seen.updated) text += fmt::format(", {} old", seen.replicas - seen.updated);
  return text;
}

bool DeadlineExceeded(const DeploymentRecord& deployment) {
  return deployment.progress &&
         deployment.progress->reason == core::ProgressReason::kDeadlineExceeded;
}

}  // namespace

bool IsUnseen(const DeploymentRecord& deployment) {
  return deployment.observed_generation < deployment.meta.generation;
}

RolloutState StateOf(const DeploymentRecord& deployment) {
  const core::DeploymentCounts& seen = deployment.seen;
  const int wished = deployment.core.replicas;
  const bool complete = core::IsComplete(deployment.core, seen, /*report_is_current=*/true);
  const std::string counted = complete ? std::string() : Counted(deployment);
  if (deployment.meta.deleting_since) {
    return {"Deleting", Plural(seen.replicas, "machine") + " left", Mood::kBusy};
  }
  if (!deployment.problem.empty()) return {"Invalid", deployment.problem, Mood::kBad};
  if (IsUnseen(deployment)) {
    return {"Changed", "its last change is not observed yet", Mood::kBusy};
  }
  if (deployment.frozen) return {"Frozen", "no machines are made until it is unfrozen", Mood::kBad};
  if (deployment.core.paused) return {"Paused", counted, Mood::kBusy};
  if (complete) return {"Ready", "", Mood::kFine};
  if (DeadlineExceeded(deployment)) return {"Stuck", counted, Mood::kBad};
  if (seen.updated < wished || seen.replicas > seen.updated) {
    const bool rolls = seen.replicas > seen.updated;
    return {rolls ? "RollingOut" : "Scaling", counted, Mood::kBusy};
  }
  if (seen.updated > wished) return {"Scaling", counted, Mood::kBusy};
  return {"NotReady", counted, Mood::kBad};
}

std::string StrategyText(const core::Deployment& deployment) {
  const std::string limits =
      fmt::format(" (maxSurge {}, maxUnavailable {})", deployment.max_surge.ToString(),
                  deployment.max_unavailable.ToString());
  switch (deployment.strategy) {
    case core::Strategy::kRollingUpdate: return "RollingUpdate" + limits;
    case core::Strategy::kRecreate: return "Recreate";
    case core::Strategy::kOnDelete: return "OnDelete";
    case core::Strategy::kInPlaceAuto: return "InPlaceUpdate, automatic" + limits;
    case core::Strategy::kInPlaceManual: return "InPlaceUpdate, chosen by a person" + limits;
  }
  return "";
}

}  // namespace millwright::cli
