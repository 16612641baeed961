#include "controllers/shared/calendar.h"

#include <algorithm>

namespace millwright::controllers {

WallTime AsCanBe(const Clock& clock, WallTime said, std::optional<SteadyTime> seen) {
  const WallTime now = clock.Now();
  if (!seen) return std::min(said, now);
  const WallTime latest = now - (clock.Elapsed() - *seen);
  // Times on objects have whole seconds, rounded down.
  return std::clamp(said, latest - std::chrono::seconds(1), latest);
}

Duration WaitFor(WallTime when, WallTime now) {
  constexpr Duration kLongest = std::chrono::minutes(30);
  return std::clamp<Duration>(when - now, Duration::zero(), kLongest);
}

}  // namespace millwright::controllers
