// What a deployment shows of its sets.
#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "dialects/gardener/names.h"
#include "dialects/gardener/render.h"
#include "dialects/gardener/render_parts.h"
#include "dialects/gardener/shown_conditions.h"
#include "dialects/gardener/words.h"
#include "kube/api/json_text.h"

namespace millwright::dialects::gardener {

namespace json = boost::json;

namespace {

struct NewCondition {
  std::string_view type;
  std::string_view status;
  std::string reason;
  std::string message;
  WallTime updated_at;
};

// What is shown keeps its times unless status or reason change; the time of transition is the
// status's.
void Show(json::array& conditions, const NewCondition& next, WallTime now, bool renew = false) {
  const json::object* before = FindShown(conditions, next.type);
  const json::value shown = before != nullptr ? json::value(*before) : json::value(nullptr);
  const bool same_status = kube::GetString(shown, "status") == next.status;
  const bool same_reason = kube::GetString(shown, "reason") == next.reason;
  if (before != nullptr && same_status && same_reason && !renew) return;
  std::string since = FormatTime(now);
  const std::string_view shown_since = kube::GetString(shown, "lastTransitionTime");
  if (same_status && !shown_since.empty()) since = shown_since;
  PutCondition(conditions, {{"type", next.type},
                            {"status", next.status},
                            {"lastUpdateTime", FormatTime(next.updated_at)},
                            {"lastTransitionTime", since},
                            {"reason", next.reason},
                            {"message", next.message}});
}

void ShowAvailable(json::array& conditions, bool available, WallTime now) {
  Show(conditions,
       {.type = conditions::kAvailable,
        .status = available ? "True" : "False",
        .reason = available ? "MinimumReplicasAvailable" : "MinimumReplicasUnavailable",
        .message = available ? "Deployment has minimum availability."
                             : "Deployment does not have minimum availability.",
        .updated_at = now},
       now);
}

std::string ProgressMessage(const DeploymentRecord& deployment, core::ProgressReason reason) {
  const std::string& name = deployment.meta.key.name;
  using enum core::ProgressReason;
  switch (reason) {
    case kNewSetCreated: return fmt::format("Machine Deployment {} has a new machine set", name);
    case kFoundNewSet:
      return fmt::format("Machine Deployment {} found the machine set of its template", name);
    case kSetUpdated: return fmt::format("Machine Deployment {} is progressing", name);
    case kNewSetAvailable: return fmt::format("Machine Deployment {} has progressed", name);
    case kDeadlineExceeded:
      return fmt::format("Machine Deployment {} did not progress within its deadline", name);
    case kSetCreateError:
      return fmt::format("Machine Deployment {} could not create its machine set", name);
    case kPaused: return "Deployment is paused";
    case kResumed: return "Deployment is resumed";
  }
  return name;
}

// Progress counts from the time of its last update, so a new time is news.
void ShowProgress(json::array& conditions, const DeploymentRecord& deployment,
                  const DeploymentReport& report, WallTime now) {
  if (!report.progress) return;
  const core::Progress& progress = *report.progress;
  const json::object* shown = FindShown(conditions, conditions::kProgressing);
  const bool says_else = shown != nullptr && !report.progress_message.empty() &&
                         kube::GetString(json::value(*shown), "message") != report.progress_message;
  const bool renew =
      says_else || (deployment.progress &&
                    FormatTime(deployment.progress->updated_at) != FormatTime(progress.updated_at));
  Show(conditions,
       {.type = conditions::kProgressing,
        .status = ConditionStatusText(progress.status),
        .reason = std::string(ProgressReasonText(progress.reason)),
        .message = report.progress_message.empty() ? ProgressMessage(deployment, progress.reason)
                                                   : report.progress_message,
        .updated_at = progress.updated_at},
       now, renew);
}

// Of the current set, or of any other.
std::optional<json::object> FailureOf(const DeploymentRecord& deployment,
                                      std::span<const SetRecord* const> sets) {
  std::optional<json::object> failure;
  for (const SetRecord* set : sets) {
    const json::array shown =
        ShownConditions(StatusTree(set->status.view()), "machineSetCondition");
    const json::object* found = FindShown(shown, conditions::kReplicaFailure);
    if (found == nullptr) continue;
    const bool current = set->machine_template.rolls == deployment.machine_template.rolls;
    if (current) return *found;
    if (!failure) failure = *found;
  }
  return failure;
}

void ShowFailure(json::array& conditions, const std::optional<json::object>& failure,
                 WallTime now) {
  if (!failure) {
    DropCondition(conditions, conditions::kReplicaFailure);
    return;
  }
  const json::value copied(*failure);
  Show(conditions,
       {.type = conditions::kReplicaFailure,
        .status = kube::GetString(copied, "status", "True"),
        .reason = std::string(kube::GetString(copied, "reason")),
        .message = std::string(kube::GetString(copied, "message")),
        .updated_at = now},
       now);
}

void ShowFrozen(json::array& conditions, const DeploymentReport& report, WallTime now) {
  if (report.unfreeze) DropCondition(conditions, conditions::kFrozen);
  if (!report.freeze) return;
  Show(conditions,
       {.type = conditions::kFrozen,
        .status = "True",
        .reason = report.freeze_by_sync ? "MachineDeploymentStateSync" : "OverShootingReplicaCount",
        .message = "A machine set has more machines than it may have: none are made until that is "
                   "over",
        .updated_at = now},
       now);
}

json::object Counts(const DeploymentReport& report) {
  const core::DeploymentCounts& counts = report.counts;
  return {{"observedGeneration", report.observed_generation},
          {"replicas", counts.replicas},
          {"updatedReplicas", counts.updated},
          {"readyReplicas", counts.ready},
          {"availableReplicas", counts.available},
          {"unavailableReplicas", report.unavailable},
          {"preservedFailedReplicas", counts.preserved_failed},
          {"collisionCount", report.collision_count}};
}

bool SameCounts(const json::value& shown, const json::object& next) {
  for (const auto& [field, count] : next) {
    if (kube::GetInt(shown, field) != count.as_int64()) return false;
  }
  return true;
}

}  // namespace

json::object DeploymentStatus(const DeploymentRecord& deployment,
                              std::span<const SetRecord* const> sets,
                              const DeploymentReport& report, WallTime now) {
  const json::value shown = StatusTree(deployment.status.view());
  const json::array before = ShownConditions(shown, "conditions");
  json::array conditions = before;
  ShowAvailable(conditions, report.available, now);
  ShowProgress(conditions, deployment, report, now);
  ShowFailure(conditions, FailureOf(deployment, sets), now);
  ShowFrozen(conditions, report, now);

  json::object status = Counts(report);
  const json::value failed(FailedMachinesJson(report.failed));
  const bool same_failed =
      FailedMachinesKey(&failed) == FailedMachinesKey(kube::Find(shown, "failedMachines"));
  if (SameCounts(shown, status) && conditions == before && same_failed) return {};

  if (report.collision_count == 0 && kube::GetInt(shown, "collisionCount") == 0) {
    status.erase("collisionCount");
  }
  if (conditions != before) status["conditions"] = conditions;
  if (!same_failed) {
    status["failedMachines"] = report.failed.empty() ? json::value(nullptr) : failed;
  }
  return {{"status", std::move(status)}};
}

}  // namespace millwright::dialects::gardener
