#include "net/server_watchdog.h"

namespace millwright::net {

Watchdog::Limit Watchdog::Within(Duration duration, ByteStream& stream) {
  const SteadyTime deadline = clock_.Elapsed() + duration;
  const TimerId timer = deadlines_.Add(deadline, &stream);
  if (deadline < asleep_until_) earlier_.NotifyAll();
  return {*this, timer};
}

Task<void> Watchdog::Run() {
  Wake why = Wake::kDone;
  while (why != Wake::kCancelled) {
    while (const auto due = deadlines_.PopDue(clock_.Elapsed())) (*due)->Abort();
    asleep_until_ = deadlines_.Next().value_or(kNever);
    why = co_await earlier_.WaitUntil(clock_, asleep_until_);
  }
}

}  // namespace millwright::net
