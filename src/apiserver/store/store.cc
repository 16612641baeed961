#include "apiserver/store/store.h"

#include <fmt/format.h>
#include <boost/asio/post.hpp>

#include <algorithm>
#include <utility>

namespace millwright::apiserver {

namespace {

// Bounds how long the writers of one commit wait for each other.
constexpr std::size_t kMaxRoundWrites = 1024;
constexpr std::size_t kMaxRoundBytes = std::size_t{4} << 20U;

}  // namespace

struct Store::Pending {
  std::optional<WriteRequest> write;  // none: a compaction
  Revision compact = 0;
  Result<Change> outcome = Change{};
  WaitTable* table = nullptr;
  WaitId wait = 0;
};

struct Store::Round {
  std::vector<std::shared_ptr<Pending>> members;
  std::vector<Change> changes;
  std::shared_ptr<const Batch> batch;
};

Result<std::unique_ptr<Store>> Store::Open(Executor executor, Clock& clock, Disk& disk,
                                           HistoryLimits limits) {
  TRY(DiskImage image, disk.Load());
  TRY(Restored restored, Restore(image, clock.Elapsed()));
  return std::make_unique<Store>(std::move(executor), clock, disk, limits,
                                 std::move(image.cluster_id), std::move(restored));
}

Store::Store(Executor executor, Clock& clock, Disk& disk, HistoryLimits limits,
             std::string cluster_id, Restored restored)
    : clock_(clock),
      disk_(disk),
      limits_(limits),
      cluster_id_(std::move(cluster_id)),
      objects_(std::move(restored.objects)),
      history_(std::move(restored.history)),
      channels_(executor),
      tasks_(std::move(executor)) {}

StoreStats Store::stats() const {
  return {.objects = objects_.size(),
          .history = history_.size(),
          .history_bytes = history_.bytes(),
          .channels = channels_.size(),
          .commits = commits_,
          .failed_commits = failed_commits_};
}

Result<Page> Store::List(const ListQuery& query) const {
  return ListObjects(objects_, history_, query);
}

Result<Watcher> Store::Watch(const std::string& scope, Revision after) {
  if (after < compacted()) {
    return Fail(ErrorKind::kExpired,
                fmt::format("revision {} has been compacted, the oldest is {}: list again and "
                            "watch from there",
                            after, compacted()));
  }
  if (after > revision()) {
    return Fail(ErrorKind::kExpired,
                fmt::format("revision {} is not of this store, whose newest is {}: list again and "
                            "watch from there",
                            after, revision()));
  }
  auto channel = channels_.Open(scope, revision());
  channel->ReachBack(history_, after);
  return Watcher(history_, std::move(channel), after);
}

Task<Result<Change>> Store::Create(std::string key, ValueBuilder build) {
  auto pending = std::make_shared<Pending>();
  pending->write = WriteRequest{
      .kind = WriteRequest::Kind::kCreate, .key = std::move(key), .build = std::move(build)};
  return Submit(std::move(pending));
}

Task<Result<Change>> Store::Update(std::string key, std::optional<Revision> expected,
                                   ValueBuilder build) {
  auto pending = std::make_shared<Pending>();
  pending->write = WriteRequest{.kind = WriteRequest::Kind::kUpdate,
                                .key = std::move(key),
                                .expected = expected,
                                .build = std::move(build)};
  return Submit(std::move(pending));
}

Task<Result<Change>> Store::Delete(std::string key, std::optional<Revision> expected) {
  auto pending = std::make_shared<Pending>();
  pending->write = WriteRequest{
      .kind = WriteRequest::Kind::kDelete, .key = std::move(key), .expected = expected};
  return Submit(std::move(pending));
}

Task<Result<void>> Store::Compact(Revision revision) {
  if (revision > history_.last()) {
    co_return Fail(ErrorKind::kInvalid,
                   fmt::format("revision {} has not been reached, the newest is {}", revision,
                               history_.last()));
  }
  auto pending = std::make_shared<Pending>();
  pending->compact = revision;
  CO_CHECK(co_await Submit(std::move(pending)));
  co_return Ok();
}

Task<Result<Change>> Store::Submit(std::shared_ptr<Pending> pending) {
  if (closed_) co_return Fail(ErrorKind::kUnavailable, "the store is shutting down");
  co_await SuspendThrough([this, pending](WaitTable& table, WaitId wait) {
    pending->table = &table;
    pending->wait = wait;
    queue_.push_back(pending);
    if (!std::exchange(committing_, true)) tasks_.Spawn([this] { return CommitQueue(); });
  });
  co_return std::move(pending->outcome);
}

Task<void> Store::CommitQueue() {
  // In a later turn, so that whoever is about to write now shares the first commit.
  co_await boost::asio::post(boost::asio::use_awaitable);
  while (!queue_.empty()) {
    const Round round = TakeRound();
    Result<void> committed = Ok();
    if (!round.batch->empty()) {
      committed = co_await disk_.Commit(round.batch);
      ++(committed ? commits_ : failed_commits_);
    }
    if (committed) Publish(round);
    Answer(round, committed);
  }
  committing_ = false;
}

Store::Round Store::TakeRound() {
  Round round;
  Staging staging(objects_, history_.last());
  Revision compact = 0;
  while (!queue_.empty() && round.members.size() < kMaxRoundWrites &&
         staging.bytes() < kMaxRoundBytes) {
    const std::shared_ptr<Pending> pending = std::move(queue_.front());
    queue_.pop_front();
    if (pending->write) {
      pending->outcome = staging.Stage(*std::move(pending->write));
    } else {
      compact = std::max(compact, pending->compact);
    }
    round.members.push_back(pending);
  }

  auto batch = std::make_shared<Batch>();
  for (const Change& change : staging.changes()) batch->rows.push_back(change.record);
  // Trimming goes along with writes: it needs no commit and no timer of its own.
  if (!batch->empty()) compact = std::max(compact, history_.ChooseTrim(limits_, clock_.Elapsed()));
  if (compact > history_.compacted()) {
    batch->compacted = compact;
    batch->obsolete = history_.ObsoleteAfterTrim(compact);
  }
  round.batch = std::move(batch);
  round.changes = staging.changes();
  return round;
}

void Store::Publish(const Round& round) {
  history_.Trim(round.batch->compacted);
  const SteadyTime now = clock_.Elapsed();
  for (const Change& change : round.changes) {
    objects_.Apply(change.record);
    history_.Append(change, now);
    channels_.Add(change, history_.compacted());
  }
  channels_.Wake();
}

void Store::Answer(const Round& round, const Result<void>& committed) {
  for (const std::shared_ptr<Pending>& pending : round.members) {
    // Also those that were refused: perhaps because of a write that is now not there.
    if (!committed) pending->outcome = Failure(committed.error());
    pending->table->Complete(pending->wait, Wake::kDone);
  }
}

Task<void> Store::Close() {
  closed_ = true;
  co_await tasks_.Join();
}

}  // namespace millwright::apiserver
