#include "core/rollout/up_to_date.h"

namespace millwright::core {

UpToDate JudgeUpToDate(const UpToDateView& view, WallTime now) {
  if (!view.template_differences.empty()) return UpToDate::kOtherTemplate;
  const auto& after = view.rollout_after;
  if (after && *after <= now && view.set_created < *after) return UpToDate::kRolloutDue;
  if (view.updating) return UpToDate::kUpdating;
  const bool both_known = !view.wished_version.empty() && !view.node_version.empty();
  if (both_known && view.wished_version != view.node_version) return UpToDate::kOtherVersion;
  return UpToDate::kYes;
}

bool IsOutdated(std::int64_t set_revision, std::int64_t deployment_revision) {
  return set_revision < deployment_revision;
}

}  // namespace millwright::core
