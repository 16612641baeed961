// An object that many others belong to changes with each of them, and a look at it goes through all
// of them. So it is looked at the less often the more there are: one of three machines at once when
// something changes, one of a thousand once a second. What comes in between is looked at when the
// time has come, once.
#pragma once

#include <algorithm>
#include <unordered_map>

#include "base/clock.h"
#include "kube/runtime/controller.h"

namespace millwright::controllers::contract {

// Time between two looks at an object that so many others belong to. The least of it is enough for
// the answers to what one look wrote to come as one change; the most is upstream's pace for all.
constexpr Duration PaceFor(std::size_t objects) {
  return std::clamp<Duration>(std::chrono::milliseconds(objects), std::chrono::milliseconds(20),
                              std::chrono::seconds(1));
}

class Pacer {
 public:
  Pacer(Clock& clock, kube::WorkQueue<kube::ObjectKey>& queue) : clock_(clock), queue_(queue) {}

  void Wake(const kube::ObjectKey& key) {
    const auto looked = looks_.find(key);
    const SteadyTime now = clock_.Elapsed();
    if (looked == looks_.end() || looked->second.next <= now) {
      queue_.Add(key);
    } else {
      looked->second.woken = true;
      queue_.AddAfter(key, looked->second.next - now);
    }
  }

  // Around each look. What a look returns replaces the times at which its key was to be looked at,
  // so whoever was woken meanwhile is kept here.
  void Begin(const kube::ObjectKey& key, Duration pace) {
    looks_.insert_or_assign(key, Look{clock_.Elapsed() + pace});
  }
  // Not even what a look asks for comes earlier than the pace allows.
  kube::Requeue End(const kube::ObjectKey& key, kube::Requeue result) const {
    const auto looked = looks_.find(key);
    if (looked == looks_.end()) return result;
    const Duration left =
        std::max(looked->second.next - clock_.Elapsed(), SteadyTime::duration::zero());
    if (looked->second.woken) return kube::Requeue::After(left);
    return result.after() ? kube::Requeue::After(std::max(*result.after(), left)) : result;
  }
  void Forget(const kube::ObjectKey& key) { looks_.erase(key); }

 private:
  struct Look {
    SteadyTime next;     // not before
    bool woken = false;  // since, too early
  };

  Clock& clock_;
  kube::WorkQueue<kube::ObjectKey>& queue_;
  std::unordered_map<kube::ObjectKey, Look> looks_;
};

}  // namespace millwright::controllers::contract
