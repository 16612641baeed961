// From ready to available: ready for long enough.
#pragma once

#include <optional>

#include "base/time.h"

namespace millwright::core {

struct Availability {
  bool available = false;
  std::optional<WallTime> look_again;  // when it will be, if it stays ready

  friend bool operator==(const Availability&, const Availability&) = default;
};

// `ready_since` none: it is not ready.
Availability DecideAvailability(std::optional<WallTime> ready_since, Duration min_ready,
                                WallTime now);

}  // namespace millwright::core
