// Old sets that are not needed any more.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/machine_set.h"

namespace millwright::core {

// Names of the old sets to delete: empty ones whose report is current, the oldest first, until no
// more than `keep` are left. Sets that still have machines take part in the count and stay.
std::vector<std::string> SetsToForget(std::span<const MachineSet> old, int keep);

}  // namespace millwright::core
