// What a set reports of its machines.
#pragma once

#include <span>

#include "core/model/machine.h"
#include "core/model/machine_set.h"

namespace millwright::core {

// Counts every machine given, also those that are going or failed: they exist and cost money. A
// dialect that does not count them leaves them out.
SetCounts CountMachines(std::span<const Machine> machines);

}  // namespace millwright::core
