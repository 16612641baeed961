// A deployment and its sets as core's planners see them, and what comes out as wishes for sets.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/budgeted/plan.h"
#include "core/rollout/roles.h"
#include "core/rollout/scaling.h"
#include "dialects/capi/records.h"
#include "dialects/capi/set_body.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

// Fails if it asks for something that makes no sense.
Result<core::Deployment> ViewOf(const capi::DeploymentRecord& deployment);

core::MachineSet ViewOf(const capi::SetRecord& set, const capi::DeploymentRecord& deployment);

// 0: none, or not a number.
std::int64_t RevisionOf(const capi::Header& object);

// One set as it is to be.
struct PlannedSet {
  const capi::SetRecord* set = nullptr;  // null: it is to be made
  capi::SetWish wish;
};

struct DeploymentPlan {
  std::vector<PlannedSet> sets;         // the current one first
  std::optional<std::string> revision;  // of the deployment; none: it keeps what it has
  std::optional<WallTime> look_again;   // when a rollout becomes due
};

struct DeploymentScene {
  const capi::DeploymentRecord* deployment = nullptr;
  std::vector<const capi::SetRecord*> sets;
  std::string new_set;                 // the name of a set that would be made now
  core::budgeted::InPlaceFacts moves;  // what is known of updates in place
};

// The current and the old sets, and when that changes.
core::SetRoles RolesOf(const DeploymentScene& scene, WallTime now);

// Old sets that it matters to know about whether their machines can be updated in place.
Result<std::vector<std::string>> SetsToAskAbout(const DeploymentScene& scene, WallTime now);

Result<DeploymentPlan> PlanDeployment(const DeploymentScene& scene, WallTime now);

}  // namespace millwright::controllers::contract
