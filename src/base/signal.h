// Wakes coroutines when something they wait for may have changed.
#pragma once

#include <vector>

#include "base/clock.h"

namespace millwright {

// A condition variable for one thread: waiters look at their condition again after each wake.
// Must outlive its waiters.
class Signal {
 public:
  explicit Signal(const Executor& executor) : table_(WaitTable::Of(executor)) {}
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  // Wakes everyone who waits now.
  void NotifyAll();

  // Wakes the one who has waited longest.
  void NotifyOne();

  Task<Wake> Wait();
  Task<Wake> WaitUntil(Clock& clock, SteadyTime deadline);

 private:
  void Forget(WaitId wait);

  WaitTable& table_;
  std::vector<WaitId> waiters_;
};

}  // namespace millwright
