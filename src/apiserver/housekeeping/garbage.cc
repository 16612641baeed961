#include "apiserver/housekeeping/garbage.h"

#include <algorithm>

#include <boost/json.hpp>

#include "apiserver/rest/prepare.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kController = "millwright-garbage-collector";

bool HasFinalizer(const json::value& object, std::string_view name) {
  const json::array* finalizers = kube::GetArray(object, "metadata.finalizers");
  return finalizers != nullptr &&
         std::ranges::find(*finalizers, json::value(name)) != finalizers->end();
}

bool IsEnding(const json::value& object) {
  return !kube::GetString(object, "metadata.deletionTimestamp").empty();
}

// Of any version of the group: a reference may name one that is served no more.
ResourcePtr FindKind(const Registry& registry, const Owner& owner) {
  const auto kind = kube::ParseGroupVersionKind(owner.api_version, owner.kind);
  if (!kind) return nullptr;
  const Registry::Group* group = registry.FindGroup(kind->group);
  if (group == nullptr) return nullptr;
  for (const Registry::Version& version : group->versions) {
    const auto found = registry.FindKind({kind->group, version.name, kind->kind});
    if (found) return found;
  }
  return nullptr;
}

}  // namespace

Task<void> GarbageCollector::Run() {
  while (true) {
    Revision seen = 0;
    const auto looked = co_await LookAtAll(seen);
    auto watcher = services_.store.Watch("", seen);
    if (looked && watcher) co_await Follow(*std::move(watcher));
    if (co_await IsCancelled()) co_return;
  }
}

Task<Result<void>> GarbageCollector::LookAtAll(Revision& seen) {
  graph_ = {};
  waiting_.clear();
  CO_TRY(const Page page, services_.store.List({.scope = ""}));
  seen = page.revision;
  for (const RecordPtr& record : page.records) graph_.Set(record->key, OwnersOf(record->value));
  for (const RecordPtr& record : page.records) {
    (void)co_await ConsiderPresent(record, !graph_.OwnersAt(record->key).empty());
  }
  co_return Ok();
}

Task<void> GarbageCollector::Follow(Watcher watcher) {
  while (true) {
    const auto change = co_await watcher.Next();
    if (!change) co_return;
    const auto done = co_await Consider(*change);
    if (!done && done.error().kind() != ErrorKind::kCancelled) {
      log_.Warning("garbage could not be collected",
                   {{"object", change->key()}, {"error", done.error().message()}});
    }
  }
}

Task<Result<void>> GarbageCollector::Consider(const Change& change) {
  if (change.kind() != ChangeKind::kDelete) {
    const bool changed = graph_.Set(change.key(), OwnersOf(change.record->value));
    co_return co_await ConsiderPresent(change.record, changed);
  }
  const std::vector<Owner> owners = graph_.OwnersAt(change.key());
  graph_.Forget(change.key());
  const json::value last = json::parse(change.previous->value);
  const std::string uid(kube::GetString(last, "metadata.uid"));
  waiting_.erase(uid);
  for (const std::string& dependent : graph_.Dependents(uid)) {
    CO_CHECK(co_await TendDependent(dependent));
  }
  for (const Owner& owner : owners) {
    const auto waits = waiting_.find(owner.uid);
    if (waits != waiting_.end()) CO_CHECK(co_await TendWaitingOwner(waits->second));
  }
  co_return Ok();
}

Task<Result<void>> GarbageCollector::ConsiderPresent(const RecordPtr& record, bool owners_changed) {
  if (owners_changed) CO_CHECK(co_await TendDependent(record->key));
  if (!record->value.contains("\"deletionTimestamp\"")) co_return Ok();
  const json::value object = json::parse(record->value);
  if (!IsEnding(object)) co_return Ok();
  const std::string uid(kube::GetString(object, "metadata.uid"));
  if (HasFinalizer(object, "orphan")) {
    CO_CHECK(co_await TendOrphaner(record->key, uid));
  } else if (HasFinalizer(object, "foregroundDeletion")) {
    waiting_[uid] = record->key;
    CO_CHECK(co_await TendWaitingOwner(record->key));
  }
  co_return Ok();
}

GarbageCollector::State GarbageCollector::StateOf(const Owner& owner,
                                                  std::string_view namespace_) const {
  const ResourcePtr resource = FindKind(services_.registry, owner);
  // What is not served cannot be known to be gone.
  if (!resource) return State::kUnknown;
  const std::string key =
      StorageKey(*resource, resource->namespaced ? namespace_ : std::string_view(), owner.name);
  const RecordPtr record = services_.store.Get(key);
  if (!record) return State::kGone;
  const json::value object = json::parse(record->value);
  if (kube::GetString(object, "metadata.uid") != owner.uid) return State::kGone;
  const bool waits = IsEnding(object) && HasFinalizer(object, "foregroundDeletion");
  return waits ? State::kWaiting : State::kThere;
}

