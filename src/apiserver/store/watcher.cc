#include "apiserver/store/watcher.h"

namespace millwright::apiserver {

Result<std::optional<Change>> Watcher::TryNext() {
  TRY(const std::optional<Revision> next, channel_->Next(seen_, history_->compacted()));
  if (!next) {
    seen_ = history_->last();
    return std::nullopt;
  }
  seen_ = *next;
  return history_->At(*next);
}

bool Watcher::HasReadAll() const {
  const auto next = channel_->Next(seen_, history_->compacted());
  return next && !*next;
}

Task<Wake> Watcher::WaitUntil(Clock& clock, SteadyTime deadline) {
  if (!HasReadAll()) co_return Wake::kDone;
  const std::shared_ptr<Channel> channel = channel_;
  co_return co_await channel->changed().WaitUntil(clock, deadline);
}

Task<Wake> Watcher::Wait() {
  if (!HasReadAll()) co_return Wake::kDone;
  const std::shared_ptr<Channel> channel = channel_;
  co_return co_await channel->changed().Wait();
}

Task<Result<Change>> Watcher::Next() {
  while (true) {
    CO_TRY(std::optional<Change> change, TryNext());
    if (change) co_return *std::move(change);
    const Wake why = co_await Wait();
    if (why == Wake::kCancelled) co_return Fail(ErrorKind::kCancelled, "the watch was stopped");
  }
}

}  // namespace millwright::apiserver
