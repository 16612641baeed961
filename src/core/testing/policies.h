// The policies of the systems we replace, for tests in core/. The dialects own the real ones;
// theirs are checked against these.
#pragma once

#include "core/replicas/plan.h"

namespace millwright::core::testing {

inline ReplicaPolicy GardenerReplicas() {
  using enum VictimKey;
  return {.counts_deleting = false,
          .replaces_failed = true,
          .burst = 100,
          .victims = {kUnpreserved, kAutoPreserved, kPreserveExpiry, kPriority, kMarkedTime, kPhase,
                      kOlder, kName}};
}

inline ReplicaPolicy ClusterApiReplicas(std::optional<VictimKey> by_age = std::nullopt) {
  using enum VictimKey;
  VictimOrder order{kDeleting, kChosen, kUpdating, kUnhealthy};
  if (by_age) order.push_back(*by_age);
  order.push_back(kName);
  return {.counts_deleting = true, .victims = std::move(order)};
}

}  // namespace millwright::core::testing
