// How a controller process ends, for whoever started it.
#pragma once

#include "cli/connect_clusters.h"
#include "cli/exit_code.h"
#include "kube/runtime/manager.h"

namespace millwright::cli {

// Says it on the terminal and gives the code.
ExitCode SayFailure(const StartFailure& failure);

ExitCode CodeOf(kube::ManagerOutcome outcome);

}  // namespace millwright::cli
