// Which machines go first when a set has too many: each system's order is a list of these keys.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "core/model/machine.h"

namespace millwright::core {

// Compared one after the other, the first difference decides. Each says who goes first.
enum class VictimKey {
  kDeleting,        // those already on their way: they satisfy the count without a new deletion
  kChosen,          // those a person named
  kErrored,         // those that report an error
  kUpdating,        // those being changed in place: their change would be wasted anyway
  kUnhealthy,       // those known to be bad
  kNodeless,        // those without a node
  kUnpreserved,     // those that nobody wants to keep
  kAutoPreserved,   // of the kept ones, those kept by quota
  kPreserveExpiry,  // of the kept ones, those whose time ends first
  kPriority,        // the lower number
  kMarkedTime,      // those a scaler named, the earlier named first
  kPhase,           // the one further from running
  kOlder,
  kNewer,
  kName,  // by name: an order that everyone computes alike
};

// Ends with kName, so that no two machines are equal.
using VictimOrder = std::vector<VictimKey>;

// The first `most` machines (all, if there are fewer) in the order in which they would go; it does
// not depend on the order given.
std::vector<const Machine*> FirstVictims(std::span<const Machine* const> machines,
                                         const VictimOrder& order, WallTime now, std::size_t most);

}  // namespace millwright::core
