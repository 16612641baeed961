#include "tests/goldens/simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/rollout/limits.h"
#include "core/rollout/revision.h"
#include "core/rollout/roles.h"
#include "tests/goldens/words.h"

namespace millwright::goldens {
namespace {

constexpr int kTooMany = 500;

}  // namespace

Simulation::Simulation(const Scenario& scenario) : scenario_(scenario) {
  deployment_ = {
      .name = "md",
      .replicas = scenario.deployment.replicas,
      .strategy = scenario.on_delete ? core::Strategy::kOnDelete : core::Strategy::kRollingUpdate,
      .max_surge = core::Amount::Of(scenario.max_surge),
      .max_unavailable = core::Amount::Of(scenario.max_unavailable)};
  reported_ = {.replicas = scenario.deployment.existing,
               .available = scenario.deployment.available,
               .up_to_date = scenario.deployment.up_to_date};
  for (const RecordedSet& recorded : scenario.sets) {
    SimSet set;
    set.template_number = static_cast<int>(sets_.size());
    set.set = {.name = recorded.name, .replicas = recorded.replicas};
    set.set.seen = {.replicas = recorded.existing,
                    .available = recorded.available,
                    .up_to_date = recorded.up_to_date};
    for (const RecordedMachine& machine : recorded.machines) {
      set.machines.push_back({machine.name, machine.updating, machine.unacknowledged});
      last_machine_ = std::max(last_machine_, NumberOf(machine.name));
    }
    sets_.push_back(std::move(set));
  }
  // A record that begins in the middle of a rollout has more than one set, and the last one is
  // current unless the deployment was changed once more. Then an empty one was made for the change.
  const bool has_current =
      sets_.size() > 1 && (!scenario.changed_again || scenario.sets.back().machines.empty());
  template_number_ = static_cast<int>(sets_.size()) - (has_current ? 1 : 0);
}

std::string Simulation::Run() {
  Log("## " + scenario_.title);
  Log("");
  Log("[Test] Initial state");
  log_ += State();
  const size_t machines = MachineNames().size();
  Log(fmt::format("[Test] Rollout {} replicas, ", machines) +
      (scenario_.on_delete ? "onDeleteStrategy"
                           : fmt::format("MaxSurge={}, MaxUnavailable={}", scenario_.max_surge,
                                         scenario_.max_unavailable)));
  for (; iteration_ <= kTooMany; ++iteration_) {
    const std::vector<std::string> names = MachineNames();
    ReconcileDeployment();
    for (SimSet& set : sets_) ReconcileSet(set);
    if (scenario_.on_delete) {
      DeleteForUser();
      for (const std::string& name : names) ReconcileMachine(name);
    }
    if (!IsDone()) continue;
    Log("[Test] Final state");
    log_ += State();
    break;
  }
  return log_;
}

core::budgeted::Scene Simulation::Observe(std::vector<std::string>& may_update) const {
  std::vector<core::MachineSet> sets;
  for (const SimSet& set : sets_) {
    sets.push_back(set.set);
    sets.back().matches_template = IsCurrent(set);
    sets.back().revision = set.notes.revision.value_or(0);
  }
  const auto roles = FindRoles(deployment_, sets, core::CurrentSetRule::kLargest, WallTime{});
  core::budgeted::Scene scene{.deployment = deployment_};
  for (const core::OldSet& old : roles.old) {
    scene.old.push_back(sets[old.index]);
    if (old.may_update_in_place && scenario_.in_place) may_update.push_back(sets[old.index].name);
  }
  if (roles.current) {
    scene.current = sets[*roles.current];
    scene.in_place.acknowledged = SplitNames(sets_[*roles.current].notes.acknowledged);
    for (const SimMachine& machine : sets_[*roles.current].machines) {
      if (machine.unacknowledged) scene.in_place.unacknowledged.push_back(machine.name);
    }
  } else {
    scene.current.name = fmt::format("ms{}", sets_.size() + 1);
  }
  for (const SimSet& set : sets_) {
    for (const SimMachine& machine : set.machines) scene.in_place.any_updating |= machine.updating;
  }
  return scene;
}

void Simulation::ReconcileDeployment() {
  Log(fmt::format("[MD controller] Iteration {}, Reconcile md", iteration_));
  const std::vector<SimSet> before = sets_;
  std::vector<std::string> may_update;
  core::budgeted::Scene scene = Observe(may_update);
  const std::int64_t revision = NextRevision(scene.current.revision, scene.old);
  const bool became_current = revision != scene.current.revision;
  scene.in_place.updatable = SetsToAskAbout(scene, may_update);
  const core::budgeted::Plan plan =
      scenario_.on_delete ? PlanOnDelete(scene) : PlanRollingUpdate(scene);
  if (std::ranges::none_of(sets_,
                           [&](const SimSet& set) { return set.set.name == plan.current.set; })) {
    SimSet created;
    created.set.name = plan.current.set;
    created.template_number = template_number_;
    sets_.push_back(std::move(created));
  }
  Named(plan.current.set).notes.revision = revision;
  ApplyPlan(plan);
  reported_.replicas = reported_.available = 0;
  if (!scenario_.on_delete) reported_.up_to_date = 0;
  for (const SimSet& set : sets_) {
    reported_.replicas += set.set.seen.replicas;
    reported_.available += set.set.seen.available;
    if (!scenario_.on_delete) reported_.up_to_date += set.set.seen.up_to_date;
  }
  LogDeployment(before, plan, became_current);
  if (!scenario_.on_delete) CheckLimits();
}

void Simulation::ApplyPlan(const core::budgeted::Plan& plan) {
  SimSet& current = Named(plan.current.set);
  current.set.replicas = plan.current.replicas;
  current.notes.creation_disabled = "false";
  if (!plan.receives_from.empty()) current.notes.receives_from = Join(plan.receives_from);
  if (!plan.acknowledged.empty()) current.notes.acknowledged = Join(plan.acknowledged);
  for (const core::budgeted::SetPlan& old : plan.old) {
    SimSet& set = Named(old.set);
    set.set.replicas = old.replicas;
    set.notes.creation_disabled = old.creation_disabled ? "true" : "false";
    if (!old.moves_to.empty()) set.notes.moves_to = old.moves_to;
  }
}

// The records tolerate that a limit does not hold where the user changed the size in the middle.
void Simulation::CheckLimits() {
  const core::Limits limits = ResolveLimits(deployment_);
  if (reported_.available < deployment_.replicas - limits.unavailable) {
    Log("[Toleration] tolerate maxUnavailable breach");
  }
  int total = 0;
  for (const SimSet& set : sets_) total += std::max(set.set.replicas, set.set.seen.replicas);
  if (total > deployment_.replicas + limits.surge) Log("[Toleration] tolerate maxSurge breach");
}

bool Simulation::IsDone() const {
  if (reported_.replicas != deployment_.replicas || reported_.available != deployment_.replicas) {
    return false;
  }
  for (const SimSet& set : sets_) {
    const int wished = IsCurrent(set) ? deployment_.replicas : 0;
    const bool settled = set.set.replicas == wished && set.set.seen.replicas == wished &&
                         set.set.seen.available == wished &&
                         static_cast<int>(set.machines.size()) == wished;
    if (!settled) return false;
    if (std::ranges::any_of(set.machines, &SimMachine::updating)) return false;
  }
  return true;
}

Simulation::SimSet& Simulation::Named(const std::string& name) {
  return *std::ranges::find_if(sets_, [&](const SimSet& set) { return set.set.name == name; });
}

std::vector<std::string> Simulation::MachineNames() const {
  std::vector<std::string> names;
  for (const SimSet& set : sets_) {
    for (const SimMachine& machine : set.machines) names.push_back(machine.name);
  }
  return names;
}

}  // namespace millwright::goldens
