// Cuts connections that take too long: one sleeping coroutine for all of them.
#pragma once

#include <utility>

#include "base/clock.h"
#include "base/signal.h"
#include "base/task.h"
#include "base/timer_queue.h"
#include "net/server_stream.h"

namespace millwright::net {

class Watchdog {
 public:
  // While it lives, the stream has a deadline. Must not outlive the watchdog or the stream.
  class Limit {
   public:
    Limit() = default;
    Limit(Limit&& other) noexcept
        : watchdog_(std::exchange(other.watchdog_, nullptr)), timer_(other.timer_) {}
    Limit& operator=(Limit&& other) noexcept {
      std::swap(watchdog_, other.watchdog_);
      std::swap(timer_, other.timer_);
      return *this;
    }
    ~Limit() {
      if (watchdog_ != nullptr) watchdog_->deadlines_.Remove(timer_);
    }

   private:
    friend class Watchdog;
    Limit(Watchdog& watchdog, TimerId timer) : watchdog_(&watchdog), timer_(timer) {}

    Watchdog* watchdog_ = nullptr;
    TimerId timer_ = 0;
  };

  Watchdog(const Executor& executor, Clock& clock) : clock_(clock), earlier_(executor) {}

  // Aborts the stream after that time, unless the limit is gone by then.
  [[nodiscard]] Limit Within(Duration duration, ByteStream& stream);

  // Until cancelled.
  Task<void> Run();

 private:
  Clock& clock_;
  TimerQueue<ByteStream*> deadlines_;
  Signal earlier_;  // a deadline came that is before the one slept for
  SteadyTime asleep_until_ = kNever;
};

}  // namespace millwright::net
