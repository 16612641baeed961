// Queue, workers and error policy around one reconcile function.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/task_group.h"
#include "kube/api/object.h"
#include "kube/workqueue/queue.h"

namespace millwright::kube {

// When to look at a key again although nothing about it changed.
class Requeue {
 public:
  static Requeue WhenChanged() { return Requeue(std::nullopt); }
  static Requeue After(Duration delay) { return Requeue(delay); }

  // And not before that, however much changes, unless it is urgent: for a look that costs much.
  Requeue Resting(Duration rest) const {
    Requeue resting = *this;
    resting.rest_ = rest;
    return resting;
  }

  std::optional<Duration> after() const { return after_; }
  Duration rest() const { return rest_; }

 private:
  explicit Requeue(std::optional<Duration> after) : after_(after) {}

  std::optional<Duration> after_;
  Duration rest_{};
};

// Moves the object of that key towards what is wished, one step. It is told a key and never an
// event, may be called at any time and any number of times, and never twice at once for one key.
using Reconcile = std::function<Task<Result<Requeue>>(ObjectKey)>;

// What a controller tells about its work; metrics are made from it.
class ControllerObserver {
 public:
  virtual ~ControllerObserver() = default;

  virtual void OnStart(std::size_t active) = 0;
  virtual void OnEnd(std::size_t active, const Result<Requeue>& result, Duration took) = 0;
};

struct ControllerOptions {
  std::string name;
  std::size_t workers = 10;  // keys in flight at once: frames, not threads
  QueueOptions queue;
  Duration slow_retry = std::chrono::minutes(5);
};

class Controller {
 public:
  Controller(const Executor& executor, Clock& clock, Logger log, ControllerOptions options,
             Reconcile reconcile, QueueObserver* queue_observer = nullptr,
             ControllerObserver* observer = nullptr);

  WorkQueue<ObjectKey>& queue() { return queue_; }
  const std::string& name() const { return options_.name; }
  std::size_t workers() const { return options_.workers; }

  // Before it runs; both must outlive it.
  void Observe(QueueObserver* queue, ControllerObserver* work) {
    queue_.SetObserver(queue);
    observer_ = work;
  }

  // Runs until cancelled; keys in flight are cancelled and waited for.
  Task<void> Run();

 private:
  Task<void> Work(ObjectKey key);
  Task<Result<Requeue>> Guarded(ObjectKey key);
  void Say(const ObjectKey& key, const Error& error) const;
  void Settle(const ObjectKey& key, const Result<Requeue>& result);

  Clock& clock_;
  Logger log_;
  const ControllerOptions options_;
  const Reconcile reconcile_;
  ControllerObserver* observer_;
  WorkQueue<ObjectKey> queue_;
  std::size_t active_ = 0;
  Signal slot_free_;
  TaskGroup in_flight_;
};

}  // namespace millwright::kube
