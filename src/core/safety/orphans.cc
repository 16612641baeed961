#include "core/safety/orphans.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace millwright::core {
namespace {

// A machine whose instance is not settled yet may own any instance of its name.
bool MayBeItsOwn(const MachineRecord& machine, const FoundInstance& instance) {
  if (machine.instance == instance.id) return true;
  return machine.instance.empty() || machine.phase == Phase::kNew ||
         machine.phase == Phase::kCreateFailing;
}

}  // namespace

InstanceVerdict JudgeInstance(const FoundInstance& instance,
                              const std::optional<MachineRecord>& machine, Duration grace,
                              WallTime now) {
  if (machine && MayBeItsOwn(*machine, instance)) return InstanceVerdict::kKeep;
  if (instance.made && now - *instance.made < grace) return InstanceVerdict::kTooYoung;
  return InstanceVerdict::kConfirm;
}

bool IsOrphan(const FoundInstance& instance, const std::optional<MachineRecord>& live) {
  return !live || !MayBeItsOwn(*live, instance);
}

Sweep PlanSweep(std::span<const FoundInstance> listed, std::span<const MachineRecord> machines,
                bool complete, const SweepPolicy& policy, WallTime now) {
  Sweep sweep;
  if (!complete) return sweep;
  std::map<std::string, const MachineRecord*> by_name;
  for (const MachineRecord& machine : machines) by_name[machine.name] = &machine;
  for (const FoundInstance& instance : listed) {
    const auto it = by_name.find(instance.machine);
    const auto machine = it == by_name.end() ? std::nullopt : std::optional(*it->second);
    if (JudgeInstance(instance, machine, policy.grace, now) != InstanceVerdict::kConfirm) continue;
    if (static_cast<int>(sweep.confirm.size()) >= policy.most) {
      sweep.cut_short = true;
      break;
    }
    sweep.confirm.push_back(instance);
  }
  return sweep;
}

std::vector<std::string> SurplusInstances(std::span<const FoundInstance> same_machine) {
  std::vector<FoundInstance> sorted(same_machine.begin(), same_machine.end());
  std::sort(sorted.begin(), sorted.end(), [](const FoundInstance& a, const FoundInstance& b) {
    const auto key = [](const FoundInstance& instance) {
      return std::make_tuple(!instance.made, instance.made.value_or(WallTime{}), instance.id);
    };
    return key(a) < key(b);
  });
  std::vector<std::string> surplus;
  for (size_t i = 1; i < sorted.size(); ++i) surplus.push_back(sorted[i].id);
  return surplus;
}

NodeVerdict JudgeNode(const NodeFacts& node, Duration join_limit, WallTime now) {
  if (node.machines == 1) return node.disowned ? NodeVerdict::kOwn : NodeVerdict::kLeave;
  if (node.machines > 1 || node.disowned) return NodeVerdict::kLeave;
  return now - node.created > join_limit ? NodeVerdict::kDisown : NodeVerdict::kLeave;
}

}  // namespace millwright::core
