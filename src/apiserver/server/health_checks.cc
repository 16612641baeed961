#include "apiserver/server/health_checks.h"

#include <memory>

namespace millwright::apiserver {

Result<void> StoreHealth::Judge(const StoreStats& stats) {
  // Of both kinds since the last look, we cannot tell which came last: then it is not broken yet.
  if (stats.failed_commits > failed_) broken_ = true;
  if (stats.commits > commits_) broken_ = false;
  failed_ = stats.failed_commits;
  commits_ = stats.commits;
  if (!broken_) return Ok();
  return Fail(ErrorKind::kUnavailable, "the store could not write to its disk");
}

std::vector<HealthCheck> MakeHealthChecks(const std::unique_ptr<Store>& store,
                                          const bool& started) {
  auto health = std::make_shared<StoreHealth>();
  return {
      // A full disk is no reason to restart: it would stay full.
      {.name = "store",
       .check = [health, &store] { return health->Judge(store->stats()); },
       .only_ready = true},
      {.name = "started",
       .check = [&started]() -> Result<void> {
         if (started) return Ok();
         return Fail(ErrorKind::kUnavailable, "the server is starting, or stopping");
       },
       .only_ready = true},
  };
}

}  // namespace millwright::apiserver
