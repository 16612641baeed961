#include "base/wait.h"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>

namespace millwright {

namespace asio = boost::asio;

asio::execution_context::id WaitTable::id;

WaitTable& WaitTable::Of(const Executor& executor) {
  return asio::use_service<WaitTable>(asio::query(executor, asio::execution::context));
}

WaitId WaitTable::Add(Handler handler, Executor executor, bool cancellable) {
  const WaitId wait = next_++;
  auto slot = asio::get_associated_cancellation_slot(handler);
  if (cancellable && slot.is_connected()) {
    slot.assign([this, wait](asio::cancellation_type) { Complete(wait, Wake::kCancelled); });
  }
  waits_.emplace(wait, Suspended{std::move(handler), std::move(executor)});
  return wait;
}

void WaitTable::Complete(WaitId wait, Wake why) {
  auto node = waits_.extract(wait);
  if (node.empty()) return;
  Suspended& suspended = node.mapped();
  asio::post(suspended.executor, [handler = std::move(suspended.handler), why]() mutable {
    // Only now, never inside the slot's own callback: clearing destroys the callback.
    auto slot = asio::get_associated_cancellation_slot(handler);
    if (slot.is_connected()) slot.clear();
    std::move(handler)(why);
  });
}

void WaitTable::shutdown() {
  shutting_down_ = true;
  // Destroying a frame may end other waits of this table, so take them out one by one.
  while (!waits_.empty()) {
    auto node = waits_.extract(waits_.begin());
  }
}

namespace {

using Start = std::move_only_function<void(WaitTable&, WaitId)>;

Task<Wake> SuspendOn(Executor executor, Start start, bool cancellable) {
  return asio::async_initiate<const asio::use_awaitable_t<>, void(Wake)>(
      [executor, cancellable, start = std::move(start)](auto handler) mutable {
        WaitTable& table = WaitTable::Of(executor);
        start(table, table.Add(WaitTable::Handler(std::move(handler)), executor, cancellable));
      },
      asio::use_awaitable);
}

}  // namespace

Task<Wake> Suspend(Start start) {
  const bool cancelled = co_await IsCancelled();
  if (cancelled) co_return Wake::kCancelled;
  const Executor executor = co_await asio::this_coro::executor;
  co_return co_await SuspendOn(executor, std::move(start), true);
}

Task<void> SuspendThrough(Start start) {
  const Executor executor = co_await asio::this_coro::executor;
  co_await SuspendOn(executor, std::move(start), false);
}

Task<bool> IsCancelled() {
  const auto state = co_await asio::this_coro::cancellation_state;
  co_return state.cancelled() != asio::cancellation_type::none;
}

Task<void> IgnoreCancellation() {
  co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
}

}  // namespace millwright
