#include "controllers/contract/health/health_sightings.h"

#include <optional>

#include "controllers/shared/calendar.h"

namespace millwright::controllers::contract {

namespace {

template <class Map>
std::optional<SteadyTime> Find(const Map& seen, const typename Map::key_type& key) {
  const auto found = seen.find(key);
  return found == seen.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

void HealthSightings::TurnedBad(const Uid& object, std::string_view type) {
  bad_[{object, std::string(type)}] = clock_.Elapsed();
}

void HealthSightings::TurnedGood(const Uid& object, std::string_view type) {
  bad_.erase({object, std::string(type)});
}

void HealthSightings::Gone(const Uid& object) {
  came_.erase(object);
  auto one = bad_.lower_bound({object, {}});
  while (one != bad_.end() && one->first.first == object) one = bad_.erase(one);
}

WallTime HealthSightings::Created(const Uid& machine, WallTime said) const {
  return AsCanBe(clock_, said, Find(came_, machine));
}

void HealthSightings::Correct(const Uid& object, std::vector<core::Condition>& conditions) const {
  for (core::Condition& condition : conditions) {
    condition.since = AsCanBe(clock_, condition.since, Find(bad_, {object, condition.type.str()}));
  }
}

}  // namespace millwright::controllers::contract
