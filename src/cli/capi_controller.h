// How the controllers of Cluster API's dialect are started: by the flags of its
// core manager.
#pragma once

#include "cli/controller_plan.h"

namespace millwright::cli {

std::vector<dialects::Flag> CapiFlags(controllers::Loops loops);
Result<ControllerPlan> PlanCapi(controllers::Loops loops, std::span<const std::string> words,
                                const std::string& host);

inline constexpr ControllerEntry kCapiController{.flags = CapiFlags, .plan = PlanCapi};

}  // namespace millwright::cli
