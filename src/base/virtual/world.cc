#include "base/virtual/world.h"

#include <boost/asio/execution.hpp>

#include <algorithm>

namespace millwright {

namespace asio = boost::asio;

// The least that Asio asks of an executor. Like an io_context's it runs inline what may run inline
// (dispatch) inside one of its own handlers, and queues everything else: co_spawn relies on that
// when it passes on a cancellation.
class VirtualProcess::ExecutorImpl {
 public:
  explicit ExecutorImpl(VirtualProcess& process) : process_(&process) {}

  // Names given by Asio.
  // NOLINTBEGIN(readability-identifier-naming)
  asio::execution_context& query(asio::execution::context_t) const noexcept { return *process_; }
  asio::execution::blocking_t query(asio::execution::blocking_t) const noexcept {
    if (may_run_inline_) return asio::execution::blocking.possibly;
    return asio::execution::blocking.never;
  }
  ExecutorImpl require(asio::execution::blocking_t::possibly_t) const {
    ExecutorImpl other = *this;
    other.may_run_inline_ = true;
    return other;
  }
  ExecutorImpl require(asio::execution::blocking_t::never_t) const {
    ExecutorImpl other = *this;
    other.may_run_inline_ = false;
    return other;
  }

  template <class F>
  void execute(F&& handler) const {
    if (may_run_inline_ && process_->running_ && !process_->dead_) {
      std::decay_t<F> copy(std::forward<F>(handler));
      std::move(copy)();
    } else {
      process_->Push(std::forward<F>(handler));
    }
  }
  // NOLINTEND(readability-identifier-naming)

  friend bool operator==(const ExecutorImpl& a, const ExecutorImpl& b) noexcept {
    return a.process_ == b.process_;
  }

 private:
  VirtualProcess* process_;
  bool may_run_inline_ = true;
};

VirtualProcess::VirtualProcess(VirtualWorld& world) : world_(world) {
  world_.processes_.push_back(this);
}

VirtualProcess::~VirtualProcess() {
  dead_ = true;
  life_.reset();
  std::erase(world_.processes_, this);
  // Destroying a handler destroys its frame, which may push: dead_ makes that a no-op.
  shutdown();
  auto ready = std::exchange(ready_, {});
  ready.clear();
  destroy();
}

Executor VirtualProcess::executor() { return ExecutorImpl(*this); }

void VirtualProcess::Push(std::move_only_function<void()> handler) {
  if (!dead_) ready_.push_back(std::move(handler));
}

void VirtualProcess::RunHandler(std::move_only_function<void()> handler) {
  // A handler may end its own process; nothing of it is touched after that.
  const std::weak_ptr<void> life = life_;
  running_ = true;
  ++handlers_;
  handler();
  if (!life.expired()) running_ = false;
}

bool VirtualWorld::Step() {
  std::size_t total = 0;
  for (const VirtualProcess* process : processes_) total += process->ready_.size();
  if (total == 0) return false;
  std::size_t index = order_ != nullptr ? order_->Below(total) : 0;
  for (VirtualProcess* process : processes_) {
    if (index >= process->ready_.size()) {
      index -= process->ready_.size();
      continue;
    }
    const auto it = process->ready_.begin() + static_cast<std::ptrdiff_t>(index);
    auto handler = std::move(*it);
    process->ready_.erase(it);
    process->RunHandler(std::move(handler));
    return true;
  }
  return false;
}

void VirtualWorld::Settle() {
  while (Step()) {
  }
}

void VirtualWorld::GoTo(SteadyTime deadline) {
  elapsed_ = std::max(elapsed_, deadline);
  while (const auto due = sleepers_.PopDue(elapsed_)) {
    if (!due->life.expired()) due->table->Complete(due->wait, Wake::kTimeout);
  }
}

void VirtualWorld::Advance(Duration duration) {
  const SteadyTime end = elapsed_ + duration;
  Settle();
  while (NextDeadline().value_or(kNever) <= end) {
    GoTo(*NextDeadline());
    Settle();
  }
  elapsed_ = end;
}

bool VirtualWorld::RunUntil(const std::function<bool()>& condition, Duration limit) {
  const SteadyTime end = elapsed_ + limit;
  while (!condition()) {
    if (Step()) continue;
    if (NextDeadline().value_or(kNever) > end) return false;
    GoTo(*NextDeadline());
  }
  return true;
}

TimerId VirtualClock::Arm(SteadyTime deadline, WaitTable& table, WaitId wait) {
  return world_.sleepers_.Add(deadline, VirtualWorld::Sleeper{process_.life_, &table, wait});
}

void VirtualClock::Disarm(TimerId timer) { world_.sleepers_.Remove(timer); }

}  // namespace millwright
