// No object is looked at more often than at a given pace, however often it changes. What comes in
// between is looked at when the time has come, once.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "base/clock.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

inline constexpr Duration kPace = std::chrono::seconds(1);         // of most objects
inline constexpr Duration kHealthPace = std::chrono::seconds(15);  // of health checks

class Pacer {
 public:
  Pacer(Clock& clock, kube::WorkQueue<kube::ObjectKey>& queue, Duration pace)
      : clock_(clock), queue_(queue), pace_(pace) {}

  void Wake(const kube::ObjectKey& key) {
    const auto looked = looks_.find(key);
    const SteadyTime now = clock_.Elapsed();
    if (looked == looks_.end() || looked->second.at + pace_ <= now) {
      queue_.Add(key);
    } else {
      looked->second.woken = true;
      queue_.AddAfter(key, looked->second.at + pace_ - now);
    }
  }

  // Around each look. What a look returns replaces the times at which its key was to be looked at,
  // so whoever was woken meanwhile is kept here.
  void Begin(const kube::ObjectKey& key) { looks_.insert_or_assign(key, Look{clock_.Elapsed()}); }
  kube::Requeue End(const kube::ObjectKey& key, kube::Requeue result) const {
    const auto looked = looks_.find(key);
    if (looked == looks_.end() || !looked->second.woken) return result;
    const Duration left =
        std::max(looked->second.at + pace_ - clock_.Elapsed(), SteadyTime::duration::zero());
    return kube::Requeue::After(std::min(result.after().value_or(left), left));
  }
  void Forget(const kube::ObjectKey& key) { looks_.erase(key); }

 private:
  struct Look {
    SteadyTime at;
    bool woken = false;  // since, too early
  };

  Clock& clock_;
  kube::WorkQueue<kube::ObjectKey>& queue_;
  const Duration pace_;
  std::unordered_map<kube::ObjectKey, Look> looks_;
};

}  // namespace millwright::controllers::contract
