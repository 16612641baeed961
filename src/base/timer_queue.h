// Deadlines in order, each removable by its number: what both clocks are made of.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/clock.h"

namespace millwright {

template <class Payload>
class TimerQueue {
 public:
  TimerId Add(SteadyTime deadline, Payload payload) {
    const TimerId timer = next_++;
    timers_.emplace(Key(deadline, timer), std::move(payload));
    deadlines_.emplace(timer, deadline);
    return timer;
  }

  void Remove(TimerId timer) {
    const auto it = deadlines_.find(timer);
    if (it == deadlines_.end()) return;
    timers_.erase(Key(it->second, timer));
    deadlines_.erase(it);
  }

  std::optional<SteadyTime> Next() const {
    if (timers_.empty()) return std::nullopt;
    return timers_.begin()->first.first;
  }

  // The earliest timer that is due, removed; among equals the one that was added first.
  std::optional<Payload> PopDue(SteadyTime now) {
    if (timers_.empty() || timers_.begin()->first.first > now) return std::nullopt;
    auto node = timers_.extract(timers_.begin());
    deadlines_.erase(node.key().second);
    return std::move(node.mapped());
  }

 private:
  using Key = std::pair<SteadyTime, TimerId>;

  std::map<Key, Payload> timers_;
  std::unordered_map<TimerId, SteadyTime> deadlines_;
  TimerId next_ = 1;
};

}  // namespace millwright
