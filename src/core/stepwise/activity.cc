#include "core/stepwise/activity.h"

namespace millwright::core::stepwise {

Activity ChooseActivity(const Deployment& deployment, const ActivityFacts& facts) {
  if (facts.deleting) {
    if (!facts.has_finalizer) return Activity::kNothing;
    return facts.has_sets ? Activity::kDeleteSets : Activity::kLetGo;
  }
  if (facts.selects_everything) return Activity::kComplainAboutSelector;
  if (deployment.paused) return Activity::kScale;
  if (deployment.rollback_to) return Activity::kRollBack;
  return facts.scaling_event ? Activity::kScale : Activity::kRollOut;
}

}  // namespace millwright::core::stepwise
