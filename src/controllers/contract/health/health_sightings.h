// When we saw machines come, and conditions turn bad. To a calendar that is an hour ahead each new
// machine would be too old to have no node yet, and so would be its replacement.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/id.h"
#include "core/model/condition.h"

namespace millwright::controllers::contract {

class HealthSightings {
 public:
  explicit HealthSightings(const Clock& clock) : clock_(clock) {}

  // A machine came while we looked; it started, so that its age no longer matters, or went.
  void Came(const Uid& machine) { came_[machine] = clock_.Elapsed(); }
  void Started(const Uid& machine) { came_.erase(machine); }

  // A condition of a machine or a node became as a check says that it should not be, while we
  // looked; it is so no longer; its object is gone.
  void TurnedBad(const Uid& object, std::string_view type);
  void TurnedGood(const Uid& object, std::string_view type);
  void Gone(const Uid& object);

  // As it is said, but neither earlier nor later than can be.
  WallTime Created(const Uid& machine, WallTime said) const;
  void Correct(const Uid& object, std::vector<core::Condition>& conditions) const;

 private:
  const Clock& clock_;
  std::map<Uid, SteadyTime> came_;
  std::map<std::pair<Uid, std::string>, SteadyTime> bad_;
};

}  // namespace millwright::controllers::contract
