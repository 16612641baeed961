#include "controllers/contract/deployment/deployment_view.h"

#include <algorithm>
#include <charconv>

#include "controllers/contract/set/set_view.h"
#include "controllers/contract/shared/belonging.h"
#include "core/rollout/limits.h"
#include "core/rollout/revision.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/up_to_date.h"

namespace millwright::controllers::contract {

namespace annotations = capi::annotations;

namespace {

template <class Number>
std::optional<Number> NumberIn(std::string_view text) {
  Number number{};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<core::MachineSet> ViewsOf(const DeploymentScene& scene) {
  std::vector<core::MachineSet> views;
  for (const capi::SetRecord* set : scene.sets) views.push_back(ViewOf(*set, *scene.deployment));
  return views;
}

// What planners look at, and which set each of it is.
struct Sorted {
  core::Deployment deployment;
  core::SetRoles roles;
  std::vector<core::MachineSet> old;
  std::vector<std::string> may_update_in_place;
  core::MachineSet current;
  const capi::SetRecord* current_record = nullptr;
};

Result<Sorted> Sort(const DeploymentScene& scene, WallTime now) {
  Sorted sorted;
  TRY(sorted.deployment, ViewOf(*scene.deployment));
  const std::vector<core::MachineSet> views = ViewsOf(scene);
  sorted.roles = core::FindRoles(sorted.deployment, views, core::CurrentSetRule::kLargest, now);
  for (const core::OldSet& old : sorted.roles.old) {
    sorted.old.push_back(views[old.index]);
    if (old.may_update_in_place) sorted.may_update_in_place.push_back(views[old.index].name);
  }
  if (sorted.roles.current) {
    sorted.current = views[*sorted.roles.current];
    sorted.current_record = scene.sets[*sorted.roles.current];
  } else {
    sorted.current.name = scene.new_set;
    sorted.current.matches_template = true;
  }
  return sorted;
}

const capi::SetRecord* Named(const DeploymentScene& scene, const std::string& name) {
  const auto found = std::ranges::find(
      scene.sets, name,
      [](const capi::SetRecord* set) -> const std::string& { return set->meta.key.name; });
  return found == scene.sets.end() ? nullptr : *found;
}

// What a set keeps however it is sized.
capi::SetWish Kept(const Sorted& sorted, const capi::SetRecord& set) {
  capi::SetWish wish;
  wish.replicas = set.spec.replicas.value_or(0);
  wish.max_replicas = core::ResolveLimits(sorted.deployment).MaxTotal(sorted.deployment.replicas);
  wish.revision = Annotation(set, annotations::kRevision);
  wish.revision_history = Annotation(set, annotations::kRevisionHistory);
  wish.disable_create = sorted.deployment.strategy == core::Strategy::kOnDelete;
  return wish;
}

// The current set's revision is above all others.
capi::SetWish Current(const Sorted& sorted) {
  capi::SetWish wish;
  std::int64_t before = 0;
  if (sorted.current_record != nullptr) {
    wish = Kept(sorted, *sorted.current_record);
    before = RevisionOf(*sorted.current_record);
  } else {
    wish.max_replicas = core::ResolveLimits(sorted.deployment).MaxTotal(sorted.deployment.replicas);
  }
  wish.disable_create = false;
  const std::int64_t revision = core::NextRevision(before, sorted.old);
  wish.revision = std::to_string(revision);
  if (before != 0 && before != revision) {
    wish.revision_history = core::ExtendHistory(wish.revision_history, before, revision);
  }
  return wish;
}

std::optional<std::string> Unless(std::string text) {
  if (text.empty()) return std::nullopt;
  return text;
}

DeploymentPlan PlanPaused(const DeploymentScene& scene, const Sorted& sorted) {
  core::ScalingScene scaling{.deployment = sorted.deployment,
                             .current = {},
                             .old = sorted.old,
                             .reported_replicas = scene.deployment->status.replicas.value_or(0)};
  if (sorted.current_record != nullptr) scaling.current = sorted.current;
  DeploymentPlan plan;
  if (sorted.current_record != nullptr) {
    plan.sets.push_back({.set = sorted.current_record, .wish = Current(sorted)});
    plan.revision = plan.sets.front().wish.revision;
  }
  for (const core::MachineSet& old : sorted.old) {
    const capi::SetRecord* set = Named(scene, old.name);
    plan.sets.push_back({.set = set, .wish = Kept(sorted, *set)});
  }
  for (const core::Resize& resize : core::PlanScaling(scaling, core::Growth::kProportional)) {
    for (PlannedSet& planned : plan.sets) {
      if (planned.set->meta.key.name == resize.set) planned.wish.replicas = resize.replicas;
    }
  }
  return plan;
}

core::budgeted::Scene SceneOf(const Sorted& sorted, const DeploymentScene& scene) {
  return {.deployment = sorted.deployment,
          .current = sorted.current,
          .old = sorted.old,
          .in_place = scene.moves};
}

}  // namespace

std::int64_t RevisionOf(const capi::Header& object) {
  return NumberIn<std::int64_t>(Annotation(object, annotations::kRevision)).value_or(0);
}

Result<core::Deployment> ViewOf(const capi::DeploymentRecord& deployment) {
  const capi::DeploymentSpec& spec = deployment.spec;
  if (!spec.replicas) return Fail(ErrorKind::kInvalid, "spec.replicas is not set");
  if (!spec.amount_problem.empty()) return Fail(ErrorKind::kInvalid, spec.amount_problem);
  core::Deployment view;
  view.name = deployment.meta.key.name;
  view.replicas = *spec.replicas;
  view.max_surge = spec.max_surge.value_or(core::Amount::Of(1));
  view.max_unavailable = spec.max_unavailable.value_or(core::Amount::Of(0));
  view.paused = spec.paused;
  view.rollout_after = spec.rollout_after;
  if (spec.strategy == "OnDelete") {
    view.strategy = core::Strategy::kOnDelete;
  } else if (!spec.strategy.empty() && spec.strategy != "RollingUpdate") {
    return Fail(ErrorKind::kInvalid, "unknown strategy " + spec.strategy);
  }
  return view;
}

core::MachineSet ViewOf(const capi::SetRecord& set, const capi::DeploymentRecord& deployment) {
  core::MachineSet view = ViewOf(set);
  view.matches_template =
      capi::RolloutDifferences(set.spec.machine_template, deployment.spec.machine_template).empty();
  view.revision = RevisionOf(set);
  view.desired_note = NumberIn<int>(Annotation(set, annotations::kDesiredReplicas));
  view.max_note = NumberIn<int>(Annotation(set, annotations::kMaxReplicas));
  return view;
}

core::SetRoles RolesOf(const DeploymentScene& scene, WallTime now) {
  const std::vector<core::MachineSet> views = ViewsOf(scene);
  core::Deployment deployment;
  deployment.rollout_after = scene.deployment->spec.rollout_after;
  return core::FindRoles(deployment, views, core::CurrentSetRule::kLargest, now);
}

Result<std::vector<std::string>> SetsToAskAbout(const DeploymentScene& scene, WallTime now) {
  TRY(const Sorted sorted, Sort(scene, now));
  return core::budgeted::SetsToAskAbout(SceneOf(sorted, scene), sorted.may_update_in_place);
}

Result<DeploymentPlan> PlanDeployment(const DeploymentScene& scene, WallTime now) {
  TRY(const Sorted sorted, Sort(scene, now));
  if (sorted.deployment.paused) return PlanPaused(scene, sorted);
  const core::budgeted::Scene budgeted = SceneOf(sorted, scene);
  const core::budgeted::Plan planned = sorted.deployment.strategy == core::Strategy::kOnDelete
                                           ? core::budgeted::PlanOnDelete(budgeted)
                                           : core::budgeted::PlanRollingUpdate(budgeted);
  DeploymentPlan plan;
  plan.look_again = sorted.roles.look_again;
  PlannedSet current{.set = sorted.current_record, .wish = Current(sorted)};
  current.wish.replicas = planned.current.replicas;
  current.wish.receives_from = Unless(JoinList(planned.receives_from));
  current.wish.acknowledged = Unless(JoinList(planned.acknowledged));
  plan.revision = current.wish.revision;
  plan.sets.push_back(std::move(current));
  for (const core::budgeted::SetPlan& old : planned.old) {
    const capi::SetRecord* set = Named(scene, old.set);
    PlannedSet wished{.set = set, .wish = Kept(sorted, *set)};
    wished.wish.replicas = old.replicas;
    wished.wish.disable_create = old.creation_disabled;
    wished.wish.moves_to = Unless(old.moves_to);
    plan.sets.push_back(std::move(wished));
  }
  return plan;
}

}  // namespace millwright::controllers::contract
