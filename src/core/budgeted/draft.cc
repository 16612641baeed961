#include "core/budgeted/draft.h"

#include <algorithm>

#include "core/rollout/roles.h"

namespace millwright::core::budgeted {

void DraftSet::Because(RolloutReason reason) {
  if (std::ranges::find(reasons, reason) == reasons.end()) reasons.push_back(std::move(reason));
}

Draft::Draft(const Scene& scene_given)
    : scene(scene_given),
      limits(ResolveLimits(scene.deployment)),
      current{.set = &scene.current, .wished = scene.current.replicas} {
  for (const size_t index : ByAge(scene.old)) {
    old.push_back({.set = &scene.old[index], .wished = scene.old[index].replicas});
  }
}

std::vector<const DraftSet*> Draft::all() const {
  std::vector<const DraftSet*> sets;
  for (const DraftSet& set : old) sets.push_back(&set);
  sets.push_back(&current);
  return sets;
}

namespace {

SetPlan FinishSet(const DraftSet& set) {
  return {.set = set.set->name,
          .replicas = set.target(),
          .moves_to = set.moves_to,
          .reasons = set.reasons};
}

}  // namespace

Plan Draft::Finish() const {
  Plan plan{
      .current = FinishSet(current), .receives_from = receives_from, .acknowledged = acknowledged};
  for (const DraftSet& set : old) {
    plan.old.push_back(FinishSet(set));
    plan.old.back().creation_disabled = scene.deployment.strategy == Strategy::kOnDelete;
  }
  return plan;
}

}  // namespace millwright::core::budgeted
