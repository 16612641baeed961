// What sets, the user and machines do in the simulation.
#include <fmt/format.h>

#include <algorithm>

#include "tests/goldens/simulation.h"
#include "tests/goldens/words.h"

namespace millwright::goldens {
namespace {

auto ByNumber(const auto& a, const auto& b) { return NumberOf(a.name) < NumberOf(b.name); }

}  // namespace

void Simulation::ReconcileSet(SimSet& set) {
  Log(fmt::format("[MS controller] Iteration {}, Reconcile {}", iteration_, SetSummary(set)));
  FinishUpdates(set);
  Acknowledge(set);
  SyncReplicas(set);
  ReportSet(set);
}

void Simulation::FinishUpdates(SimSet& set) {
  std::vector<std::string> finished;
  for (SimMachine& machine : set.machines) {
    if (machine.unacknowledged || !machine.updating) continue;
    machine.updating = false;
    finished.push_back(machine.name);
  }
  std::ranges::sort(finished);
  if (!finished.empty()) {
    Log(fmt::format("[MS controller] - Replicas {} completed in-place update", Join(finished)));
  }
}

void Simulation::Acknowledge(SimSet& set) {
  const std::vector<std::string> counted = SplitNames(set.notes.acknowledged);
  for (SimMachine& machine : set.machines) {
    const bool waits = !set.notes.receives_from.empty() && !Contains(counted, machine.name);
    if (machine.unacknowledged && !waits) machine.unacknowledged = false;
  }
}

void Simulation::SyncReplicas(SimSet& set) {
  int surplus = static_cast<int>(set.machines.size()) - set.set.replicas;
  if (surplus < 0 && set.notes.creation_disabled != "true") Create(set, -surplus);
  if (surplus <= 0) return;
  std::vector<std::string> uncounted;
  for (const SimMachine& machine : set.machines) {
    if (machine.unacknowledged && !set.notes.receives_from.empty())
      uncounted.push_back(machine.name);
  }
  std::ranges::sort(uncounted);
  if (!uncounted.empty()) {
    Log(fmt::format(
        "[MS controller] - Replicas {} moved from an old MachineSet still pending acknowledge from "
        "machine deployment md",
        Join(uncounted)));
  }
  surplus -= static_cast<int>(uncounted.size());
  if (surplus == 0) return;
  if (set.notes.moves_to.empty()) {
    Delete(set, surplus);
  } else {
    Move(set, surplus);
  }
}

void Simulation::Create(SimSet& set, int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    names.push_back(fmt::format("m{}", ++last_machine_));
    set.machines.push_back({names.back()});
  }
  std::sort(set.machines.begin(), set.machines.end(), ByNumber<SimMachine, SimMachine>);
  Log(fmt::format("[MS controller] - {} scale up to {}/{} replicas ({} created)", set.set.name,
                  set.set.replicas, set.set.replicas, Join(names)));
}

void Simulation::Move(SimSet& set, int count) {
  SimSet& target = Named(set.notes.moves_to);
  std::vector<std::string> names;
  std::vector<SimMachine> rest;
  for (SimMachine machine : set.machines) {
    const bool fixed =
        machine.deleting || machine.updating || static_cast<int>(names.size()) >= count;
    if (fixed) {
      rest.push_back(machine);
      continue;
    }
    machine.updating = machine.unacknowledged = true;
    names.push_back(machine.name);
    target.machines.push_back(machine);
  }
  set.machines = std::move(rest);
  std::sort(target.machines.begin(), target.machines.end(), ByNumber<SimMachine, SimMachine>);
  Log(fmt::format("[MS controller] - {} scale down to {}/{} replicas ({} moved to {})",
                  set.set.name, set.machines.size(), set.set.replicas, Join(names),
                  target.set.name));
}

// Those being updated go first, the last one that began before the others.
void Simulation::Delete(SimSet& set, int count) {
  std::vector<SimMachine> order = set.machines;
  std::sort(order.begin(), order.end(), [](const SimMachine& a, const SimMachine& b) {
    if (a.updating != b.updating) return a.updating;
    return a.updating ? ByNumber(b, a) : ByNumber(a, b);
  });
  count = std::min(count, static_cast<int>(order.size()));
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(order[i].name);
  std::erase_if(set.machines,
                [&](const SimMachine& machine) { return Contains(names, machine.name); });
  Log(fmt::format("[MS controller] - {} scale down to {}/{} replicas ({} deleted)", set.set.name,
                  set.set.replicas, set.set.replicas, Join(names)));
}

void Simulation::ReportSet(SimSet& set) {
  set.set.seen = {.replicas = static_cast<int>(set.machines.size())};
  for (const SimMachine& machine : set.machines) {
    if (machine.updating) continue;
    ++set.set.seen.available;
    set.set.seen.up_to_date += IsCurrent(set);
  }
}

void Simulation::DeleteForUser() {
  const auto [begin, end] = scenario_.deletions.equal_range(iteration_);
  for (auto it = begin; it != end; ++it) {
    for (SimSet& set : sets_) {
      for (SimMachine& machine : set.machines) machine.deleting |= machine.name == it->second;
    }
    Log(fmt::format("[User] Iteration {}, Deleting machine {}", iteration_, it->second));
  }
}

void Simulation::ReconcileMachine(const std::string& name) {
  for (SimSet& set : sets_) {
    const auto it = std::ranges::find(set.machines, name, &SimMachine::name);
    if (it == set.machines.end()) continue;
    Log(fmt::format("[M controller] Iteration {}, Reconcile {}", iteration_, name));
    if (!it->deleting) return;
    Log(fmt::format("[M controller] - {} finalizer removed", name));
    set.machines.erase(it);
    return;
  }
}

}  // namespace millwright::goldens
