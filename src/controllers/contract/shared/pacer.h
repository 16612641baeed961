// No object is looked at more often than at a given pace, however often it changes. What comes in
// between is looked at when the time has come, once.
#pragma once

#include <unordered_map>

#include "base/clock.h"
#include "kube/workqueue/queue.h"

namespace millwright::controllers::contract {

inline constexpr Duration kPace = std::chrono::seconds(1);         // of most objects
inline constexpr Duration kHealthPace = std::chrono::seconds(15);  // of health checks

class Pacer {
 public:
  Pacer(Clock& clock, kube::WorkQueue<kube::ObjectKey>& queue, Duration pace)
      : clock_(clock), queue_(queue), pace_(pace) {}

  void Wake(const kube::ObjectKey& key) {
    const auto looked = looked_at_.find(key);
    const SteadyTime now = clock_.Elapsed();
    if (looked == looked_at_.end() || looked->second + pace_ <= now) {
      queue_.Add(key);
    } else {
      queue_.AddAfter(key, looked->second + pace_ - now);
    }
  }

  // At the beginning of each look.
  void Looked(const kube::ObjectKey& key) { looked_at_.insert_or_assign(key, clock_.Elapsed()); }
  void Forget(const kube::ObjectKey& key) { looked_at_.erase(key); }

 private:
  Clock& clock_;
  kube::WorkQueue<kube::ObjectKey>& queue_;
  const Duration pace_;
  std::unordered_map<kube::ObjectKey, SteadyTime> looked_at_;
};

}  // namespace millwright::controllers::contract
