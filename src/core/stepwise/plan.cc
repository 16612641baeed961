#include "core/stepwise/plan.h"

#include <algorithm>

#include "core/rollout/limits.h"
#include "core/rollout/roles.h"

namespace millwright::core::stepwise {
namespace {

using Kind = RolloutReason::Kind;

int Wished(const std::vector<MachineSet>& sets) {
  int total = 0;
  for (const MachineSet& set : sets) total += set.replicas;
  return total;
}

int Available(const std::vector<MachineSet>& sets) {
  int total = 0;
  for (const MachineSet& set : sets) total += set.seen.available;
  return total;
}

// Machines that are going still take room, and so do machines that are still to come: a report that
// lags behind a wish must not be taken for room.
int Total(const Scene& scene) {
  const auto room_of = [](const MachineSet& set) {
    return std::max(set.replicas, set.seen.replicas);
  };
  int total = scene.current ? room_of(*scene.current) : 0;
  for (const MachineSet& set : scene.old) total += room_of(set);
  return total;
}

std::optional<Resize> ResizeCurrent(const Scene& scene) {
  const int size = CurrentSize(scene);
  if (size == scene.current->replicas) return std::nullopt;
  const bool fewer = size < scene.current->replicas;
  return Resize{scene.current->name, size,
                fewer ? RolloutReason{.kind = Kind::kAboveWish}
                      : RolloutReason{.kind = Kind::kRoomForMore,
                                      .a = Total(scene),
                                      .b = scene.deployment.replicas,
                                      .c = ResolveLimits(scene.deployment).surge}};
}

// Old sets as a row of sizes that shrink, the oldest set first.
class Shrinking {
 public:
  explicit Shrinking(const std::vector<MachineSet>& sets) {
    for (const size_t index : ByAge(sets))
      rows_.push_back({&sets[index], sets[index].replicas, {}});
  }

  // Takes up to `budget` from the sets, from each no more than `most` says; what was taken.
  int Take(int budget, int (*most)(const MachineSet&, int size), RolloutReason reason) {
    int taken = 0;
    for (Row& row : rows_) {
      const int by = std::min(budget - taken, most(*row.set, row.size));
      if (by <= 0) continue;
      row.size -= by;
      row.reason = reason;
      taken += by;
    }
    return taken;
  }

  std::vector<Resize> Finish() const {
    std::vector<Resize> resizes;
    for (const Row& row : rows_) {
      if (row.size != row.set->replicas) resizes.push_back({row.set->name, row.size, row.reason});
    }
    return resizes;
  }

 private:
  struct Row {
    const MachineSet* set;
    int size;
    RolloutReason reason{Kind::kEnoughAvailable};
  };
  std::vector<Row> rows_;
};

std::vector<Resize> ShrinkOld(const Scene& scene) {
  const MachineSet& current = *scene.current;
  const int least = ResolveLimits(scene.deployment).MinAvailable(scene.deployment.replicas);
  const int not_yet = std::max(current.replicas - current.seen.available, 0);
  int budget = Wished(scene.old) + current.replicas - least - not_yet;
  if (Wished(scene.old) == 0 || budget <= 0) return {};

  Shrinking sets(scene.old);
  // Sets lose unavailable machines before others, so these cost nothing.
  budget -=
      sets.Take(budget, [](const MachineSet& set, int size) { return size - set.seen.available; },
                {.kind = Kind::kNoMachinesBehind});
  const int available = Available(scene.old) + current.seen.available;
  sets.Take(std::min(budget, available - least), [](const MachineSet&, int size) { return size; },
            {.kind = Kind::kEnoughAvailable, .a = available, .b = least});
  return sets.Finish();
}

// A set of which any count is zero is as good as gone; only when every old set is, is nothing left
// to be careful about.
bool AllGone(const std::vector<MachineSet>& old) {
  return std::ranges::all_of(old, [](const MachineSet& set) {
    return set.replicas == 0 || set.seen.replicas == 0 || set.seen.available == 0 ||
           set.seen.ready == 0 || set.seen.fully_labelled == 0;
  });
}

bool RollsNodes(Strategy strategy) {
  switch (strategy) {
    case Strategy::kRollingUpdate:
    case Strategy::kInPlaceAuto:
    case Strategy::kInPlaceManual: return true;
    case Strategy::kRecreate:
    case Strategy::kOnDelete: return false;
  }
  return false;
}

}  // namespace

int CurrentSize(const Scene& scene) {
  const int wished = scene.deployment.replicas;
  const int now = scene.current ? scene.current->replicas : 0;
  switch (scene.deployment.strategy) {
    case Strategy::kRecreate: return wished;
    case Strategy::kInPlaceManual: return now;
    case Strategy::kOnDelete:
    case Strategy::kRollingUpdate:
    case Strategy::kInPlaceAuto: break;
  }
  if (now >= wished) return wished;
  const int room = ResolveLimits(scene.deployment).MaxTotal(wished) - Total(scene);
  return std::min(now + std::max(room, 0), wished);
}

bool MustThaw(const Scene& scene) { return scene.current && scene.current->creation_disabled; }

Step PlanRollingUpdate(const Scene& scene) {
  if (!scene.current) return {.create_current = CurrentSize(scene)};
  const auto resize = ResizeCurrent(scene);
  return {.resize = resize ? std::vector{*resize} : ShrinkOld(scene),
          .thaw_current = MustThaw(scene)};
}

Step PlanRecreate(const Scene& scene) {
  Step step{.thaw_current = MustThaw(scene)};
  bool gone = scene.old_machines == 0;
  for (const MachineSet& set : scene.old) {
    if (set.replicas != 0) step.resize.push_back({set.name, 0, {.kind = Kind::kAllBefore}});
    gone = gone && set.seen.replicas == 0;
  }
  if (!step.resize.empty()) return step;
  if (!gone) return {.waits_for_old = true};
  if (!scene.current) return {.create_current = scene.deployment.replicas};
  if (auto resize = ResizeCurrent(scene)) step.resize.push_back(*resize);
  return step;
}

NodeMarks PlanNodeMarks(const Scene& scene, bool complete) {
  NodeMarks marks;
  if (complete || scene.old.empty()) return marks;
  marks.hold_scale_down = !AllGone(scene.old);
  marks.avoid_old = RollsNodes(scene.deployment.strategy);
  return marks;
}

}  // namespace millwright::core::stepwise
