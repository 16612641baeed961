// The conditions in a status, wherever a dialect keeps them.
#pragma once

#include <string_view>
#include <vector>

#include "core/model/condition.h"

namespace millwright::cli {

// Those of every list directly in the status (JSON) whose items have a type and a status; nothing
// for what cannot be read.
std::vector<core::Condition> ShownConditions(std::string_view status);

}  // namespace millwright::cli
