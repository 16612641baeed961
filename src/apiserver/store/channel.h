// Which changes a scope's watchers have to see, and who is to be woken by a change.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "apiserver/store/history.h"
#include "apiserver/store/record.h"
#include "base/result.h"
#include "base/signal.h"

namespace millwright::apiserver {

// The changes of one scope by their revisions; shared by all watchers of that scope. The changes
// themselves stay in the history, and what leaves it is lost to a watcher that has not read it.
class Channel {
 public:
  // Knows the changes after `last`.
  Channel(const Executor& executor, std::string scope, Revision last);

  // Learns those after an older revision, which the history must still have.
  void ReachBack(const History& history, Revision after);

  // The scope's newest change.
  void Add(Revision revision, Revision compacted);

  // The first change after `seen`, none if there is none yet; kExpired if one has been lost.
  Result<std::optional<Revision>> Next(Revision seen, Revision compacted);

  Signal& changed() { return changed_; }

 private:
  void Forget(Revision compacted);

  const std::string scope_;
  std::deque<Revision> revisions_;
  Revision known_after_;
  Revision lost_ = 0;  // the newest change that left the history
  Signal changed_;
};

// The channels that somebody watches. An event finds its own by the parts of its key, so that a
// change of one resource costs the watchers of another nothing.
class Channels {
 public:
  explicit Channels(Executor executor) : executor_(std::move(executor)) {}

  // The channel of that scope, which lives as long as somebody keeps it.
  std::shared_ptr<Channel> Open(const std::string& scope, Revision last);

  // Tells every channel that covers the change; Wake() then wakes those who wait, once each.
  void Add(const Change& change, Revision compacted);
  void Wake();

  std::size_t size() const { return channels_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };

  void AddTo(std::string_view scope, const Change& change, Revision compacted);
  void DropUnused();

  const Executor executor_;
  // Weak, because watchers may go at any time, even after the store when a process crashes.
  std::unordered_map<std::string, std::weak_ptr<Channel>, Hash, std::equal_to<>> channels_;
  std::vector<std::shared_ptr<Channel>> touched_;
  std::size_t drop_at_ = 64;  // doubles with the number of channels: dropping costs little per Open
};

}  // namespace millwright::apiserver
