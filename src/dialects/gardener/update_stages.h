// The reasons of a node's InPlaceUpdate condition.
#pragma once

#include <string_view>

#include "core/lifecycle/in_place.h"

namespace millwright::dialects::gardener {

// A reason that nobody knows is none.
core::UpdateStage ParseUpdateStage(std::string_view reason);
std::string_view UpdateStageText(core::UpdateStage stage);

}  // namespace millwright::dialects::gardener
