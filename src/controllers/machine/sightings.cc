#include "controllers/machine/sightings.h"

#include "controllers/shared/calendar.h"

namespace millwright::controllers {

using dialects::MachineRecord;

void Sightings::Saw(const MachineRecord* before, const MachineRecord* after, bool synced) {
  if (after == nullptr) {
    seen_.erase(before->meta.uid);
    return;
  }
  if (!synced) return;
  const SteadyTime now = clock_.Elapsed();
  const bool is_new = before == nullptr || before->meta.uid != after->meta.uid;
  if (is_new) {
    if (before != nullptr) seen_.erase(before->meta.uid);
    seen_[after->meta.uid] = {.created = now, .phase = now, .deleting = {}};
  } else if (before->core.phase != after->core.phase) {
    seen_[after->meta.uid].phase = now;
  }
  const bool was_going = !is_new && before->meta.deleting_since.has_value();
  if (after->meta.deleting_since && !was_going) seen_[after->meta.uid].deleting = now;
}

const Sightings::Seen* Sightings::Find(const MachineRecord& machine) const {
  const auto found = seen_.find(machine.meta.uid);
  return found == seen_.end() ? nullptr : &found->second;
}

WallTime Sightings::Created(const MachineRecord& machine) const {
  const Seen* seen = Find(machine);
  return AsCanBe(clock_, machine.core.created, seen != nullptr ? seen->created : std::nullopt);
}

WallTime Sightings::PhaseSince(const MachineRecord& machine) const {
  const Seen* seen = Find(machine);
  return AsCanBe(clock_, machine.phase_since, seen != nullptr ? seen->phase : std::nullopt);
}

WallTime Sightings::DeletingSince(const MachineRecord& machine) const {
  const Seen* seen = Find(machine);
  return AsCanBe(clock_, *machine.meta.deleting_since,
                 seen != nullptr ? seen->deleting : std::nullopt);
}

}  // namespace millwright::controllers
