// CPU profiles in the format of the pprof tool.
#pragma once

#include <string>

#include "base/clock.h"

namespace millwright::kube {

// Samples this process for that long. gperftools' profiler is loaded only when first asked for, so
// nobody else pays for it; kUnavailable, saying what to install, where it is not there, and while
// another profile is being taken.
Task<Result<std::string>> TakeCpuProfile(Clock& clock, Duration duration);

}  // namespace millwright::kube
