// What /readyz and its like look at.
#pragma once

#include <vector>

#include "apiserver/discovery/health.h"
#include "apiserver/store/store.h"

namespace millwright::apiserver {

// Whether writes get through, by what became of the last ones. Asked again and again.
class StoreHealth {
 public:
  Result<void> Judge(const StoreStats& stats);

 private:
  std::uint64_t commits_ = 0;
  std::uint64_t failed_ = 0;
  bool broken_ = false;
};

// Both outlive the checks.
std::vector<HealthCheck> MakeHealthChecks(const std::unique_ptr<Store>& store, const bool& started);

}  // namespace millwright::apiserver
