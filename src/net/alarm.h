// A deadline for code that is called back rather than resumed.
#pragma once

#include <functional>
#include <memory>

#include "base/clock.h"

namespace millwright::net {

// Must go before its clock and its executor's context do.
class Alarm {
 public:
  // `ring` is called from the executor, at most once for each Set; it may set the alarm again.
  Alarm(Executor executor, Clock& clock, std::function<void()> ring);
  ~Alarm() { Cancel(); }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  // Instead of any time set before.
  void Set(SteadyTime deadline);
  void Cancel();

 private:
  const Executor executor_;
  Clock& clock_;
  WaitTable& table_;
  const std::function<void()> ring_;
  WaitId wait_ = 0;
  TimerId timer_ = 0;
  // What rings after Cancel finds this expired.
  std::shared_ptr<void> current_;
};

}  // namespace millwright::net
