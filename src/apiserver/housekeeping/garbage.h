// Removes what nobody owns any more: objects whose owners are all gone.
#pragma once

#include <map>
#include <string>

#include "apiserver/housekeeping/owner_graph.h"
#include "apiserver/housekeeping/self.h"
#include "base/log.h"

namespace millwright::apiserver {

// Also does the two other ways to go: an owner that waits for its dependents (foregroundDeletion)
// and one that leaves them alone (orphan).
class GarbageCollector {
 public:
  explicit GarbageCollector(const Services& services, Logger log = {})
      : services_(services), log_(log) {}

  // Until it is cancelled.
  Task<void> Run();

 private:
  Task<Result<void>> LookAtAll(Revision& seen);
  Task<void> Follow(Watcher watcher);
  Task<Result<void>> Consider(const Change& change);
  Task<Result<void>> ConsiderPresent(const RecordPtr& record, bool owners_changed);

  // Whether an owner is there.
  enum class State { kThere, kWaiting, kGone, kUnknown };
  State StateOf(const Owner& owner, std::string_view namespace_) const;

  // Deletes an object whose owners are gone or wait for it, or takes those off its list.
  Task<Result<void>> TendDependent(std::string key);
  Task<Result<void>> TendWaitingOwner(std::string key);
  Task<Result<void>> TendOrphaner(std::string key, std::string uid);

  Task<Result<void>> Remove(const std::string& key);
  Task<Result<void>> DropOwners(const std::string& key, std::vector<std::string> uids);
  Task<Result<void>> DropFinalizer(const std::string& key, std::string_view finalizer);

  const Services& services_;
  Logger log_;
  OwnerGraph graph_;
  std::map<std::string, std::string> waiting_;  // owners in foreground deletion: UID to key
};

}  // namespace millwright::apiserver
