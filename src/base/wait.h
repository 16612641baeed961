// The one way a coroutine here is suspended: a numbered wait, owned by the process it runs in.
//
// Timers, signals and pools keep only the number. So when a (simulated) process dies, its table of
// waits goes and with it every suspended frame, and a late answer finds nobody: that is a crash.
#pragma once

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/execution_context.hpp>

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

#include "base/task.h"

namespace millwright {

// Why a wait ended.
enum class Wake {
  kDone,       // what was waited for happened
  kTimeout,    // the deadline came first
  kCancelled,  // the waiting task was asked to stop
};

using WaitId = std::uint64_t;

// All suspended waits of one execution context. Used only from that context's thread.
class WaitTable final : public boost::asio::execution_context::service {
 public:
  using key_type = WaitTable;
  using Handler = boost::asio::any_completion_handler<void(Wake)>;
  static boost::asio::execution_context::id id;

  explicit WaitTable(boost::asio::execution_context& context)
      : boost::asio::execution_context::service(context) {}

  static WaitTable& Of(const Executor& executor);

  // Resumes the waiter through its executor. Does nothing if that wait is over already.
  void Complete(WaitId wait, Wake why);

  // Registers a suspended frame; a cancellable one is resumed as such if its task is cancelled.
  WaitId Add(Handler handler, Executor executor, bool cancellable);

  // True while the context goes down: frames are being destroyed, nobody will be resumed.
  bool shutting_down() const { return shutting_down_; }

 private:
  void shutdown() override;  // NOLINT(readability-identifier-naming): Asio's name

  struct Suspended {
    Handler handler;
    Executor executor;
  };

  std::unordered_map<WaitId, Suspended> waits_;
  WaitId next_ = 1;
  bool shutting_down_ = false;
};

// Suspends the calling coroutine. `start` is called with the wait's number once it is registered
// and arranges for Complete to be called some day. Ends at once if the task is already cancelled.
Task<Wake> Suspend(std::move_only_function<void(WaitTable&, WaitId)> start);

// The same for a wait that must be sat out, such as joining children: cancellation does not end it.
Task<void> SuspendThrough(std::move_only_function<void(WaitTable&, WaitId)> start);

// True if the calling task has been asked to stop.
Task<bool> IsCancelled();

// Clears the request to stop, so that clean-up may wait again (release a lease, flush an event).
Task<void> IgnoreCancellation();

}  // namespace millwright
