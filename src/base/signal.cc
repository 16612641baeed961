#include "base/signal.h"

#include <algorithm>

namespace millwright {

void Signal::NotifyAll() {
  const std::vector<WaitId> woken = std::exchange(waiters_, {});
  for (const WaitId wait : woken) table_.Complete(wait, Wake::kDone);
}

void Signal::NotifyOne() {
  if (waiters_.empty()) return;
  const WaitId wait = waiters_.front();
  waiters_.erase(waiters_.begin());
  table_.Complete(wait, Wake::kDone);
}

Task<Wake> Signal::Wait() {
  WaitId registered = 0;
  const Wake why = co_await Suspend([this, &registered](WaitTable&, WaitId wait) {
    registered = wait;
    waiters_.push_back(wait);
  });
  if (why != Wake::kDone) Forget(registered);
  co_return why;
}

Task<Wake> Signal::WaitUntil(Clock& clock, SteadyTime deadline) {
  if (deadline >= kNever) co_return co_await Wait();
  WaitId registered = 0;
  TimerId timer = 0;
  const Wake why = co_await Suspend([&, this](WaitTable& table, WaitId wait) {
    registered = wait;
    waiters_.push_back(wait);
    timer = clock.Arm(deadline, table, wait);
  });
  if (why != Wake::kDone) Forget(registered);
  if (why != Wake::kTimeout && registered != 0) clock.Disarm(timer);
  co_return why;
}

void Signal::Forget(WaitId wait) { std::erase(waiters_, wait); }

}  // namespace millwright
