// The frame of a program that is one task on a real loop.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/log.h"
#include "base/random.h"
#include "base/result.h"
#include "base/task.h"

namespace millwright::benchmarks {

struct Process {
  Executor executor;
  Clock& clock;
  Random& random;
  Log& log;
};

// The exit code; what failed goes to standard error.
int RunProcess(const std::function<Task<Result<void>>(Process)>& main);

}  // namespace millwright::benchmarks
