// What a PodDisruptionBudget allows, given the pods it is about. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "base/time.h"

namespace millwright::apiserver {

// What a budget needs to know of a pod.
struct BudgetPod {
  std::string name;
  bool ready = false;
  bool ending = false;
};

struct BudgetStatus {
  std::int64_t expected = 0;
  std::int64_t healthy = 0;
  std::int64_t desired = 0;
  std::int64_t allowed = 0;
  // Evicted, but not seen to end yet: they count as gone already.
  std::map<std::string, WallTime> disrupted;

  friend bool operator==(const BudgetStatus&, const BudgetStatus&) = default;
};

// An eviction that has not led to a deletion for so long never will.
inline constexpr Duration kDisruptionTimeout = std::chrono::minutes(2);

// `spec` is that of the budget. `wished` is how many pods their controllers want, where that
// counts: for maxUnavailable and for percentages.
BudgetStatus ComputeBudget(const boost::json::value& spec, const std::vector<BudgetPod>& pods,
                           std::int64_t wished, const std::map<std::string, WallTime>& disrupted,
                           WallTime now);

bool CountsWished(const boost::json::value& spec);

bool IsPodReady(const boost::json::value& pod);

}  // namespace millwright::apiserver
