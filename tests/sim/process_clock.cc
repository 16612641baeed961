#include "tests/sim/process_clock.h"

#include <algorithm>

namespace millwright::sim {

TimerId ProcessClock::Arm(SteadyTime deadline, WaitTable& table, WaitId wait) {
  if (timers_.size() >= forget_at_) ForgetFired();
  const TimerId timer = next_++;
  timers_[timer] = {.deadline = deadline,
                    .table = &table,
                    .wait = wait,
                    .real = paused_ ? 0 : real_.Arm(deadline, table, wait)};
  return timer;
}

void ProcessClock::Disarm(TimerId timer) {
  const auto found = timers_.find(timer);
  if (found == timers_.end()) return;
  if (!paused_) real_.Disarm(found->second.real);
  timers_.erase(found);
}

void ProcessClock::Pause(bool pause) {
  if (pause == paused_) return;
  ForgetFired();
  paused_ = pause;
  for (auto& [id, timer] : timers_) {
    if (pause) {
      real_.Disarm(timer.real);
    } else {
      timer.real = real_.Arm(std::max(timer.deadline, Elapsed()), *timer.table, timer.wait);
    }
  }
}

void ProcessClock::ForgetFired() {
  if (!paused_) {
    std::erase_if(timers_, [&](const auto& entry) { return entry.second.deadline < Elapsed(); });
  }
  forget_at_ = std::max<std::size_t>(256, timers_.size() * 2);
}

}  // namespace millwright::sim
