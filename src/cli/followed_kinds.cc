#include "cli/followed_kinds.h"

namespace millwright::cli {

FollowedKinds::FollowedKinds(Process process)
    : process_(process), signal_(process.executor), tasks_(process.executor) {}

void FollowedKinds::Changed() {
  changed_ = true;
  signal_.NotifyAll();
}

Task<void> FollowedKinds::Run() {
  for (const Kind& kind : kinds_) tasks_.Spawn(kind.run);
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<Wake> FollowedKinds::WaitSynced() {
  for (const Kind& kind : kinds_) {
    if (co_await kind.wait_synced() == Wake::kCancelled) co_return Wake::kCancelled;
  }
  co_return Wake::kDone;
}

Task<Wake> FollowedKinds::WaitChanged(SteadyTime deadline) {
  while (!changed_) {
    const Wake why = co_await signal_.WaitUntil(process_.clock, deadline);
    if (why != Wake::kDone) co_return why;
  }
  changed_ = false;
  co_return Wake::kDone;
}

}  // namespace millwright::cli
