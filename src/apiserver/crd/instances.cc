#include "apiserver/crd/instances.h"

#include <boost/json.hpp>

#include "apiserver/crd/definition.h"
#include "apiserver/rest/change.h"
#include "apiserver/rest/object_text.h"
#include "apiserver/rest/remove.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

Task<Result<Change>> RemoveOne(Store& store, const Resource& resource, RecordPtr record,
                               WallTime now) {
  json::value marked = MarkForRemoval(resource, json::parse(record->value), {}, now);
  if (IsReadyToGo(marked)) co_return co_await store.Delete(record->key, record->mod_revision);
  co_return co_await store.Update(record->key, record->mod_revision,
                                  VersionedText(std::move(marked)));
}

bool IsSomebodyFaster(const Error& error) {
  return error.kind() == ErrorKind::kConflict || error.kind() == ErrorKind::kNotFound;
}

}  // namespace

bool HasInstances(const Store& store, const Resource& resource) {
  const auto page = store.List({.scope = StorageRoot(resource), .limit = 1});
  return page && !page->records.empty();
}

Task<Result<void>> RemoveInstances(Store& store, const Resource& resource, Clock& clock) {
  bool again = true;
  while (again) {
    again = false;
    CO_TRY(const Page page, store.List({.scope = StorageRoot(resource)}));
    for (const RecordPtr& record : page.records) {
      if (IsEnding(json::parse(record->value))) continue;
      const auto removed = co_await RemoveOne(store, resource, record, clock.Now());
      if (removed) continue;
      if (!IsSomebodyFaster(removed.error())) co_return Failure(removed.error());
      again = true;
    }
  }
  co_return Ok();
}

Task<Wake> UntilNoInstances(Store& store, const Resource& resource, Clock& clock,
                            SteadyTime deadline) {
  while (HasInstances(store, resource)) {
    auto watcher = store.Watch(StorageRoot(resource), store.revision());
    if (!watcher) continue;  // cannot be: that revision is the newest
    const Wake why = co_await watcher->WaitUntil(clock, deadline);
    if (why != Wake::kDone) co_return why;
  }
  co_return Wake::kDone;
}

}  // namespace millwright::apiserver
