// The work queue: which key is to be looked at next, and when.
//
// A key is in the queue at most once and is never handed out twice at the same time: changes that
// arrive while it is being worked on make it due again afterwards. Delays are kept exactly. Higher
// priority first, then first come, first served.
//
// A key that is handed out has no time at which it is due any more: whoever works on it says anew
// when to look again. What is said meanwhile, by him or by others, holds.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/clock.h"
#include "base/signal.h"
#include "base/timer_queue.h"
#include "kube/workqueue/queue_observer.h"
#include "kube/workqueue/rate_limiter.h"

namespace millwright::kube {

struct QueueOptions {
  // client-go's defaults: a key that fails waits 5 ms, 10 ms, ... up to 1000 s, and all failing
  // keys together are tried again ten times a second after a first hundred.
  Duration retry_base = std::chrono::milliseconds(5);
  Duration retry_max = std::chrono::seconds(1000);
  double retries_per_second = 10;
  int retry_burst = 100;
};

// Reconciling everything after a start must not delay what a user has just changed.
enum class Priority { kBackground = -100, kNormal = 0, kUrgent = 100 };

template <class Key>
class WorkQueue {
 public:
  WorkQueue(const Executor& executor, Clock& clock, QueueOptions options = {},
            QueueObserver* observer = nullptr)
      : clock_(clock),
        options_(options),
        observer_(observer),
        bucket_(options.retries_per_second, options.retry_burst),
        changed_(executor) {}

  // Before anything is added; it must outlive the queue.
  void SetObserver(QueueObserver* observer) { observer_ = observer; }

  // Due now.
  void Add(const Key& key, Priority priority = Priority::kNormal);

  // Due after the delay, or earlier if it was already to be due earlier.
  void AddAfter(const Key& key, Duration delay, Priority priority = Priority::kNormal);

  // Not handed out before that time unless it is added as urgent: what comes in between is looked
  // at then, once. For keys whose look costs much and that change all the time. Called while it is
  // worked on.
  void Rest(const Key& key, SteadyTime until);

  // Due after this key's own back-off and the limit for all retries, whichever is longer. With a
  // hint, no earlier than that.
  void AddRateLimited(const Key& key, Duration at_least = Duration::zero());

  // The key succeeded: its back-off starts from the beginning.
  void Forget(const Key& key);

  int Failures(const Key& key) const;

  // Waits for a key that is due; none after ShutDown or when the caller is cancelled. Done must
  // follow.
  Task<std::optional<Key>> Pop();

  void Done(const Key& key);

  // No more keys are handed out; those being worked on may be finished.
  void ShutDown();

  std::size_t depth() const { return ready_.size(); }
  std::size_t in_progress() const { return in_progress_; }

  // How long the keys that are being worked on have been, in sum and at most.
  std::pair<Duration, Duration> Unfinished() const;

 private:
  struct Entry {
    bool queued = false;
    bool processing = false;
    std::optional<TimerId> rest;
    bool dirty = false;  // changed while processing or resting
    Priority priority = Priority::kNormal;
    std::uint64_t turn = 0;
    SteadyTime since{};  // queued or processing since
    std::optional<TimerId> timer;
    SteadyTime due{};
    Priority due_priority = Priority::kNormal;
    int failures = 0;

    bool Idle() const { return !queued && !processing && !rest && !timer && failures == 0; }
  };
  using Rank = std::pair<int, std::uint64_t>;
  using Entries = std::unordered_map<Key, Entry>;

  static Rank RankOf(const Entry& entry) { return {-static_cast<int>(entry.priority), entry.turn}; }

  void Enqueue(const Key& key, Entry& entry);
  void SetTimer(const Key& key, Entry& entry, SteadyTime due);
  void ClearTimer(Entry& entry);
  void DropIfIdle(typename Entries::iterator it);
  void MoveDue();
  void EndRests(SteadyTime now);
  void EndRest(Entry& entry);
  SteadyTime NextTime() const;
  Key TakeFirst();

