// Virtual time and simulated processes: tests and the simulator run the real coroutines on these.
//
// Nothing here waits. Time moves only when no process has anything left to do, and then straight to
// the next deadline. With a seed, the order of ready handlers is drawn from it, so one seed is one
// interleaving; without, it is first come, first served.
#pragma once

#include <boost/asio/execution_context.hpp>

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/timer_queue.h"

namespace millwright {

class VirtualProcess;

class VirtualWorld {
 public:
  // 2026-01-01T00:00:00Z: any fixed date will do.
  static constexpr WallTime kStart = WallTime(std::chrono::seconds(1767225600));

  VirtualWorld() = default;
  explicit VirtualWorld(Random& order) : order_(&order) {}
  VirtualWorld(const VirtualWorld&) = delete;
  VirtualWorld& operator=(const VirtualWorld&) = delete;

  SteadyTime Elapsed() const { return elapsed_; }
  WallTime Now() const { return kStart + wall_offset_ + elapsed_.time_since_epoch(); }

  // Runs one ready handler. False if no process has one.
  bool Step();

  // Runs everything that can run without time passing.
  void Settle();

  // Lets that much time pass, stopping at every deadline on the way; all is settled at the end.
  void Advance(Duration duration);

  // Goes on, through time as far as needed, until the condition holds. False if the world came to
  // rest (or the limit of virtual time) without it.
  bool RunUntil(const std::function<bool()>& condition, Duration limit = std::chrono::hours(1));

  // The earliest deadline anybody sleeps for.
  std::optional<SteadyTime> NextDeadline() const { return sleepers_.Next(); }

  // The calendar jumps; steady time does not.
  void JumpWallClock(Duration by) { wall_offset_ += by; }

 private:
  friend class VirtualProcess;
  friend class VirtualClock;

  struct Sleeper {
    std::weak_ptr<void> life;  // of the process that sleeps
    WaitTable* table;
    WaitId wait;
  };

  // Moves time to the deadline, if it is not there yet, and wakes who is due.
  void GoTo(SteadyTime deadline);

  SteadyTime elapsed_{};
  Duration wall_offset_{};
  Random* order_ = nullptr;
  std::vector<VirtualProcess*> processes_;
  TimerQueue<Sleeper> sleepers_;
};

// One simulated process: an execution context whose destruction is a crash. Every frame suspended
// in it is destroyed, nothing more of it runs, and the world outside goes on.
class VirtualProcess final : public boost::asio::execution_context {
 public:
  explicit VirtualProcess(VirtualWorld& world);
  ~VirtualProcess();

  Executor executor();
  VirtualWorld& world() { return world_; }
  // Handlers of its own that it has run.
  std::uint64_t handlers() const { return handlers_; }

 private:
  friend class VirtualWorld;
  friend class VirtualClock;
  class ExecutorImpl;

  void Push(std::move_only_function<void()> handler);
  void RunHandler(std::move_only_function<void()> handler);

  VirtualWorld& world_;
  std::shared_ptr<void> life_ = std::make_shared<int>(0);
  bool dead_ = false;
  bool running_ = false;  // inside one of our handlers
  std::uint64_t handlers_ = 0;
  std::deque<std::move_only_function<void()>> ready_;
};

class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(VirtualProcess& process) : process_(process), world_(process.world()) {}

  WallTime Now() const override { return world_.Now(); }
  SteadyTime Elapsed() const override { return world_.Elapsed(); }
  TimerId Arm(SteadyTime deadline, WaitTable& table, WaitId wait) override;
  void Disarm(TimerId timer) override;

 private:
  VirtualProcess& process_;
  VirtualWorld& world_;
};

// Runs a task to its end on a process and returns what it returned; fails the caller's test by
// returning nothing if the world comes to rest first.
template <class T>
std::optional<T> RunTask(VirtualProcess& process, Task<T> task);

}  // namespace millwright

#include "base/virtual/run_task.h"
