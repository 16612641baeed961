// Keeps the status of PodDisruptionBudgets, and evicts pods within it.
#pragma once

#include <set>
#include <string>

#include "apiserver/housekeeping/budget.h"
#include "apiserver/housekeeping/self.h"
#include "apiserver/rest/dispatch.h"
#include "base/log.h"

namespace millwright::apiserver {

class DisruptionController {
 public:
  explicit DisruptionController(const Services& services, Logger log = {})
      : services_(services), log_(log) {}

  // Until it is cancelled.
  Task<void> Run();

 private:
  void Note(const Change& change);
  void MarkNamespace(std::string_view namespace_);
  Task<void> UpdateDirty();
  Task<Result<void>> Update(const std::string& key);
  std::int64_t WishedPods(const std::vector<boost::json::value>& pods,
                          std::string_view namespace_) const;

  const Services& services_;
  Logger log_;
  std::set<std::string> dirty_;  // keys of budgets
};

// POST .../pods/NAME/eviction.
Task<Result<Answer>> EvictPod(const Services& services, const Call& call);

}  // namespace millwright::apiserver