Task<Result<void>> GarbageCollector::TendDependent(std::string key) {
  std::vector<std::string> useless;
  bool held = false;
  for (const Owner& owner : graph_.OwnersAt(key)) {
    switch (StateOf(owner, PartsOf(key).namespace_)) {
      case State::kThere:
      case State::kUnknown: held = true; break;
      case State::kWaiting:
      case State::kGone: useless.push_back(owner.uid); break;
    }
  }
  if (useless.empty()) co_return Ok();
  if (held) co_return co_await DropOwners(key, std::move(useless));
  co_return co_await Remove(key);
}

Task<Result<void>> GarbageCollector::TendWaitingOwner(std::string key) {
  const RecordPtr record = services_.store.Get(key);
  if (!record) co_return Ok();
  const json::value object = json::parse(record->value);
  const std::string uid(kube::GetString(object, "metadata.uid"));
  if (!graph_.IsBlocked(uid)) {
    waiting_.erase(uid);
    for (const std::string& dependent : graph_.Dependents(uid)) {
      CO_CHECK(co_await TendDependent(dependent));
    }
    co_return co_await DropFinalizer(key, "foregroundDeletion");
  }
  for (const std::string& dependent : graph_.Dependents(uid)) {
    const RecordPtr there = services_.store.Get(dependent);
    const bool ending = there && IsEnding(json::parse(there->value));
    if (!ending) CO_CHECK(co_await TendDependent(dependent));
  }
  co_return Ok();
}

Task<Result<void>> GarbageCollector::TendOrphaner(std::string key, std::string uid) {
  for (const std::string& dependent : graph_.Dependents(uid)) {
    CO_CHECK(co_await DropOwners(dependent, {uid}));
  }
  co_return co_await DropFinalizer(key, "orphan");
}

Task<Result<void>> GarbageCollector::Remove(const std::string& key) {
  const RecordPtr record = services_.store.Get(key);
  const KeyParts parts = PartsOf(key);
  const ResourcePtr resource = ResourceOfKey(services_.registry, parts);
  if (!record || !resource) co_return Ok();
  // The very object that was looked at: one that was made anew under its name is another.
  RemovalOptions options{
      .uid = std::string(kube::GetString(json::parse(record->value), "metadata.uid")),
      .propagation = RemovalOptions::Propagation::kBackground};
  const auto removed = co_await RemoveWith(
      services_, CallOf(resource, parts.namespace_, parts.name, kController), std::move(options));
  const bool fine = removed || removed.error().kind() == ErrorKind::kNotFound ||
                    removed.error().kind() == ErrorKind::kConflict;
  if (!fine) co_return Failure(removed.error());
  co_return Ok();
}

namespace {

using Edit = std::function<void(json::object& metadata)>;

Task<Result<void>> EditMetadata(const Services& services, const std::string& key, Edit edit) {
  const KeyParts parts = PartsOf(key);
  const ResourcePtr resource = ResourceOfKey(services.registry, parts);
  if (!resource) co_return Ok();
  const Call call = CallOf(resource, parts.namespace_, parts.name, kController);
  const auto changed = co_await ChangeObject(
      services, call, Part::kMain, {},
      [&](const json::value& old, std::vector<std::string>&) -> Result<NewState> {
        NewState state{.object = old};
        edit(MetadataOf(state.object));
        return state;
      });
  if (!changed && changed.error().kind() != ErrorKind::kNotFound) {
    co_return Failure(changed.error());
  }
  co_return Ok();
}

// Keeps the items of a list in the metadata that are still wanted; an empty list goes.
template <class Keep>
void KeepItems(json::object& metadata, std::string_view name, const Keep& keep) {
  json::value* list = metadata.if_contains(name);
  if (list == nullptr || !list->is_array()) return;
  json::array kept;
  for (const json::value& item : list->get_array()) {
    if (keep(item)) kept.push_back(item);
  }
  if (kept.empty()) {
    metadata.erase(name);
  } else {
    *list = std::move(kept);
  }
}

}  // namespace

Task<Result<void>> GarbageCollector::DropOwners(const std::string& key,
                                                std::vector<std::string> uids) {
  co_return co_await EditMetadata(services_, key, [&](json::object& metadata) {
    KeepItems(metadata, "ownerReferences", [&](const json::value& owner) {
      return std::ranges::find(uids, kube::GetString(owner, "uid")) == uids.end();
    });
  });
}

Task<Result<void>> GarbageCollector::DropFinalizer(const std::string& key,
                                                   std::string_view finalizer) {
  co_return co_await EditMetadata(services_, key, [&](json::object& metadata) {
    KeepItems(metadata, "finalizers",
              [&](const json::value& item) { return item != json::value(finalizer); });
  });
}

}  // namespace millwright::apiserver
