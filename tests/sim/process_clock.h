// The clock of one simulated process, which can stand still (the process is
// stopped, and goes on later) and whose calendar can be wrong.
#pragma once

#include <map>

#include "base/virtual/world.h"

namespace millwright::sim {

class ProcessClock final : public Clock {
 public:
  explicit ProcessClock(VirtualProcess& process) : real_(process) {}

  WallTime Now() const override { return real_.Now() + skew_; }
  SteadyTime Elapsed() const override { return real_.Elapsed(); }
  TimerId Arm(SteadyTime deadline, WaitTable& table, WaitId wait) override;
  void Disarm(TimerId timer) override;

  // No timer fires until it goes on; those that are due by then fire at once.
  void Pause(bool pause);
  // How far its calendar is ahead of everybody else's.
  void Skew(Duration skew) { skew_ = skew; }

 private:
  struct Timer {
    SteadyTime deadline{};
    WaitTable* table = nullptr;
    WaitId wait = 0;
    TimerId real = 0;  // while time passes
  };

  // Nobody tells us which timers have fired.
  void ForgetFired();

  VirtualClock real_;
  Duration skew_{};
  bool paused_ = false;
  std::map<TimerId, Timer> timers_;
  TimerId next_ = 1;
  std::size_t forget_at_ = 256;
};

}  // namespace millwright::sim
