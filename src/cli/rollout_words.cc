#include "cli/rollout_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/rollout_state.h"
#include "cli/text_table.h"

namespace millwright::cli {

namespace json = boost::json;
using dialects::DeploymentRecord;

namespace {

constexpr std::string_view kChangeCause = "kubernetes.io/change-cause";
constexpr std::string_view kRestartedAt = "kubectl.kubernetes.io/restartedAt";

RolloutLook GoesOn(std::string text) { return {RolloutLook::Outcome::kGoesOn, std::move(text)}; }
RolloutLook Failed(std::string text) { return {RolloutLook::Outcome::kFailed, std::move(text)}; }

}  // namespace

RolloutLook LookAtRollout(const DeploymentRecord& deployment, std::string_view noun,
                          std::int64_t revision) {
  const std::string& name = deployment.meta.key.name;
  const core::DeploymentCounts& seen = deployment.seen;
  const int wished = deployment.core.replicas;
  const auto waiting = [&](std::string what) {
    return GoesOn(fmt::format("Waiting for {} \"{}\" rollout to finish: {}...", noun, name, what));
  };
  if (IsUnseen(deployment)) {
    return GoesOn(fmt::format("Waiting for {} spec update to be observed...", noun));
  }
  if (revision > 0 && deployment.revision != revision) {
    return Failed(fmt::format("desired revision ({}) is different from the running revision ({})",
                              revision, deployment.revision));
  }
  if (!deployment.problem.empty()) {
    return Failed(fmt::format("{} \"{}\": {}", noun, name, deployment.problem));
  }
  if (deployment.progress &&
      deployment.progress->reason == core::ProgressReason::kDeadlineExceeded) {
    return Failed(fmt::format("{} \"{}\" exceeded its progress deadline", noun, name));
  }
  if (seen.updated < wished) {
    return waiting(
        fmt::format("{} out of {} new replicas have been updated", seen.updated, wished));
  }
  if (seen.replicas > seen.updated) {
    return waiting(
        fmt::format("{} old replicas are pending termination", seen.replicas - seen.updated));
  }
  if (seen.available < seen.updated) {
    return waiting(
        fmt::format("{} of {} updated replicas are available", seen.available, seen.updated));
  }
  return {RolloutLook::Outcome::kDone,
          fmt::format("{} \"{}\" successfully rolled out", noun, name)};
}

std::string CauseIn(const kube::Labels& annotations) {
  const auto found = annotations.find(std::string(kChangeCause));
  return found == annotations.end() ? std::string() : std::string(found->second);
}

std::vector<Revision> InOrder(std::vector<Revision> revisions) {
  std::erase_if(revisions, [](const Revision& revision) { return revision.number == 0; });
  std::ranges::sort(revisions, {}, &Revision::number);
  return revisions;
}

std::string HistoryText(std::span<const Revision> revisions) {
  std::vector<std::vector<Cell>> rows = {{{"REVISION"}, {"CHANGE-CAUSE"}}};
  for (const Revision& revision : revisions) {
    rows.push_back(
        {{std::to_string(revision.number)}, {revision.cause.empty() ? "<none>" : revision.cause}});
  }
  return RenderTable(rows, {});
}

Result<UndoPlan> PlanUndo(const DeploymentRecord& deployment, std::span<const Revision> revisions,
                          std::int64_t wanted) {
  const std::string& name = deployment.meta.key.name;
  if (deployment.core.paused) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("you cannot rollback a paused deployment; resume it first with "
                            "'millwright rollout resume {}' and try again",
                            name));
  }
  if (wanted == 0) {
    if (revisions.size() < 2) {
      return Fail(ErrorKind::kNotFound,
                  fmt::format("no rollout history found for deployment \"{}\"", name));
    }
    return UndoPlan{.revision = revisions[revisions.size() - 2].number};
  }
  const auto found = std::ranges::find(revisions, wanted, &Revision::number);
  if (found == revisions.end()) {
    return Fail(ErrorKind::kNotFound,
                fmt::format("unable to find specified revision {} in history", wanted));
  }
  return UndoPlan{.revision = wanted, .needless = found->current};
}

json::object PausePatch(bool paused) { return {{"spec", {{"paused", paused}}}}; }

json::object RollbackPatch(std::int64_t revision) {
  return {{"spec", {{"rollbackTo", {{"revision", revision}}}}}};
}

json::object RestartedPatch(WallTime now) {
  return {{"spec",
           {{"template", {{"metadata", {{"annotations", {{kRestartedAt, FormatTime(now)}}}}}}}}}};
}

}  // namespace millwright::cli
