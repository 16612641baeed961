// Why a deletion takes long, as far as its own messages tell.
#pragma once

#include <span>
#include <string>

#include "dialects/capi/records.h"

namespace millwright::dialects::capi {

inline constexpr Duration kLongDeletion = std::chrono::minutes(15);
inline constexpr Duration kLongDrain = std::chrono::minutes(5);

// ", delay likely due to PodDisruptionBudgets"; empty if the machine does not drain, or not for
// long, or its message names nothing known.
std::string DrainDelay(std::string_view stage, std::string_view message,
                       std::optional<WallTime> drain_began, WallTime now);

// What Ready says of a machine that goes: its stage, and why it takes so long.
std::string DeletionProgress(const MachineRecord& machine, std::string_view stage,
                             std::string_view message, WallTime now);

// "* Machines a, b are in deletion since more than 15m, delay likely due to ..."; empty if none is.
std::string StaleDeletionLine(std::span<const MachineRecord* const> machines, WallTime now);

// When the next of them becomes stale; none: none will.
std::optional<WallTime> NextStale(std::span<const MachineRecord* const> machines, WallTime now);

// "a, b, c, ... (2 more)", the names sorted.
std::string ListNames(std::vector<std::string> names, std::size_t most = 3);

}  // namespace millwright::dialects::capi
