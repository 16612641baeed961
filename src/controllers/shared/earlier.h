// The earlier of two times to look again, each of which may be never.
#pragma once

#include <algorithm>
#include <optional>

#include "base/time.h"

namespace millwright::controllers {

inline std::optional<WallTime> Earlier(std::optional<WallTime> a, std::optional<WallTime> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace millwright::controllers
