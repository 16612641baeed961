// A drain in waves: pods of one order go before those of the next (Cluster API's way). It is looked
// at again and again; nothing is remembered between looks.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/drain/classify.h"

namespace millwright::core {

struct Waves {
  std::vector<std::string> evict;  // now, in this order
  std::vector<std::string> evict_later;
  std::vector<std::string> wait;  // for them to complete by themselves
  std::vector<std::string> wait_later;
  std::vector<std::string> going;  // evicted before, still there

  bool done() const {
    return evict.empty() && evict_later.empty() && wait.empty() && wait_later.empty() &&
           going.empty();
  }

  friend bool operator==(const Waves&, const Waves&) = default;
};

// Keys of pods, each list sorted. A wave is over only when its pods are gone, not when they are
// told to go.
Waves PlanWaves(std::span<const Pod> pods, std::span<const PodVerdict> verdicts);

}  // namespace millwright::core
