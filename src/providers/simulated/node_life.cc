#include "providers/simulated/node_life.h"

namespace millwright::providers {
namespace {

// Enough to keep an API server busy, and few enough not to be refused by it.
constexpr std::size_t kAtOnce = 32;

}  // namespace

NodeLife::NodeLife(CloudEngine& engine, NodeJoiner& joiner, Clock& clock, Executor executor)
    : engine_(engine), joiner_(joiner), clock_(clock), changed_(executor), tasks_(executor) {
  engine_.OnChange([this] { changed_.NotifyAll(); });
}

NodeLife::~NodeLife() { engine_.OnChange(nullptr); }

Task<void> NodeLife::Run() {
  Wake why = Wake::kDone;
  while (why != Wake::kCancelled) {
    engine_.Advance();
    while (under_way_ < kAtOnce) {
      auto task = engine_.TakeNodeTask();
      if (!task) break;
      ++under_way_;
      tasks_.Spawn([this, task = std::move(*task)]() mutable { return CarryOut(std::move(task)); });
    }
    why = co_await changed_.WaitUntil(clock_, engine_.NextDue().value_or(kNever));
  }
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> NodeLife::CarryOut(NodeTask task) {
  Result<void> outcome;
  if (task.joins) {
    outcome = co_await joiner_.Join(task.node);
  } else {
    const bool ready = task.sight == NodeSight::kReady;
    outcome = co_await joiner_.SetReady(task.node.name, ready,
                                        ready ? "KubeletReady" : "NodeStatusUnknown");
    // Somebody deleted the node: there is nobody to report on.
    if (!outcome && outcome.error().kind() == ErrorKind::kNotFound) outcome = Ok();
  }
  --under_way_;
  engine_.GiveBackNodeTask(task, outcome.has_value());
  changed_.NotifyAll();
}

}  // namespace millwright::providers
