// One controller process from start to end.
#pragma once

#include "cli/controller_flags.h"
#include "cli/process.h"

namespace millwright::cli {

// Until cancelled, or the lease is lost. What is wrong at the start is said on standard error.
Task<ExitCode> RunController(Process process, const ControllerFlags& flags, ControllerPlan plan);

}  // namespace millwright::cli
