#include "controllers/classes/secret_controller.h"

#include <algorithm>

#include "core/lifecycle/protection.h"

namespace millwright::controllers {

using dialects::ClassRecord;
using dialects::MachineRecord;
using kube::ForEachField;
using kube::JsonValue;
using kube::ObjectKey;
using kube::Requeue;

namespace {

const kube::GroupVersionResource kSecrets{"", "v1", "secrets"};

Result<SecretRecord> ReadSecret(kube::JsonObject object) {
  SecretRecord secret;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key != "metadata") return {};
    return ForEachField(value, [&](std::string_view name, JsonValue field) -> Result<void> {
      if (name == "finalizers") return kube::ReadInto(field, secret.finalizers);
      return kube::ReadMetaField(name, field, secret.meta);
    });
  }));
  return secret;
}

}  // namespace

SecretController::SecretController(Surroundings& s, Caches& caches)
    : surroundings_(s),
      caches_(caches),
      controller_(s.executor, s.clock, s.log.For("controllers.secret"), {.name = "secret"},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }),
      tasks_(s.executor) {
  for (const std::string& name : s.settings.secret_names) Follow("metadata.name=" + name);
  if (s.settings.secret_names.empty()) Follow({});
  caches_.classes.OnChange([this](const ClassRecord* before, const ClassRecord* after) {
    for (const ClassRecord* of : {before, after}) {
      if (of == nullptr) continue;
      for (const ObjectKey& secret : of->secrets) {
        controller_.queue().Add({surroundings_.settings.namespace_, secret.name});
      }
    }
  });
}

void SecretController::Follow(const std::string& field_selector) {
  Surroundings& s = surroundings_;
  secrets_.emplace_back(s.executor, s.control, s.clock, s.random, s.log.For("controllers.secrets"),
                        kube::ReflectorOptions{.resource = kSecrets,
                                               .namespace_ = s.settings.namespace_,
                                               .field_selector = field_selector,
                                               .metadata_only = true},
                        ReadSecret);
  secrets_.back().OnChange([this](const SecretRecord* before, const SecretRecord* after) {
    if (after != nullptr) controller_.queue().Add((before != nullptr ? before : after)->meta.key);
  });
}

kube::Informer<SecretRecord>* SecretController::CacheWith(const ObjectKey& key) {
  const auto found = std::ranges::find_if(
      secrets_, [&](const auto& cache) { return cache.store().Find(key) != nullptr; });
  return found == secrets_.end() ? nullptr : &*found;
}

Task<void> SecretController::Run() {
  for (auto& cache : secrets_) {
    tasks_.Spawn([&cache] { return cache.Run(); });
  }
  tasks_.Spawn([this] { return RunController(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> SecretController::RunController() {
  for (auto& cache : secrets_) {
    if (co_await cache.WaitSynced() == Wake::kCancelled) co_return;
  }
  co_await controller_.Run();
}

Task<Result<Requeue>> SecretController::Reconcile(ObjectKey key) {
  kube::Informer<SecretRecord>* cache = CacheWith(key);
  if (cache == nullptr) co_return Requeue::WhenChanged();
  if (cache->guard().IsBehind(key)) co_return Requeue::After(kube::WriteGuard::kLookAgain);
  const SecretRecord record = *cache->store().Find(key);
  ObjectWriter writer(surroundings_.control, kSecrets, cache->guard());
  const std::string& ours = surroundings_.dialect.names().secret_finalizer;
  switch (core::DecideProtection(!caches_.classes_by_secret.Find(key.name).empty(),
                                 record.meta.deleting_since.has_value(),
                                 !With(record.finalizers, ours))) {
    case core::Protection::kNothing:
    case core::Protection::kRefuse: break;
    case core::Protection::kAdd:
      CO_CHECK(co_await writer.AddFinalizer(record.meta, record.finalizers, ours));
      break;
    case core::Protection::kRemove:
      CO_CHECK(co_await writer.RemoveFinalizer(record.meta, record.finalizers, ours));
      break;
  }
  co_return Requeue::WhenChanged();
}

}  // namespace millwright::controllers
