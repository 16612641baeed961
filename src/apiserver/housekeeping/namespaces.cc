#include "apiserver/housekeeping/namespaces.h"

#include <boost/json.hpp>

#include "apiserver/rest/object_text.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr const char* kController = "millwright-namespaces";
constexpr std::string_view kRoot = "/core/namespaces/";

Task<Result<void>> Ensure(const Services& services, ResourcePtr resource, std::string name_space,
                          json::value object) {
  const std::string name(kube::GetString(object, "metadata.name"));
  if (services.store.Get(StorageKey(*resource, name_space, name))) co_return Ok();
  const Call call = CallOf(resource, name_space, "", kController);
  const auto made = co_await StoreNewObject(services, call, {}, std::move(object), false, {});
  if (made || made.error().kind() == ErrorKind::kAlreadyExists) co_return Ok();
  co_return Failure(made.error());
}

}  // namespace

Task<void> NamespaceController::Run() {
  while (true) {
    const auto list = services_.store.List({.scope = std::string(kRoot)});
    if (!list) co_return;
    for (const RecordPtr& record : list->records) {
      (void)co_await Tend(record->key.substr(kRoot.size()));
    }
    auto watcher = services_.store.Watch("", list->revision);
    if (watcher) co_await Follow(*std::move(watcher));
    if (co_await IsCancelled()) co_return;
  }
}

// Ends when it is cancelled, or when it fell behind and everything has to be looked at anew.
Task<void> NamespaceController::Follow(Watcher watcher) {
  while (true) {
    const auto change = co_await watcher.Next();
    if (!change) co_return;
    const KeyParts parts = PartsOf(change->key());
    const bool is_namespace = change->key().starts_with(kRoot);
    const bool gone = change->kind() == ChangeKind::kDelete;
    if (is_namespace && gone) {
      ending_.erase(std::string(parts.name));
      continue;
    }
    const bool last_words = gone && ending_.contains(parts.namespace_);
    if (!is_namespace && !last_words) continue;
    const std::string name(is_namespace ? parts.name : parts.namespace_);
    const auto tended = co_await Tend(name);
    if (!tended && tended.error().kind() != ErrorKind::kCancelled) {
      log_.Warning("a namespace could not be tended",
                   {{"namespace", name}, {"error", tended.error().message()}});
    }
  }
}

Task<Result<void>> NamespaceController::Tend(std::string name) {
  const RecordPtr record = services_.store.Get(std::string(kRoot) + name);
  if (!record) co_return Ok();
  const json::value object = json::parse(record->value);
  if (kube::GetString(object, "metadata.deletionTimestamp").empty()) {
    co_return co_await Furnish(name);
  }
  ending_.insert(name);
  CO_TRY(const bool empty, co_await Clear(name));
  if (empty) CO_CHECK(co_await Finish(name));
  co_return Ok();
}

Task<Result<void>> NamespaceController::Furnish(const std::string& name) {
  const auto accounts = services_.registry.Find("", "v1", "serviceaccounts");
  const auto maps = services_.registry.Find("", "v1", "configmaps");
  CO_CHECK(co_await Ensure(services_, accounts, name, {{"metadata", {{"name", "default"}}}}));
  co_return co_await Ensure(
      services_, maps, name,
      {{"metadata", {{"name", "kube-root-ca.crt"}}}, {"data", {{"ca.crt", ca_certificate_}}}});
}

Task<Result<bool>> NamespaceController::Clear(const std::string& name) {
  bool empty = true;
  for (const ResourcePtr& resource : services_.registry.Preferred()) {
    if (!resource->namespaced || !resource->Allows("delete")) continue;
    CO_TRY(const Page page, services_.store.List({.scope = StorageScope(*resource, name)}));
    for (const RecordPtr& record : page.records) {
      const Call call = CallOf(resource, name, PartsOf(record->key).name, kController);
      const auto removed = co_await RemoveWith(
          services_, call, {.propagation = RemovalOptions::Propagation::kBackground});
      if (!removed && removed.error().kind() != ErrorKind::kNotFound) {
        co_return Failure(removed.error());
      }
      empty = empty && services_.store.Get(record->key) == nullptr;
    }
  }
  co_return empty;
}

Task<Result<void>> NamespaceController::Finish(const std::string& name) {
  const std::string key = std::string(kRoot) + name;
  while (const RecordPtr record = services_.store.Get(key)) {
    json::value object = json::parse(record->value);
    if (json::object* spec = object.at("spec").if_object()) spec->erase("finalizers");
    const bool done = IsReadyToGo(object);
    const auto written = done ? co_await services_.store.Delete(key, record->mod_revision)
                              : co_await services_.store.Update(key, record->mod_revision,
                                                                VersionedText(std::move(object)));
    if (written || written.error().kind() == ErrorKind::kNotFound) co_return Ok();
    if (written.error().kind() != ErrorKind::kConflict) co_return Failure(written.error());
  }
  co_return Ok();
}

}  // namespace millwright::apiserver
