#include "dialects/capi/status/mirror.h"

#include "dialects/capi/status/words.h"

namespace millwright::dialects::capi {

Shown Mirror(const SeenExternal& object, const MirrorFallback& fallback) {
  if (!object.conditions_problem.empty()) {
    return {.status = Truth::kUnknown,
            .reason = std::string(reasons::kInvalidCondition),
            .message = object.conditions_problem};
  }
  if (!object.ready) {
    return {.status = fallback.ready ? Truth::kTrue : Truth::kFalse,
            .reason = std::string(fallback.ready ? fallback.yes : fallback.no),
            .message = fallback.ready ? std::string() : fallback.message};
  }
  const Condition& source = *object.ready;
  std::string reason =
      source.reason.empty() ? std::string(reasons::kNoReasonReported) : source.reason.str();
  if (reason == reasons::kNoReasonReported && source.status == Truth::kTrue) {
    reason = fallback.yes;
  }
  Shown shown{.status = source.status, .reason = std::move(reason), .message = source.message};
  if (source.since != WallTime{}) shown.since = source.since;
  return shown;
}

}  // namespace millwright::dialects::capi
