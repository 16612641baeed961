// Sharing a change of size among sets in proportion to theirs.
#pragma once

#include <span>
#include <vector>

#include "core/model/machine_set.h"

namespace millwright::core {

struct ProportionRule {
  int wished = 0;        // by the deployment
  int allowed = 0;       // the total after the change, with surge
  int fallback_max = 0;  // for a set that has no note of the total it was part of
};

// New sizes, in the order of the sets given. They add up to what is allowed, unless no set can give
// more. Larger sets are served first; the rest that rounding leaves goes to the first.
std::vector<int> Proportions(std::span<const MachineSet> sets, const ProportionRule& rule);

}  // namespace millwright::core
