#include "dialects/capi/status/paused.h"

#include <fmt/format.h>

#include "dialects/capi/names.h"
#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {

bool IsPaused(bool cluster_paused, const Header& object) {
  return cluster_paused || object.annotations.contains(annotations::kPaused);
}

Shown PausedShown(bool cluster_paused, const Header& object, std::string_view kind) {
  if (!IsPaused(cluster_paused, object)) {
    return {.status = Truth::kFalse, .reason = std::string(reasons::kNotPaused)};
  }
  std::string message;
  if (cluster_paused) message = "Cluster spec.paused is set to true";
  if (object.annotations.contains(annotations::kPaused)) {
    if (!message.empty()) message += ", ";
    message += fmt::format("{} has the {} annotation", kind, annotations::kPaused);
  }
  return {.status = Truth::kTrue,
          .reason = std::string(reasons::kPaused),
          .message = std::move(message)};
}

PausePlan PlanPause(bool cluster_paused, const Header& object, std::string_view kind,
                    const Conditions& conditions) {
  const Shown wished = PausedShown(cluster_paused, object, kind);
  const Condition* seen = Find(conditions, types::kPaused);
  return {.paused = wished.status == Truth::kTrue,
          .write = seen == nullptr || seen->status != wished.status ||
                   seen->reason != wished.reason || seen->message != wished.message};
}

}  // namespace millwright::dialects::capi
