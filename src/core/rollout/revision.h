// Revisions number the templates that a deployment has had, so that one can go back.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/machine_set.h"

namespace millwright::core {

// The revision of the current set: above all old ones, and never lower than it was.
std::int64_t NextRevision(std::int64_t current, std::span<const MachineSet> old);

// The comma list of revisions a set had before; unchanged if the set keeps its revision.
std::string ExtendHistory(std::string_view history, std::int64_t before, std::int64_t after);

// The set to go back to: that of the wished revision, or for 0 the last one before the newest.
// None: it does not exist (any more).
std::optional<size_t> FindRollbackTarget(std::span<const MachineSet> sets, std::int64_t wished);

}  // namespace millwright::core
