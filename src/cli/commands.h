// All commands. To add one: a file with its function here, a line in commands.cc.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>

#include "cli/exit_code.h"
#include "cli/global_options.h"

namespace millwright::cli {

// Adds a command to the app; when the user chose it, `run` is set to what does it.
using Run = std::function<ExitCode()>;
using AddCommand = void (*)(CLI::App& app, const GlobalOptions& global, Run& run);

void AddStandaloneCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddControllerCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddNodeAgentCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddWatchCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddTreeCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddDescribeCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddRolloutCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddGetCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddCrdsCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddCompletionCommand(CLI::App& app, const GlobalOptions& global, Run& run);
void AddVersionCommand(CLI::App& app, const GlobalOptions& global, Run& run);

// Parses the command line and does what it says.
int Main(int argc, char** argv);

}  // namespace millwright::cli
