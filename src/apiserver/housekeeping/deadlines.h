// Things to look at later, each at its own time.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"

namespace millwright::apiserver {

class Deadlines {
 public:
  // In place of an earlier wish for the same key.
  void Set(const std::string& key, SteadyTime at) {
    Erase(key);
    times_.emplace(key, at);
    order_.emplace(at, key);
  }

  void Erase(std::string_view key) {
    const auto found = times_.find(key);
    if (found == times_.end()) return;
    order_.erase({found->second, found->first});
    times_.erase(found);
  }

  // kNever if there are none.
  SteadyTime Next() const { return order_.empty() ? kNever : order_.begin()->first; }

  // The earliest whose time has come, which is then forgotten.
  std::optional<std::string> TakeDue(SteadyTime now) {
    if (Next() > now || order_.empty()) return std::nullopt;
    std::string key = order_.begin()->second;
    Erase(key);
    return key;
  }

  bool Contains(std::string_view key) const { return times_.contains(key); }
  std::size_t size() const { return times_.size(); }

 private:
  std::map<std::string, SteadyTime, std::less<>> times_;
  std::set<std::pair<SteadyTime, std::string>> order_;
};

}  // namespace millwright::apiserver
