// The store under the embedded API server: keys and texts with revisions, in the manner of etcd.
//
// Writes are committed in groups. While one commit is under way, new writes queue; when it is
// durable, its writes become visible to reads and watches, all at once and in revision order, and
// their callers are answered; then the queue is judged against the state that is now the newest and
// committed in turn. So nobody reads what could still be lost, and a write that was refused was
// refused because of something that can be read. If a commit fails, its writes fail and all is as
// before.
//
// One thread: everything here is called on the executor. Only the disk may have a thread of its
// own.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/store/channel.h"
#include "apiserver/store/disk.h"
#include "apiserver/store/history.h"
#include "apiserver/store/list.h"
#include "apiserver/store/objects.h"
#include "apiserver/store/record.h"
#include "apiserver/store/restore.h"
#include "apiserver/store/staging.h"
#include "apiserver/store/watcher.h"
#include "base/clock.h"
#include "base/task_group.h"

namespace millwright::apiserver {

struct StoreStats {
  std::size_t objects = 0;
  std::size_t history = 0;        // changes kept
  std::size_t history_bytes = 0;  // of versions that only the history needs
  std::size_t channels = 0;       // distinct scopes that were watched lately
  std::uint64_t commits = 0;
  std::uint64_t failed_commits = 0;
};

class Store {
 public:
  // Loads what the disk has; blocks meanwhile. The clock and the disk must outlive the store.
  static Result<std::unique_ptr<Store>> Open(Executor executor, Clock& clock, Disk& disk,
                                             HistoryLimits limits = {});

  // Use Open.
  Store(Executor executor, Clock& clock, Disk& disk, HistoryLimits limits, std::string cluster_id,
        Restored restored);

  // Of the newest write that can be read. Never goes back, not even over a crash.
  Revision revision() const { return history_.last(); }
  // The oldest revision that can still be listed and watched from.
  Revision compacted() const { return history_.compacted(); }
  const std::string& cluster_id() const { return cluster_id_; }
  StoreStats stats() const;

  // Null if there is no such object.
  RecordPtr Get(std::string_view key) const { return objects_.Find(key); }

  // See ListObjects.
  Result<Page> List(const ListQuery& query) const;

  // The changes of a scope after that revision, past and future. Fails with kExpired if the history
  // does not reach back that far, and if the revision is yet to come: then the client has seen
  // another store's future (a backup was restored), and must list again too.
  Result<Watcher> Watch(const std::string& scope, Revision after);

  // Writes. They return once the write is durable, and cannot be cancelled half-way. Besides the
  // kinds of Staging::Stage they fail with kUnavailable when the disk does: nothing was written.
  Task<Result<Change>> Create(std::string key, ValueBuilder build);
  Task<Result<Change>> Update(std::string key, std::optional<Revision> expected,
                              ValueBuilder build);
  Task<Result<Change>> Delete(std::string key, std::optional<Revision> expected);

  // Forgets the past up to that revision, whatever the limits say.
  Task<Result<void>> Compact(Revision revision);

  Task<Result<void>> Backup(std::string path) { return disk_.Backup(std::move(path)); }

  // Takes no more writes and waits for those under way. To be awaited before the store goes.
  Task<void> Close();

 private:
  // A caller who waits for an answer. A write, or a compaction.
  struct Pending;
  using Queue = std::deque<std::shared_ptr<Pending>>;
  // What is committed together, and who waits for it.
  struct Round;

  Task<Result<Change>> Submit(std::shared_ptr<Pending> pending);
  Task<void> CommitQueue();
  Round TakeRound();
  void Publish(const Round& round);
  static void Answer(const Round& round, const Result<void>& committed);

  // Fixed after construction.
  Clock& clock_;
  Disk& disk_;
  const HistoryLimits limits_;
  const std::string cluster_id_;

  // What is durable.
  Objects objects_;
  History history_;

  // State.
  Channels channels_;
  Queue queue_;
  bool committing_ = false;
  bool closed_ = false;
  std::uint64_t commits_ = 0;
  std::uint64_t failed_commits_ = 0;

  TaskGroup tasks_;
};

}  // namespace millwright::apiserver
