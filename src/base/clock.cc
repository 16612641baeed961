#include "base/clock.h"

namespace millwright {

Task<Wake> SleepUntil(Clock& clock, SteadyTime deadline) {
  TimerId timer = 0;
  const Wake why = co_await Suspend([&clock, &timer, deadline](WaitTable& table, WaitId wait) {
    timer = clock.Arm(deadline, table, wait);
  });
  if (why != Wake::kTimeout) clock.Disarm(timer);
  co_return why;
}

Task<Wake> SleepFor(Clock& clock, Duration duration) {
  return SleepUntil(clock, clock.Elapsed() + duration);
}

}  // namespace millwright
