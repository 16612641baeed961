// Time in the test's hands, for code that runs on a real event loop.
#pragma once

#include "base/timer_queue.h"

namespace millwright::net {

// Stands still until told otherwise. Where no real socket is involved, use VirtualWorld instead.
class ManualClock final : public Clock {
 public:
  WallTime Now() const override {
    return WallTime(std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)) +
           elapsed_.time_since_epoch();
  }
  SteadyTime Elapsed() const override { return elapsed_; }

  TimerId Arm(SteadyTime deadline, WaitTable& table, WaitId wait) override {
    return sleepers_.Add(deadline, {&table, wait});
  }
  void Disarm(TimerId timer) override { sleepers_.Remove(timer); }

  void Advance(Duration duration) {
    elapsed_ += duration;
    while (const auto due = sleepers_.PopDue(elapsed_)) {
      due->table->Complete(due->wait, Wake::kTimeout);
    }
  }

  // True while somebody has set a deadline.
  bool has_sleepers() const { return sleepers_.Next().has_value(); }

 private:
  struct Sleeper {
    WaitTable* table;
    WaitId wait;
  };

  SteadyTime elapsed_{};
  TimerQueue<Sleeper> sleepers_;
};

}  // namespace millwright::net
