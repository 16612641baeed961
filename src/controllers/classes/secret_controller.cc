#include "controllers/classes/secret_controller.h"

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
      secrets_(s.executor, s.control, s.clock, s.random, s.log.For("controllers.secrets"),
               {.resource = kSecrets, .namespace_ = s.settings.namespace_, .metadata_only = true},
               ReadSecret),
      writer_(s.control, kSecrets, secrets_.guard()),
      controller_(s.executor, s.clock, s.log.For("controllers.secret"), {.name = "secret"},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }),
      tasks_(s.executor) {
  secrets_.OnChange([this](const SecretRecord* before, const SecretRecord* after) {
    if (after != nullptr) controller_.queue().Add((before != nullptr ? before : after)->meta.key);
  });
  caches_.classes.OnChange([this](const ClassRecord* before, const ClassRecord* after) {
    for (const ClassRecord* of : {before, after}) {
      if (of == nullptr) continue;
      for (const ObjectKey& secret : of->secrets) {
        controller_.queue().Add({surroundings_.settings.namespace_, secret.name});
      }
    }
  });
}

Task<void> SecretController::Run() {
  tasks_.Spawn([this] { return secrets_.Run(); });
  tasks_.Spawn([this] { return RunController(); });
  co_await UntilCancelled();
  tasks_.Cancel();
  co_await tasks_.Join();
}

Task<void> SecretController::RunController() {
  if (co_await secrets_.WaitSynced() == Wake::kCancelled) co_return;
  co_await controller_.Run();
}

Task<Result<Requeue>> SecretController::Reconcile(ObjectKey key) {
  const SecretRecord* found = secrets_.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  if (secrets_.guard().IsBehind(key)) co_return Requeue::After(kube::WriteGuard::kLookAgain);
  const SecretRecord record = *found;
  const std::string& ours = surroundings_.dialect.names().secret_finalizer;
  switch (core::DecideProtection(!caches_.classes_by_secret.Find(key.name).empty(),
                                 record.meta.deleting_since.has_value(),
                                 !With(record.finalizers, ours))) {
    case core::Protection::kNothing:
    case core::Protection::kRefuse: break;
    case core::Protection::kAdd:
      CO_CHECK(co_await writer_.AddFinalizer(record.meta, record.finalizers, ours));
      break;
    case core::Protection::kRemove:
      CO_CHECK(co_await writer_.RemoveFinalizer(record.meta, record.finalizers, ours));
      break;
  }
  co_return Requeue::WhenChanged();
}

}  // namespace millwright::controllers
