// Gardener's flags, brought to what our controllers understand.
#pragma once

#include "cli/controller_plan.h"

namespace millwright::cli {

std::vector<dialects::Flag> GardenerFlags(controllers::Loops loops);

Result<ControllerPlan> PlanGardener(controllers::Loops loops, std::span<const std::string> words,
                                    const std::string& host);

inline constexpr ControllerEntry kGardenerController{GardenerFlags, PlanGardener};

}  // namespace millwright::cli
