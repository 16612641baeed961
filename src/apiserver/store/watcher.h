// Follows the changes of a scope, in revision order, without a gap or a repeat.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "apiserver/store/channel.h"
#include "apiserver/store/history.h"

namespace millwright::apiserver {

// A place in the history; costs a few words, however far it is behind. Must not be used after its
// store is gone.
class Watcher {
 public:
  Watcher(const History& history, std::shared_ptr<Channel> channel, Revision seen)
      : history_(&history), channel_(std::move(channel)), seen_(seen) {}

  // The next change, none when all are read. Fails with kExpired if it fell so far behind that the
  // history no longer has what comes next; it then stays so.
  Result<std::optional<Change>> TryNext();

  // Waits until TryNext has an answer other than none (kDone), or until the deadline (kTimeout).
  Task<Wake> Wait();
  Task<Wake> WaitUntil(Clock& clock, SteadyTime deadline);

  // Both in one; kCancelled if the calling task is.
  Task<Result<Change>> Next();

  // Every change of the scope up to here has been read: what a bookmark may say. Moves with the
  // changes of other scopes whenever TryNext finds nothing.
  Revision revision() const { return seen_; }

 private:
  bool HasReadAll() const;

  const History* history_;
  std::shared_ptr<Channel> channel_;
  Revision seen_;
};

}  // namespace millwright::apiserver
