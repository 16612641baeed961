// How the records put a deployment's plan and the state of things.
#include <fmt/format.h>

#include <algorithm>

#include "tests/goldens/simulation.h"
#include "tests/goldens/words.h"

namespace millwright::goldens {

void Simulation::LogDeployment(const std::vector<SimSet>& before, const core::budgeted::Plan& plan,
                               bool became_current) {
  Log("[MD controller] - Result of rollout planner");
  Log("    md: " + DeploymentSummary());
  for (const SimSet& set : sets_) {
    const auto was = std::ranges::find_if(
        before, [&](const SimSet& other) { return other.set.name == set.set.name; });
    const auto old = std::ranges::find(plan.old, set.set.name, &core::budgeted::SetPlan::set);
    const bool is_current = old == plan.old.end();
    LogSetChange(set, was == before.end() ? nullptr : &*was, is_current ? plan.current : *old,
                 is_current && became_current);
  }
}

void Simulation::LogSetChange(const SimSet& set, const SimSet* before,
                              const core::budgeted::SetPlan& plan, bool became_current) {
  const std::string& name = set.set.name;
  const int now = set.set.replicas;
  const int was = before == nullptr ? 0 : before->set.replicas;
  const core::SetCounts& seen = set.set.seen;
  std::string sizes = fmt::format("{}/{} replicas", seen.replicas, now);
  if (before != nullptr && was != now) {
    sizes = fmt::format("from {}/{} to {}/{} replicas", seen.replicas, was, seen.replicas, now);
  }
  Log(fmt::format("    {}: {}, {} available, {} upToDate ({})", name, sizes, seen.available,
                  seen.up_to_date, MachineSummary(set)));
  std::string reason = InTheirWords(plan.reasons, scenario_.on_delete);
  if (before == nullptr) {
    Log(fmt::format("      - MachineSet {} created, it is now the current MachineSet", name));
    if (now > 0) {
      Log(fmt::format("      - Scaled up current MachineSet {} from 0 to {} replicas (+{})", name,
                      now, now));
      Log("        - Reason: " + reason);
    }
    return;
  }
  if (became_current)
    reason = "this is now the current MachineSet" + (reason.empty() ? "" : ", " + reason);
  const char* role = IsCurrent(set) ? "current" : "old";
  std::vector<std::string> changes;
  if (was != now) changes.push_back(fmt::format("replicas {}", now));
  const auto note = [&](const char* key, const std::string& a, const std::string& b) {
    if (a != b) changes.push_back(fmt::format("{}: {}", key, b));
  };
  const auto number = [](const Notes& notes) {
    return notes.revision ? std::to_string(*notes.revision) : std::string();
  };
  const Notes& a = before->notes;
  const Notes& b = set.notes;
  const std::string in_place = "in-place-updates.internal.cluster.x-k8s.io/";
  note("machinedeployment.clusters.x-k8s.io/revision", number(a), number(b));
  note((in_place + "move-machines-to-machineset").c_str(), a.moves_to, b.moves_to);
  note((in_place + "receive-machines-from-machinesets").c_str(), a.receives_from, b.receives_from);
  note((in_place + "acknowledged-move").c_str(), a.acknowledged, b.acknowledged);
  note("cluster.x-k8s.io/disable-machine-create", a.creation_disabled, b.creation_disabled);
  if (was != now) {
    Log(fmt::format("      - Scaled {} {} MachineSet {} from {} to {} replicas ({:+})",
                    now < was ? "down" : "up", role, name, was, now, now - was));
    Log("        - Reason: " + reason);
  } else if (!changes.empty()) {
    Log(fmt::format("      - Updated {} MachineSet {}", role, name));
  }
  if (!changes.empty()) Log("        - Diff: " + Join(changes));
}

std::string Simulation::DeploymentSummary() const {
  return fmt::format("md: {}/{} replicas, {} available, {} upToDate", reported_.replicas,
                     deployment_.replicas, reported_.available, reported_.up_to_date);
}

std::string Simulation::SetSummary(const SimSet& set) const {
  return fmt::format("{}: {}/{} replicas, {} available, {} upToDate ({})", set.set.name,
                     set.set.seen.replicas, set.set.replicas, set.set.seen.available,
                     set.set.seen.up_to_date, MachineSummary(set));
}

std::string Simulation::MachineSummary(const SimSet& set) const {
  const std::vector<std::string> counted = SplitNames(set.notes.acknowledged);
  std::vector<std::string> names;
  for (const SimMachine& machine : set.machines) {
    names.push_back(machine.name);
    if (machine.unacknowledged && !Contains(counted, machine.name)) names.back() += "\U0001F7E0";
    if (machine.updating) names.back() += "\U0001F7E1";
  }
  return Join(names);
}

std::string Simulation::State() const {
  std::string text = "    " + DeploymentSummary() + "\n";
  for (const SimSet& set : sets_) text += "    " + SetSummary(set) + "\n";
  return text;
}

}  // namespace millwright::goldens
