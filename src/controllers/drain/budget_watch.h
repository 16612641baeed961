// The disruption budgets of a cluster, watched while somebody waits for the leave of one.
#pragma once

#include <functional>
#include <memory>

#include "controllers/drain/budget_queue.h"
#include "controllers/drain/parts.h"
#include "controllers/drain/refusal.h"
#include "controllers/drain/temporary_cache.h"

namespace millwright::controllers {

class BudgetWatch {
 public:
  using Waiter = BudgetQueue::Waiter;

  // `released` is told whose turn it is. The parts' client must not be null.
  BudgetWatch(const DrainParts& parts, std::function<void(const Waiter&)> released);

  // Until stopped or cancelled. The task keeps the watch alive: whoever stops it need not wait.
  static Task<void> Run(std::shared_ptr<BudgetWatch> self);

  // Nobody is told anything after it.
  void Stop() { cache_->Stop(); }

  // Which budget refused a machine's pod; from now on the pod waits for its leave. `said` is what
  // the server said. It waits a little for the budgets, if they have not come yet.
  Task<Refusal> Explain(Uid machine, kube::Meta pod, kube::Labels labels, std::string said);

  // The drain of that machine is over.
  void Leave(const Uid& machine) { queue_.Leave(machine); }

  bool IsIdle() const { return queue_.empty(); }

 private:
  using BudgetCache = TemporaryCache<BudgetRecord>;

  void Saw(const BudgetRecord* before, const BudgetRecord* after);
  void Release(const kube::ObjectKey& budget, std::size_t leaves);

  Clock& clock_;
  const std::function<void(const Waiter&)> released_;
  BudgetQueue queue_;
  std::shared_ptr<BudgetCache> cache_;
  bool patient_ = true;
};

}  // namespace millwright::controllers
