// A process of controllers on contracts: beside a cluster that exists, or
// inside standalone.
#pragma once

#include "cli/controller_flags.h"
#include "cli/exit_code.h"
#include "cli/process.h"
#include "cli/standalone_machines.h"

namespace millwright::cli {

Task<ExitCode> RunContractController(Process process, const ControllerFlags& flags,
                                     ControllerPlan plan);

// Teaches the server the kinds, answers its webhooks and runs the loops, until
// cancelled.
Task<void> RunContractMachines(Process process, net::Http& http, StandaloneMachines options);

}  // namespace millwright::cli
