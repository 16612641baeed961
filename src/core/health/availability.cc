#include "core/health/availability.h"

#include <algorithm>

namespace millwright::core {

Availability DecideAvailability(std::optional<WallTime> ready_since, Duration min_ready,
                                WallTime now) {
  if (!ready_since) return {};
  // Nothing became ready tomorrow: somebody's calendar is wrong, or was.
  const WallTime due = std::min(*ready_since, now) + min_ready;
  if (now >= due) return {.available = true};
  return {.look_again = due};
}

}  // namespace millwright::core
