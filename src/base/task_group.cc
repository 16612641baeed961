#include "base/task_group.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>

#include <cassert>
#include <exception>
#include <list>
#include <vector>

namespace millwright {

namespace asio = boost::asio;

struct TaskGroup::Child {
  asio::cancellation_signal signal;
  bool started = false;
};

struct TaskGroup::State {
  explicit State(WaitTable& table) : waits(table) {}

  WaitTable& waits;
  std::list<Child> children;
  std::vector<WaitId> joiners;
  bool cancelled = false;
};

TaskGroup::TaskGroup(Executor executor)
    : executor_(std::move(executor)), state_(std::make_shared<State>(WaitTable::Of(executor_))) {}

TaskGroup::~TaskGroup() { assert(state_->children.empty() || state_->waits.shutting_down()); }

std::size_t TaskGroup::size() const { return state_->children.size(); }

Task<void> TaskGroup::Run(std::shared_ptr<State> state, Child* child,
                          std::move_only_function<Task<void>()> make_task) {
  co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
  co_await asio::this_coro::throw_if_cancelled(false);
  child->started = true;
  if (state->cancelled) co_return;
  co_await make_task();
}

void TaskGroup::Spawn(std::move_only_function<Task<void>()> make_task) {
  const auto child = state_->children.emplace(state_->children.end());
  auto on_end = [state = state_, child](const std::exception_ptr& error) {
    state->children.erase(child);
    if (state->children.empty()) {
      for (const WaitId joiner : std::exchange(state->joiners, {})) {
        state->waits.Complete(joiner, Wake::kDone);
      }
    }
    if (error) std::rethrow_exception(error);
  };
  asio::co_spawn(executor_, Run(state_, &*child, std::move(make_task)),
                 asio::bind_cancellation_slot(child->signal.slot(), std::move(on_end)));
}

void TaskGroup::Cancel() {
  state_->cancelled = true;
  // From a handler of the executor and never from outside: co_spawn passes a cancellation on by
  // dispatch to a place inside the child, which must run at once, while the child is still there.
  asio::post(executor_, [state = state_] {
    for (auto child = state->children.begin(); child != state->children.end();) {
      Child& current = *child++;  // emitting may end it
      // One that reaches a coroutine before its first step would escape from run() as an exception
      // (Asio 1.26); such a child sees the flag instead.
      if (current.started) current.signal.emit(asio::cancellation_type::total);
    }
  });
}

Task<void> TaskGroup::Join() {
  while (!state_->children.empty()) {
    co_await SuspendThrough(
        [state = state_](WaitTable&, WaitId wait) { state->joiners.push_back(wait); });
  }
}

Task<void> UntilCancelled() {
  Wake why = Wake::kDone;
  while (why != Wake::kCancelled) why = co_await Suspend([](WaitTable&, WaitId) {});
}

}  // namespace millwright
