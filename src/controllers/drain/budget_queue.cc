#include "controllers/drain/budget_queue.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace millwright::controllers {

void BudgetQueue::Join(const kube::ObjectKey& budget, Waiter waiter) {
  std::deque<Waiter>& queue = queues_[budget];
  if (std::ranges::find(queue, waiter) != queue.end()) return;
  queue.push_back(std::move(waiter));
}

std::vector<BudgetQueue::Waiter> BudgetQueue::Take(const kube::ObjectKey& budget,
                                                   std::size_t leaves) {
  const auto found = queues_.find(budget);
  if (found == queues_.end()) return {};
  std::deque<Waiter>& queue = found->second;
  const auto end =
      queue.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(leaves, queue.size()));
  std::vector<Waiter> taken(std::make_move_iterator(queue.begin()), std::make_move_iterator(end));
  queue.erase(queue.begin(), end);
  if (queue.empty()) queues_.erase(found);
  return taken;
}

void BudgetQueue::Leave(const Uid& machine) {
  for (auto& [budget, queue] : queues_) {
    std::erase_if(queue, [&](const Waiter& waiter) { return waiter.machine == machine; });
  }
  std::erase_if(queues_, [](const auto& entry) { return entry.second.empty(); });
}

}  // namespace millwright::controllers
