#include "apiserver/store/channel.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace millwright::apiserver {

Channel::Channel(const Executor& executor, std::string scope, Revision last)
    : scope_(std::move(scope)), known_after_(last), changed_(executor) {}

void Channel::ReachBack(const History& history, Revision after) {
  for (; known_after_ > after; --known_after_) {
    if (Covers(scope_, history.At(known_after_).key())) revisions_.push_front(known_after_);
  }
}

void Channel::Add(Revision revision, Revision compacted) {
  Forget(compacted);
  revisions_.push_back(revision);
}

void Channel::Forget(Revision compacted) {
  while (!revisions_.empty() && revisions_.front() <= compacted) {
    lost_ = revisions_.front();
    revisions_.pop_front();
  }
}

Result<std::optional<Revision>> Channel::Next(Revision seen, Revision compacted) {
  Forget(compacted);
  if (seen < lost_) {
    return Fail(ErrorKind::kExpired,
                fmt::format("the watch is at revision {} and changes up to {} have been compacted: "
                            "list again and watch from there",
                            seen, lost_));
  }
  const auto it = std::ranges::upper_bound(revisions_, seen);
  if (it == revisions_.end()) return std::nullopt;
  return *it;
}

std::shared_ptr<Channel> Channels::Open(const std::string& scope, Revision last) {
  if (channels_.size() >= drop_at_) DropUnused();
  std::weak_ptr<Channel>& slot = channels_[scope];
  if (auto channel = slot.lock()) return channel;
  auto channel = std::make_shared<Channel>(executor_, scope, last);
  slot = channel;
  return channel;
}

void Channels::DropUnused() {
  std::erase_if(channels_, [](const auto& entry) { return entry.second.expired(); });
  drop_at_ = std::max<std::size_t>(64, channels_.size() * 2);
}

void Channels::Add(const Change& change, Revision compacted) {
  if (channels_.empty()) return;
  const std::string_view key = change.key();
  AddTo("", change, compacted);
  for (std::size_t end = key.find('/'); end != key.npos; end = key.find('/', end + 1)) {
    AddTo(key.substr(0, end + 1), change, compacted);
  }
  if (!key.ends_with('/')) AddTo(key, change, compacted);
}

void Channels::AddTo(std::string_view scope, const Change& change, Revision compacted) {
  const auto it = channels_.find(scope);
  if (it == channels_.end()) return;
  auto channel = it->second.lock();
  if (!channel) return;
  channel->Add(change.revision(), compacted);
  touched_.push_back(std::move(channel));
}

void Channels::Wake() {
  // A channel touched twice has nobody left to wake the second time.
  for (const auto& channel : touched_) channel->changed().NotifyAll();
  touched_.clear();
}

}  // namespace millwright::apiserver
