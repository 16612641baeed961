// Rollouts of Cluster API's deployments, as `millwright rollout` shows and changes them.
#pragma once

#include <boost/json/object.hpp>

#include <vector>

#include "cli/contract_seen.h"
#include "cli/rollout_words.h"

namespace millwright::cli {

std::vector<Revision> RevisionsOf(const dialects::capi::DeploymentRecord& deployment,
                                  const std::vector<const dialects::capi::SetRecord*>& sets);

// The deployment gets the template of a set; only if nobody changed it since it was seen.
Result<boost::json::object> TemplatePatch(const dialects::DeploymentRecord& deployment,
                                          const Revision& target);

// Machines that were made before are out of date.
boost::json::object RolloutAfterPatch(WallTime now);

}  // namespace millwright::cli
