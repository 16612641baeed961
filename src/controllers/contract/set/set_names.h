// Names for new machines of a set, so chosen that two who decide alike choose alike: their
// creations meet instead of adding up.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialects/capi/records.h"

namespace millwright::controllers::contract {

// The first so many names from the floor on that are not taken; those below it are of the dead.
// What is taken must be what the number was decided from: else who sees the other's new machine in
// between makes one beside it.
Result<std::vector<std::string>> NewMachineNames(const dialects::capi::SetRecord& set,
                                                 std::uint32_t floor,
                                                 const std::set<std::string_view>& taken,
                                                 int count);

// The floor once machines of these names go, among so many that there are. As noted, if they are
// below it or were named by somebody else.
std::uint32_t FloorAbove(const dialects::capi::SetRecord& set,
                         const std::set<std::string_view>& going, std::size_t machines);

}  // namespace millwright::controllers::contract
