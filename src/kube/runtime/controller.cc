#include "kube/runtime/controller.h"

#include <exception>

#include "kube/api/status.h"
#include "kube/runtime/retry_policy.h"

namespace millwright::kube {

namespace {

// The object itself went while we wrote to it, and its end is on its way to us.
bool HasGone(const ObjectKey& key, const Error& error) {
  const auto* answer = error.detail<StatusDetail>();
  return error.kind() == ErrorKind::kNotFound && answer != nullptr &&
         answer->status().details.name == key.name && !IsMissingResourceType(error);
}

}  // namespace

Controller::Controller(const Executor& executor, Clock& clock, Logger log,
                       ControllerOptions options, Reconcile reconcile,
                       QueueObserver* queue_observer, ControllerObserver* observer)
    : clock_(clock),
      log_(std::move(log)),
      options_(std::move(options)),
      reconcile_(std::move(reconcile)),
      observer_(observer),
      queue_(executor, clock, options_.queue, queue_observer),
      slot_free_(executor),
      in_flight_(executor) {}

Task<void> Controller::Run() {
  while (!co_await IsCancelled()) {
    if (active_ >= options_.workers) {
      co_await slot_free_.Wait();
      continue;
    }
    std::optional<ObjectKey> key = co_await queue_.Pop();
    if (!key) break;
    ++active_;
    in_flight_.Spawn([this, key = *std::move(key)] { return Work(key); });
  }
  queue_.ShutDown();
  in_flight_.Cancel();
  co_await in_flight_.Join();
}

Task<void> Controller::Work(ObjectKey key) {
  const SteadyTime began = clock_.Elapsed();
  if (observer_ != nullptr) observer_->OnStart(active_);
  const Result<Requeue> result = co_await Guarded(key);
  --active_;
  if (observer_ != nullptr) observer_->OnEnd(active_, result, clock_.Elapsed() - began);
  Settle(key, result);
  queue_.Done(key);
  slot_free_.NotifyAll();
}

// One broken object must not stop the others: what it throws is its own error.
Task<Result<Requeue>> Controller::Guarded(ObjectKey key) {
  try {
    co_return co_await reconcile_(std::move(key));
  } catch (const std::exception& error) {
    co_return Fail(ErrorKind::kInternal, std::string("bug: unexpected exception: ") + error.what());
  } catch (...) {
    co_return Fail(ErrorKind::kInternal, "bug: unexpected exception of no known type");
  }
}

// Somebody else wrote first, and the next attempt sees that: it is how optimistic writes go, and
// nothing for a person to look at. Metrics count it all the same.
void Controller::Say(const ObjectKey& key, const Error& error) const {
  if (error.kind() == ErrorKind::kConflict) {
    log_.Debug("reconcile met a conflict", {{"key", key.ToString()}, {"error", error.message()}});
    return;
  }
  if (HasGone(key, error)) {
    log_.Debug("reconciled what is gone", {{"key", key.ToString()}, {"error", error.message()}});
    return;
  }
  log_.Warning(
      "reconcile failed",
      {{"key", key.ToString()}, {"kind", ToString(error.kind())}, {"error", error.message()}});
}

void Controller::Settle(const ObjectKey& key, const Result<Requeue>& result) {
  if (result) {
    queue_.Forget(key);
    if (result->after()) queue_.AddAfter(key, *result->after());
    if (result->rest() > Duration::zero()) queue_.Rest(key, clock_.Elapsed() + result->rest());
    return;
  }
  const Error& error = result.error();
  const Retry retry = RetryFor(error);
  if (retry == Retry::kNever) return;
  Say(key, error);
  switch (retry) {
    case Retry::kBackOff: return queue_.AddRateLimited(key);
    case Retry::kAfterHint:
      return queue_.AddRateLimited(key, error.retry_after().value_or(Duration::zero()));
    case Retry::kSlowly: return queue_.AddRateLimited(key, options_.slow_retry);
    case Retry::kNever: return;
  }
}

}  // namespace millwright::kube
