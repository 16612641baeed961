// When we saw things happen to machines, by a clock that nobody sets. The times on objects are of
// the calendars of others: if ours is an hour ahead, a machine that was made just now looks an hour
// old, and its replacement too. What we saw happen cannot have happened long before.
#pragma once

#include <optional>
#include <unordered_map>

#include "base/clock.h"
#include "base/id.h"
#include "dialects/machine_record.h"

namespace millwright::controllers {

class Sightings {
 public:
  explicit Sightings(const Clock& clock) : clock_(clock) {}

  // A change that a cache saw. What was there when it was first filled happened at any time before
  // (`synced` is false then).
  void Saw(const dialects::MachineRecord* before, const dialects::MachineRecord* after,
           bool synced);

  // As the machine says, but neither earlier nor later than can be: what is said to be of tomorrow
  // would be waited for until then, though our calendar was wrong for a moment only.
  WallTime Created(const dialects::MachineRecord& machine) const;
  WallTime PhaseSince(const dialects::MachineRecord& machine) const;
  WallTime DeletingSince(const dialects::MachineRecord& machine) const;  // if it is

 private:
  struct Seen {
    std::optional<SteadyTime> created;
    std::optional<SteadyTime> phase;
    std::optional<SteadyTime> deleting;
  };

  const Seen* Find(const dialects::MachineRecord& machine) const;

  const Clock& clock_;
  std::unordered_map<Uid, Seen> seen_;
};

}  // namespace millwright::controllers
