// What went wrong, as one line for a person and an exit code for a script.
#pragma once

#include "base/result.h"
#include "cli/exit_code.h"

namespace millwright::cli {

// The stage tells apart what the kind of error alone does not: kInvalid while loading a kubeconfig
// is another thing than kInvalid from a server.
enum class Stage { kUsage, kKubeconfig, kConnecting, kRequest, kOutput };

ExitCode CodeFor(Stage stage, const Error& error);

// Prints "millwright: <message>" with a hint where there is one, and returns the code.
ExitCode Report(Stage stage, const Error& error);

}  // namespace millwright::cli
