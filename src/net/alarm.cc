#include "net/alarm.h"

#include <utility>

namespace millwright::net {

Alarm::Alarm(Executor executor, Clock& clock, std::function<void()> ring)
    : executor_(std::move(executor)),
      clock_(clock),
      table_(WaitTable::Of(executor_)),
      ring_(std::move(ring)) {}

void Alarm::Set(SteadyTime deadline) {
  Cancel();
  current_ = std::make_shared<int>(0);
  const auto on_wake = [this, current = std::weak_ptr(current_)](Wake why) {
    if (why != Wake::kTimeout || current.expired()) return;
    current_.reset();
    wait_ = 0;
    ring_();
  };
  wait_ = table_.Add(WaitTable::Handler(on_wake), executor_, false);
  timer_ = clock_.Arm(deadline, table_, wait_);
}

void Alarm::Cancel() {
  current_.reset();
  if (wait_ == 0 || table_.shutting_down()) return;
  clock_.Disarm(timer_);
  table_.Complete(std::exchange(wait_, 0), Wake::kCancelled);
}

}  // namespace millwright::net
