// The Clock of a real process.
#pragma once

#include <boost/asio/steady_timer.hpp>

#include "base/clock.h"
#include "base/timer_queue.h"

namespace millwright {

// One operating-system timer serves all sleepers of a context; used only from its thread.
class SystemClock final : public Clock {
 public:
  explicit SystemClock(const Executor& executor) : timer_(executor) {}

  WallTime Now() const override;
  SteadyTime Elapsed() const override;
  TimerId Arm(SteadyTime deadline, WaitTable& table, WaitId wait) override;
  void Disarm(TimerId timer) override;

 private:
  struct Sleeper {
    WaitTable* table;
    WaitId wait;
  };

  void Rearm();
  void Fire();

  boost::asio::steady_timer timer_;
  TimerQueue<Sleeper> sleepers_;
  SteadyTime armed_for_ = kNever;
};

}  // namespace millwright
