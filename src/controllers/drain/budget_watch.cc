#include "controllers/drain/budget_watch.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace millwright::controllers {

namespace {

const kube::GroupVersionResource kBudgets{"policy", "v1", "poddisruptionbudgets"};

// Once: who is refused is told so in any case; which budget it was is worth no more.
constexpr Duration kPatience = std::chrono::seconds(5);

}  // namespace

BudgetWatch::BudgetWatch(const DrainParts& parts, std::function<void(const Waiter&)> released)
    : clock_(parts.clock),
      released_(std::move(released)),
      cache_(std::make_shared<BudgetCache>(
          parts, kube::ReflectorOptions{.resource = kBudgets}, ReadBudget,
          BudgetCache::Listeners{
              .changed = [this](const BudgetRecord* before,
                                const BudgetRecord* after) { Saw(before, after); },
              .synced = {}})) {}

Task<void> BudgetWatch::Run(std::shared_ptr<BudgetWatch> self) {
  co_await BudgetCache::Run(self->cache_);
}

Task<Refusal> BudgetWatch::Explain(Uid machine, kube::Meta pod, kube::Labels labels,
                                   std::string said) {
  const Duration patience = patient_ ? kPatience : Duration::zero();
  if (co_await cache_->WaitSynced(clock_.Elapsed() + patience) != Wake::kDone) {
    patient_ = false;
    co_return Refusal{.why = std::move(said), .budget = {}};
  }
  std::vector<const BudgetRecord*> budgets;
  for (const BudgetRecord& budget : cache_->store().objects()) {
    if (budget.meta.key.namespace_ == pod.key.namespace_) budgets.push_back(&budget);
  }
  std::ranges::sort(budgets, {}, [](const BudgetRecord* budget) { return budget->meta.key.name; });
  Refusal refusal = ExplainRefusal(budgets, labels, std::move(said));
  if (refusal.budget) queue_.Join(*refusal.budget, {std::move(machine), pod.uid});
  co_return refusal;
}

// A budget that is gone holds nobody back.
void BudgetWatch::Saw(const BudgetRecord* before, const BudgetRecord* after) {
  const int allowed = before == nullptr ? 0 : before->numbers.allowed;
  if (after == nullptr) {
    Release(before->meta.key, std::numeric_limits<std::size_t>::max());
  } else if (after->numbers.allowed > allowed) {
    Release(after->meta.key, static_cast<std::size_t>(after->numbers.allowed - allowed));
  }
}

void BudgetWatch::Release(const kube::ObjectKey& budget, std::size_t leaves) {
  for (const Waiter& waiter : queue_.Take(budget, leaves)) released_(waiter);
}

}  // namespace millwright::controllers
