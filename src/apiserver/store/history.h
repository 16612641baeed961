// The recent past: every change since some revision, without a gap.
//
// Lists at an older revision and watches that resume are answered from here. What has been trimmed
// off ("compacted") can no longer be asked for.
#pragma once

#include <deque>
#include <vector>

#include "apiserver/store/record.h"
#include "base/time.h"

namespace millwright::apiserver {

// How much of the past is kept. Trimming happens along with writes and waits until an eighth of the
// history can go, so that its cost is spread: up to that much more may be there.
struct HistoryLimits {
  std::size_t max_changes = 100'000;
  // Of versions that only the history still needs.
  std::size_t max_bytes = std::size_t{32} << 20U;
  // kube-apiserver compacts etcd every five minutes, so clients may count on five to ten.
  Duration max_age = std::chrono::minutes(10);
};

class History {
 public:
  // Nothing is known of what happened up to that revision.
  explicit History(Revision compacted) : compacted_(compacted) {}

  // The past can be told for every revision from this one on.
  Revision compacted() const { return compacted_; }
  // The revision of the newest change.
  Revision last() const { return compacted_ + static_cast<Revision>(entries_.size()); }

  // For compacted() < revision <= last().
  const Change& At(Revision revision) const;

  // The change must have the revision after last().
  void Append(Change change, SteadyTime now);

  // The revision up to which the limits ask for a trim; compacted() if there is nothing to do yet.
  Revision ChooseTrim(const HistoryLimits& limits, SteadyTime now) const;

  // Revisions of the versions that nobody needs after a trim up to that revision: overwritten ones
  // and tombstones.
  std::vector<Revision> ObsoleteAfterTrim(Revision revision) const;

  void Trim(Revision revision);

  std::size_t size() const { return entries_.size(); }
  std::size_t bytes() const { return bytes_; }

 private:
  struct Entry {
    Change change;
    SteadyTime at;
  };

  static std::size_t BytesHeld(const Change& change);

  std::deque<Entry> entries_;
  Revision compacted_;
  std::size_t bytes_ = 0;
};

}  // namespace millwright::apiserver
