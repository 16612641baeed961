#include "base/system_clock.h"

namespace millwright {

WallTime SystemClock::Now() const { return std::chrono::system_clock::now(); }

SteadyTime SystemClock::Elapsed() const { return std::chrono::steady_clock::now(); }

TimerId SystemClock::Arm(SteadyTime deadline, WaitTable& table, WaitId wait) {
  const TimerId timer = sleepers_.Add(deadline, Sleeper{&table, wait});
  if (deadline < armed_for_) Rearm();
  return timer;
}

void SystemClock::Disarm(TimerId timer) {
  sleepers_.Remove(timer);
  // The operating-system timer may now fire early and find nothing to do: cheaper than re-arming
  // it.
  if (sleepers_.Next()) return;
  timer_.cancel();
  armed_for_ = kNever;
}

void SystemClock::Rearm() {
  armed_for_ = sleepers_.Next().value_or(kNever);
  if (armed_for_ == kNever) return;
  timer_.expires_at(armed_for_);
  timer_.async_wait([this](boost::system::error_code error) {
    if (!error) Fire();
  });
}

void SystemClock::Fire() {
  const SteadyTime now = Elapsed();
  while (const auto due = sleepers_.PopDue(now)) due->table->Complete(due->wait, Wake::kTimeout);
  Rearm();
}

}  // namespace millwright