  Clock& clock_;
  const QueueOptions options_;
  QueueObserver* observer_;
  TokenBucket bucket_;
  Entries entries_;
  std::map<Rank, Key> ready_;
  TimerQueue<Key> delayed_;
  TimerQueue<Key> rests_;
  std::uint64_t next_turn_ = 0;
  std::size_t in_progress_ = 0;
  bool shut_down_ = false;
  Signal changed_;
};

template <class Key>
void WorkQueue<Key>::Add(const Key& key, Priority priority) {
  if (shut_down_) return;
  Entry& entry = entries_[key];
  if (priority == Priority::kUrgent) EndRest(entry);
  const bool raised = priority > entry.priority;
  if (entry.processing || entry.rest) {
    entry.priority = entry.dirty ? std::max(entry.priority, priority) : priority;
    entry.dirty = true;
    return;
  }
  if (entry.queued) {
    if (!raised) return;
    ready_.erase(RankOf(entry));
    entry.priority = priority;
    ready_.emplace(RankOf(entry), key);
    return;
  }
  entry.priority = priority;
  Enqueue(key, entry);
}

template <class Key>
void WorkQueue<Key>::Enqueue(const Key& key, Entry& entry) {
  entry.queued = true;
  entry.turn = next_turn_++;
  entry.since = clock_.Elapsed();
  ready_.emplace(RankOf(entry), key);
  if (observer_ != nullptr) observer_->OnAdd(ready_.size());
  changed_.NotifyOne();
}

template <class Key>
void WorkQueue<Key>::AddAfter(const Key& key, Duration delay, Priority priority) {
  if (delay <= Duration::zero()) return Add(key, priority);
  if (shut_down_) return;
  Entry& entry = entries_[key];
  const SteadyTime due = clock_.Elapsed() + delay;
  entry.due_priority = entry.timer ? std::max(entry.due_priority, priority) : priority;
  if (entry.timer && entry.due <= due) return;
  SetTimer(key, entry, due);
}

template <class Key>
void WorkQueue<Key>::Rest(const Key& key, SteadyTime until) {
  Entry& entry = entries_[key];
  if (shut_down_ || entry.rest || entry.queued) return;
  if (entry.dirty && entry.priority == Priority::kUrgent) return;
  entry.rest = rests_.Add(until, key);
  if (rests_.Next() == until) changed_.NotifyOne();
}

template <class Key>
void WorkQueue<Key>::EndRests(SteadyTime now) {
  while (const std::optional<Key> key = rests_.PopDue(now)) {
    const auto it = entries_.find(*key);
    it->second.rest.reset();
    if (it->second.processing) continue;
    if (std::exchange(it->second.dirty, false)) {
      Enqueue(*key, it->second);
    } else {
      DropIfIdle(it);
    }
  }
}

template <class Key>
void WorkQueue<Key>::EndRest(Entry& entry) {
  if (!entry.rest) return;
  rests_.Remove(*entry.rest);
  entry.rest.reset();
  entry.dirty = false;
}

template <class Key>
SteadyTime WorkQueue<Key>::NextTime() const {
  return std::min(delayed_.Next().value_or(kNever), rests_.Next().value_or(kNever));
}

template <class Key>
void WorkQueue<Key>::AddRateLimited(const Key& key, Duration at_least) {
  if (shut_down_) return;
  Entry& entry = entries_[key];
  const Duration own = ExponentialDelay(options_.retry_base, options_.retry_max, entry.failures++);
  if (observer_ != nullptr) observer_->OnRetry();
  AddAfter(key, std::max({own, bucket_.Reserve(clock_.Elapsed()), at_least}));
}

template <class Key>
void WorkQueue<Key>::Forget(const Key& key) {
  const auto it = entries_.find(key);
  if (it == entries_.end()) return;
  it->second.failures = 0;
  DropIfIdle(it);
}

template <class Key>
int WorkQueue<Key>::Failures(const Key& key) const {
  const auto it = entries_.find(key);
  return it == entries_.end() ? 0 : it->second.failures;
}

template <class Key>
void WorkQueue<Key>::SetTimer(const Key& key, Entry& entry, SteadyTime due) {
  ClearTimer(entry);
  entry.due = due;
  entry.timer = delayed_.Add(due, key);
  // Whoever waits may now have to wake earlier than planned.
  if (delayed_.Next() == due) changed_.NotifyOne();
}

template <class Key>
void WorkQueue<Key>::ClearTimer(Entry& entry) {
  if (entry.timer) delayed_.Remove(*entry.timer);
  entry.timer.reset();
}

template <class Key>
void WorkQueue<Key>::DropIfIdle(typename Entries::iterator it) {
  if (it->second.Idle()) entries_.erase(it);
}

template <class Key>
void WorkQueue<Key>::MoveDue() {
  const SteadyTime now = clock_.Elapsed();
  EndRests(now);
  while (const std::optional<Key> key = delayed_.PopDue(now)) {
    Entry& entry = entries_[*key];
    entry.timer.reset();
    Add(*key, entry.due_priority);
  }
}

template <class Key>
Key WorkQueue<Key>::TakeFirst() {
  auto node = ready_.extract(ready_.begin());
  Entry& entry = entries_[node.mapped()];
  const SteadyTime now = clock_.Elapsed();
  if (observer_ != nullptr) observer_->OnGet(ready_.size(), now - entry.since);
  ClearTimer(entry);
  entry.queued = false;
  entry.processing = true;
  entry.since = now;
  ++in_progress_;
  return std::move(node.mapped());
}

template <class Key>
Task<std::optional<Key>> WorkQueue<Key>::Pop() {
  while (!shut_down_) {
    MoveDue();
    if (!ready_.empty()) co_return TakeFirst();
    const Wake why = co_await changed_.WaitUntil(clock_, NextTime());
    if (why == Wake::kCancelled) break;
  }
  co_return std::nullopt;
}

template <class Key>
void WorkQueue<Key>::Done(const Key& key) {
  const auto it = entries_.find(key);
  if (it == entries_.end() || !it->second.processing) return;
  Entry& entry = it->second;
  entry.processing = false;
  --in_progress_;
  if (observer_ != nullptr) observer_->OnDone(clock_.Elapsed() - entry.since);
  if (entry.rest) {
    if (!entry.dirty) entry.priority = Priority::kNormal;
    return;
  }
  if (std::exchange(entry.dirty, false) && !shut_down_) {
    Enqueue(key, entry);
  } else {
    entry.priority = Priority::kNormal;
    DropIfIdle(it);
  }
}

template <class Key>
void WorkQueue<Key>::ShutDown() {
  shut_down_ = true;
  changed_.NotifyAll();
}

template <class Key>
std::pair<Duration, Duration> WorkQueue<Key>::Unfinished() const {
  Duration sum{};
  Duration longest{};
  const SteadyTime now = clock_.Elapsed();
  for (const auto& [key, entry] : entries_) {
    if (!entry.processing) continue;
    sum += now - entry.since;
    longest = std::max(longest, now - entry.since);
  }
  return {sum, longest};
}

}  // namespace millwright::kube
