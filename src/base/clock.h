// The Clock port. Nothing in the product reads time or sleeps in any other way.
#pragma once

#include "base/task.h"
#include "base/time.h"
#include "base/wait.h"

namespace millwright {

using TimerId = std::uint64_t;

class Clock {
 public:
  virtual ~Clock() = default;

  virtual WallTime Now() const = 0;
  virtual SteadyTime Elapsed() const = 0;

  // Ends the wait with Wake::kTimeout at the deadline, unless disarmed before.
  virtual TimerId Arm(SteadyTime deadline, WaitTable& table, WaitId wait) = 0;
  virtual void Disarm(TimerId timer) = 0;
};

// Kept far from the type's limits so that arithmetic on it cannot overflow.
inline constexpr SteadyTime kNever = SteadyTime(std::chrono::hours(24 * 365 * 100));

// Sleeping ends with kTimeout, or kCancelled.
Task<Wake> SleepUntil(Clock& clock, SteadyTime deadline);
Task<Wake> SleepFor(Clock& clock, Duration duration);

}  // namespace millwright
