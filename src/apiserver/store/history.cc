#include "apiserver/store/history.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace millwright::apiserver {

namespace {

constexpr std::size_t kTrimFraction = 8;

}  // namespace

const Change& History::At(Revision revision) const {
  assert(revision > compacted_ && revision <= last());
  return entries_[static_cast<std::size_t>(revision - compacted_ - 1)].change;
}

std::size_t History::BytesHeld(const Change& change) {
  if (!change.previous) return 0;
  return sizeof(Record) + change.previous->key.size() + change.previous->value.size();
}

void History::Append(Change change, SteadyTime now) {
  assert(change.revision() == last() + 1);
  bytes_ += BytesHeld(change);
  entries_.push_back({std::move(change), now});
}

Revision History::ChooseTrim(const HistoryLimits& limits, SteadyTime now) const {
  std::size_t surplus = 0;
  std::size_t bytes = bytes_;
  for (const Entry& entry : entries_) {
    const bool too_many = entries_.size() - surplus > limits.max_changes;
    const bool too_large = bytes > limits.max_bytes;
    const bool too_old = now - entry.at > limits.max_age;
    if (!too_many && !too_large && !too_old) break;
    bytes -= BytesHeld(entry.change);
    ++surplus;
  }
  if (surplus * kTrimFraction < entries_.size()) return compacted_;
  return compacted_ + static_cast<Revision>(surplus);
}

std::vector<Revision> History::ObsoleteAfterTrim(Revision revision) const {
  std::vector<Revision> obsolete;
  for (Revision r = compacted_ + 1; r <= std::min(revision, last()); ++r) {
    const Change& change = At(r);
    if (change.previous) obsolete.push_back(change.previous->mod_revision);
    if (change.record->IsTombstone()) obsolete.push_back(r);
  }
  return obsolete;
}

void History::Trim(Revision revision) {
  while (compacted_ < revision && !entries_.empty()) {
    bytes_ -= BytesHeld(entries_.front().change);
    entries_.pop_front();
    ++compacted_;
  }
}

}  // namespace millwright::apiserver
