#include "core/health/availability.h"

namespace millwright::core {

Availability DecideAvailability(std::optional<WallTime> ready_since, Duration min_ready,
                                WallTime now) {
  if (!ready_since) return {};
  const WallTime due = *ready_since + min_ready;
  if (now >= due) return {.available = true};
  return {.look_again = due};
}

}  // namespace millwright::core
