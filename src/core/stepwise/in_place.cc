#include "core/stepwise/in_place.h"

#include <algorithm>
#include <map>

#include "core/rollout/limits.h"
#include "core/rollout/roles.h"

namespace millwright::core::stepwise {
namespace {

using Kind = RolloutReason::Kind;

struct Numbers {
  int wished = 0;
  int least_available = 0;
  int old_wished = 0;
  int old_available = 0;
  int under_update = 0;  // old machines that were selected: each may be lost for a while
};

std::vector<const Machine*> MachinesOf(const InPlaceScene& scene, const std::string& set) {
  std::vector<const Machine*> machines;
  for (const Machine& machine : scene.machines) {
    if (machine.set == set && !machine.IsDeleting()) machines.push_back(&machine);
  }
  return machines;
}

Numbers Count(const InPlaceScene& scene) {
  const Deployment& deployment = scene.base.deployment;
  Numbers numbers{.wished = deployment.replicas,
                  .least_available = ResolveLimits(deployment).MinAvailable(deployment.replicas)};
  for (const MachineSet& set : scene.base.old) {
    numbers.old_wished += set.replicas;
    numbers.old_available += set.seen.available;
    for (const Machine* machine : MachinesOf(scene, set.name)) {
      numbers.under_update += machine->in_place.selected;
    }
  }
  return numbers;
}

void SetSize(InPlaceStep& step, const MachineSet& set, int replicas, Kind kind) {
  if (replicas != set.replicas) step.resize.push_back({set.name, replicas, {.kind = kind}});
}

// Machines that arrived are cleaned up. A crash between a transfer and the sizes that go with it
// leaves sets whose sizes do not fit their machines; they are made to fit here.
void Settle(InPlaceStep& step, const InPlaceScene& scene) {
  const MachineSet& current = *scene.base.current;
  const auto machines = MachinesOf(scene, current.name);
  int arrived = 0;
  for (const Machine* machine : machines) {
    if (!machine->in_place.handed_over && !machine->in_place.succeeded) continue;
    arrived += machine->in_place.handed_over;
    step.settle.push_back(machine->name);
  }
  const int excess = static_cast<int>(machines.size()) - current.replicas;
  if (arrived > 0 && excess > 0) {
    SetSize(step, current, current.replicas + std::min(arrived, excess), Kind::kUpdatedInPlace);
  }
  for (const MachineSet& set : scene.base.old) {
    const int existing = static_cast<int>(MachinesOf(scene, set.name).size());
    if (existing < set.replicas) SetSize(step, set, existing, Kind::kNoMachinesBehind);
  }
}

bool CanMove(const Machine& machine) {
  return machine.has_node && machine.in_place.succeeded && machine.phase != Phase::kUpdating;
}

void MoveUpdated(InPlaceStep& step, const InPlaceScene& scene) {
  const MachineSet& current = *scene.base.current;
  int moved = 0;
  for (const size_t index : ByAge(scene.base.old)) {
    const MachineSet& set = scene.base.old[index];
    int from_here = 0;
    for (const Machine* machine : MachinesOf(scene, set.name)) {
      if (!CanMove(*machine)) continue;
      step.transfer.push_back({machine->name, set.name});
      ++from_here;
    }
    SetSize(step, set, std::max(set.replicas - from_here, 0), Kind::kUpdatedInPlace);
    moved += from_here;
  }
  SetSize(step, current, current.replicas + moved, Kind::kUpdatedInPlace);
}

void SizeOrMove(InPlaceStep& step, const InPlaceScene& scene, const Numbers& numbers) {
  const MachineSet& current = *scene.base.current;
  if (current.replicas == numbers.wished) return;
  if (current.replicas > numbers.wished) {
    SetSize(step, current, numbers.wished, Kind::kAboveWish);
  } else if (numbers.old_wished == 0) {
    SetSize(step, current, numbers.wished, Kind::kRoomForMore);
  } else if (numbers.old_wished + current.replicas < numbers.wished) {
    SetSize(step, current, numbers.wished - numbers.old_wished, Kind::kRoomForMore);
  } else {
    MoveUpdated(step, scene);
  }
}

int HowManyToSelect(const InPlaceScene& scene, const Numbers& numbers) {
  const MachineSet& current = *scene.base.current;
  if (scene.base.deployment.strategy != Strategy::kInPlaceAuto) return 0;
  if (numbers.under_update + current.replicas >= numbers.wished) return 0;
  const int not_yet = std::max(current.replicas - current.seen.available, 0);
  const int room = numbers.old_wished + current.replicas - numbers.least_available - not_yet -
                   numbers.under_update;
  if (room <= 0) return 0;
  const int spare = numbers.old_available + current.seen.available - numbers.under_update -
                    numbers.least_available;
  return std::max(std::min(spare, numbers.wished - current.replicas), 0);
}

void Select(InPlaceStep& step, const InPlaceScene& scene, const Numbers& numbers) {
  if (scene.base.current->replicas == numbers.wished) {
    for (const MachineSet& set : scene.base.old) SetSize(step, set, 0, Kind::kNewOnesSuffice);
    return;
  }
  const size_t most = static_cast<size_t>(HowManyToSelect(scene, numbers));
  for (const size_t index : ByAge(scene.base.old)) {
    if (scene.base.old[index].replicas == 0) continue;
    for (const Machine* machine : MachinesOf(scene, scene.base.old[index].name)) {
      const InPlace& state = machine->in_place;
      if (step.select.size() < most && state.candidate && !state.selected) {
        step.select.push_back(machine->name);
      }
    }
  }
}

}  // namespace

InPlaceStep PlanInPlace(const InPlaceScene& scene) {
  InPlaceStep step;
  const Numbers numbers = Count(scene);
  step.freeze_old = step.offer_old = PlanNodeMarks(scene.base, false).hold_scale_down;
  step.thaw_current = MustThaw(scene.base);
  if (!scene.base.current) {
    step.create_current = CurrentSize(scene.base);
    return step;
  }
  Settle(step, scene);
  if (!step.settle.empty() || !step.resize.empty()) return step;
  SizeOrMove(step, scene, numbers);
  if (!step.transfer.empty() || !step.resize.empty()) return step;
  Select(step, scene, numbers);
  return step;
}

}  // namespace millwright::core::stepwise
