#include "controllers/supply/supply.h"

namespace millwright::controllers::supply {

Task<void> Supply::RunLoops() {
  if (co_await seen_.served.WaitSynced() == Wake::kCancelled) co_return;
  if (co_await seen_.WaitSynced() == Wake::kCancelled) co_return;
  tasks_.Spawn([this] { return cluster_parts_.Run(); });
  tasks_.Spawn([this] { return bootstraps_.Run(); });
  tasks_.Spawn([this] { return instances_.Run(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

}  // namespace millwright::controllers::supply
