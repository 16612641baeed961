// One process: its event loop, clock, randomness and log, and what signals do to it.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "cli/exit_code.h"

namespace millwright::cli {

struct ProcessOptions {
  LogLevels log_levels;
  bool log_json = false;
  Duration stop_time = std::chrono::seconds(30);
};

// What a command is given.
struct Process {
  Executor executor;
  Clock& clock;
  Random& random;
  Log& log;
};

// Runs the task to its end on this thread. SIGINT and SIGTERM cancel it; a second one, or stop_time
// after the first, ends the process at once with kInterruptedHard. SIGPIPE is ignored: a closed
// terminal or connection is an error of the write, not of the process.
ExitCode RunProcess(const ProcessOptions& options,
                    const std::function<Task<ExitCode>(Process)>& main);

}  // namespace millwright::cli
