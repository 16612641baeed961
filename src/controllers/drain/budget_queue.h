// Pods that wait for the leave of a disruption budget: first come, first served.
//
// Without it all whom a budget has refused would ask again together, and all but one of them would
// be refused again.
#pragma once

#include <deque>
#include <unordered_map>
#include <vector>

#include "base/id.h"
#include "kube/api/object_key.h"

namespace millwright::controllers {

class BudgetQueue {
 public:
  struct Waiter {
    Uid machine;
    Uid pod;

    friend bool operator==(const Waiter&, const Waiter&) = default;
  };

  // Who waits already keeps its place.
  void Join(const kube::ObjectKey& budget, Waiter waiter);

  // Those whose turn it is, now that the budget lets so many more of its pods be away. They wait no
  // longer.
  std::vector<Waiter> Take(const kube::ObjectKey& budget, std::size_t leaves);

  // The drain of that machine is over.
  void Leave(const Uid& machine);

  bool empty() const { return queues_.empty(); }

 private:
  std::unordered_map<kube::ObjectKey, std::deque<Waiter>> queues_;
};

}  // namespace millwright::controllers
