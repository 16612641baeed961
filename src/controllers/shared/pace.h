// How often whoever looks at all machines of a set or deployment does so.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/time.h"

namespace millwright::controllers {

// A look takes a few microseconds for each machine, and while a thousand machines come there is a
// reason for one every millisecond: the cost of all together would grow with the square of their
// number. With a rest between two looks that grows likewise, looking takes a small part of the time
// however many there are. Few machines are looked at at once.
inline Duration RestAfter(std::size_t machines) {
  constexpr std::size_t kFew = 200;
  constexpr Duration kForEach = std::chrono::microseconds(50);
  constexpr Duration kMost = std::chrono::seconds(1);
  if (machines < kFew) return Duration::zero();
  return std::min<Duration>(kForEach * machines, kMost);
}

}  // namespace millwright::controllers
