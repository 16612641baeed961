// Whether a node is well.
#pragma once

#include <span>
#include <string>

#include "core/model/condition.h"

namespace millwright::core {

// Well: it says something, it is ready, and none of the watched conditions is anything but "False"
// (so one that is unknown is bad). Conditions that nobody watches do not matter.
bool IsNodeWell(std::span<const Condition> conditions, std::span<const std::string> watched);

// Whether what a machine remembers of its node differs in a way that matters: a condition came or
// went, or changed its status. `by_reason` names a condition whose reason counts too; empty: none.
bool ConditionsDiffer(std::span<const Condition> remembered, std::span<const Condition> seen,
                      std::string_view by_reason);

}  // namespace millwright::core
