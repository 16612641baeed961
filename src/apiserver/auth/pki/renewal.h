// Certificates are replaced in time, by a server that keeps running.
#pragma once

#include <functional>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "base/task.h"

namespace millwright::apiserver {

// Makes what is needed, and says when it has to be done again.
using Renew = std::function<Result<WallTime>()>;

// Calls it at that time and then whenever it said, until the task is cancelled; again after an hour
// if it fails.
Task<void> RenewInTime(Clock& clock, WallTime first, Renew renew, Logger log = {});

}  // namespace millwright::apiserver
