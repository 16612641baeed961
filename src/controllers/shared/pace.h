// How often whoever looks at all machines of a set, deployment or cluster does so.
//
// A look goes through all of them, and while a thousand machines come there is a reason for one
// every millisecond: the cost of all together would grow with the square of their number. With a
// rest between two looks (kube::WorkQueue::Rest) that grows likewise, looking takes a small part
// of the time however many there are.
#pragma once

#include <algorithm>
#include <cstddef>

#include "base/time.h"

namespace millwright::controllers {

struct Pace {
  Duration for_each{};
  std::size_t few = 0;  // fewer than that are looked at at once
  Duration least{};
  Duration most = std::chrono::seconds(1);
};

// A look takes a few microseconds for each machine.
inline constexpr Pace kCloudPace{.for_each = std::chrono::microseconds(50), .few = 200};

// Of loops on contracts, whose status tells of each machine. The least is enough for the answers to
// what one look wrote to come as one change; the most is upstream's pace for all.
inline constexpr Pace kContractPace{.for_each = std::chrono::milliseconds(1),
                                    .least = std::chrono::milliseconds(20)};

constexpr Duration RestAfter(std::size_t objects, const Pace& pace) {
  if (objects < pace.few) return Duration::zero();
  return std::clamp<Duration>(pace.for_each * objects, pace.least, pace.most);
}

}  // namespace millwright::controllers
