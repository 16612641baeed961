// What a pass over a deployment is about; the first that applies.
#pragma once

#include "core/model/deployment.h"

namespace millwright::core::stepwise {

struct ActivityFacts {
  bool deleting = false;
  bool has_finalizer = false;
  bool has_sets = false;
  bool selects_everything = false;  // an empty selector: a mistake, not a wish
  bool scaling_event = false;
};

enum class Activity {
  kNothing,
  kComplainAboutSelector,
  kDeleteSets,
  kLetGo,  // nothing is left: remove the finalizer
  kScale,
  kRollBack,
  kRollOut,
};

Activity ChooseActivity(const Deployment& deployment, const ActivityFacts& facts);

}  // namespace millwright::core::stepwise
