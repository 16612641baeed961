#include "controllers/supply/instance_controller.h"

#include <boost/json.hpp>

#include <algorithm>

#include "controllers/shared/secret_data.h"
#include "controllers/supply/kinds.h"
#include "core/lifecycle/retry.h"
#include "dialects/capi/names.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::controllers::supply {

namespace json = boost::json;
using kube::ObjectKey;
using kube::Requeue;

namespace {

constexpr std::string_view kReadyType = "Ready";

bool IsOurs(const capi::Reference& reference) {
  return reference.kind == kInstanceKind && reference.group == kInfrastructureGroup;
}

// How soon a refused call is tried again.
core::Retry RetryAfter(const Error& error) {
  const auto code = providers::CodeOf(error);
  if (!code || core::IsPassing(*code)) return core::Retry::kShort;
  return *code == core::CloudCode::kResourceExhausted ? core::Retry::kExhausted
                                                      : core::Retry::kMedium;
}

std::optional<std::string> RememberedBy(const Error& error) {
  const auto* failure = error.detail<providers::CloudFailure>();
  return failure != nullptr ? failure->remember : std::nullopt;
}

json::object StatusOf(const InstanceRecord& instance, const providers::Instance& made) {
  json::array addresses;
  for (const providers::Address& address : made.addresses) {
    addresses.push_back(json::object{{"type", address.type}, {"address", address.address}});
  }
  json::object status{{"initialization", json::object{{"provisioned", true}}},
                      {"addresses", std::move(addresses)},
                      {"conditions", Encode(instance.conditions)}};
  if (made.remember) status["remembered"] = *made.remember;
  return {{"status", std::move(status)}};
}

}  // namespace

providers::MachineIdentity IdentityOf(const InstanceRecord& instance) {
  return {.uid = MadeFor(instance),
          .name = instance.meta.key.name,
          .namespace_ = instance.meta.key.namespace_,
          .instance = instance.provider_id};
}

InstanceController::InstanceController(contract::Surroundings& s, Seen& seen,
                                       const providers::CloudRegistry& clouds)
    : surroundings_(s),
      seen_(seen),
      clouds_(clouds),
      instances_(s.management, kInstances, seen.instances.guard()),
      controller_(s.executor, s.clock, s.log.For("supply.instance"),
                  {.name = "millwrightmachine", .workers = s.settings.machine_workers},
                  [this](ObjectKey key) { return Reconcile(std::move(key)); }) {
  seen_.instances.OnChange([this](const InstanceRecord* before, const InstanceRecord* after) {
    controller_.queue().Add((after != nullptr ? after : before)->meta.key);
  });
  const auto wake = [this](const capi::MachineRecord& machine) {
    const capi::Reference& names = machine.spec.infrastructure;
    if (IsOurs(names)) controller_.queue().Add({machine.meta.key.namespace_, names.name});
  };
  // Only that a machine is there, has data or goes matters to its instance.
  seen_.served.machines.OnChange([wake](const capi::MachineRecord* before,
                                        const capi::MachineRecord* after) {
    if (after == nullptr) return;
    const bool same = before != nullptr && before->spec.data_secret == after->spec.data_secret &&
                      before->deleting() == after->deleting();
    if (!same) wake(*after);
  });
  seen_.served.clusters.OnChange(
      [this, wake](const capi::ClusterRecord* before, const capi::ClusterRecord* after) {
        if (after == nullptr) return;
        const bool same =
            before != nullptr && before->paused == after->paused &&
            before->status.infrastructure_provisioned == after->status.infrastructure_provisioned;
        if (same) return;
        const std::string cluster = contract::ClusterKey(after->meta.key);
        for (const auto* machine : seen_.served.machines_by_cluster.Find(cluster)) wake(*machine);
      });
}

InstanceView InstanceController::Look(const InstanceRecord& instance) const {
  const capi::MachineRecord* machine = seen_.MachineOf(instance);
  const capi::ClusterRecord* cluster = machine != nullptr ? seen_.ClusterOf(*machine) : nullptr;
  return {.deleting = instance.deleting(),
          .is_protected = !With(instance.finalizers, std::string(kFinalizer)),
          .paused = seen_.IsPaused(instance, cluster),
          .has_machine = machine != nullptr,
          .machine_deleting = machine != nullptr && machine->deleting(),
          .cluster_provisioned =
              cluster != nullptr && cluster->status.infrastructure_provisioned.value_or(false),
          .has_data = machine != nullptr && machine->spec.data_secret.has_value(),
          .in_doubt = IsInDoubt(instance),
          .has_instance = !instance.provider_id.empty(),
          .provisioned = instance.provisioned};
}

Task<Result<Requeue>> InstanceController::Reconcile(ObjectKey key) {
  const InstanceRecord* found = seen_.instances.store().Find(key);
  if (found == nullptr) co_return Requeue::WhenChanged();
  if (seen_.instances.guard().IsBehind(key)) {
    co_return Requeue::After(kube::WriteGuard::kLookAgain);
  }
  const InstanceRecord instance = *found;
  switch (PlanInstance(Look(instance))) {
    case InstanceStep::kRest: co_return Requeue::WhenChanged();
    case InstanceStep::kProtect: co_return co_await Protect(instance);
    case InstanceStep::kMake: co_return co_await Make(instance);
    case InstanceStep::kFindOut: co_return co_await FindOut(instance);
    case InstanceStep::kShowAgain: co_return co_await ShowAgain(instance);
    case InstanceStep::kRemove: co_return co_await Remove(instance);
  }
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> InstanceController::Protect(InstanceRecord instance) {
  CO_CHECK(co_await instances_.AddFinalizer(instance.meta, instance.finalizers,
                                            std::string(kFinalizer)));
  co_return Requeue::WhenChanged();
}

Task<Result<InstanceController::Resolved>> InstanceController::Resolve(
    const InstanceRecord& instance) {
  Resolved resolved;
  CO_TRY(resolved.cloud, clouds_.Find(instance.provider));
  providers::InstanceClass of{.name = instance.meta.key.name,
                              .provider_spec = std::string(instance.provider_spec.view())};
  if (of.provider_spec.empty()) of.provider_spec = "{}";
  if (!instance.secret.empty()) {
    const ObjectKey key{instance.meta.key.namespace_, instance.secret};
    CO_TRY(const auto secret, co_await surroundings_.management.Find(contract::kSecrets, key));
    if (!secret) {
      co_return Fail(ErrorKind::kInvalid,
                     "spec.secretRef names the Secret " + instance.secret + ", which is not there");
    }
    CO_TRY(of.secrets, SecretData(*secret));
  }
  resolved.instance_class = std::make_shared<const providers::InstanceClass>(std::move(of));
  co_return resolved;
}

Task<Result<SecretText>> InstanceController::ReadData(const std::string& namespace_,
                                                      const std::string& secret) {
  CO_TRY(const auto found,
         co_await surroundings_.management.Find(contract::kSecrets, {namespace_, secret}));
  if (!found) {
    co_return Fail(ErrorKind::kInvalid, "the Secret " + secret + " with its data is not there");
  }
  CO_TRY(const auto data, SecretData(*found));
  const auto value = data.find("value");
  if (value == data.end()) {
    co_return Fail(ErrorKind::kInvalid, "the Secret " + secret + " has no key value");
  }
  co_return value->second;
}

// From here on there may be an instance: the object stays until that is known to be gone, and its
// machine is not taken apart before it is known.
Task<Result<kube::ResourceVersion>> InstanceController::NoteBegin(const InstanceRecord& instance) {
  const auto with = With(instance.finalizers, std::string(kFinalizer));
  if (!with && IsInDoubt(instance)) co_return instance.meta.resource_version;
  json::object metadata{
      {"annotations", json::object{{kMadeFor, MadeFor(instance).str()},
                                   {capi::annotations::kInstanceInDoubt, "true"}}}};
  if (with) metadata["finalizers"] = json::value_from(*with);
  co_return co_await instances_.Patch(instance.meta, {{"metadata", std::move(metadata)}});
}

Task<Result<kube::ResourceVersion>> InstanceController::NoteId(const InstanceRecord& instance,
                                                               std::string id) {
  json::object notes{{kMadeFor, MadeFor(instance).str()},
                     {capi::annotations::kInstanceInDoubt, nullptr}};
  json::object patch{{"metadata", json::object{{"annotations", std::move(notes)}}},
                     {"spec", json::object{{"providerID", std::move(id)}}}};
  co_return co_await instances_.Patch(instance.meta, std::move(patch));
}

// Nothing is noted before all that it takes is there: what no cloud serves is not held.
Task<Result<Requeue>> InstanceController::Make(InstanceRecord instance) {
  const capi::MachineRecord* machine = seen_.MachineOf(instance);
  if (machine == nullptr) co_return Requeue::WhenChanged();
  const std::string data = machine->spec.data_secret.value_or("");
  auto resolved = co_await Resolve(instance);
  if (!resolved) co_return co_await Complain(instance, resolved.error());
  if (auto valid = resolved->cloud->Validate(*resolved->instance_class); !valid) {
    co_return co_await Complain(instance, valid.error());
  }
  auto user_data = co_await ReadData(instance.meta.key.namespace_, data);
  if (!user_data) co_return co_await Complain(instance, user_data.error());
  CO_TRY(instance.meta.resource_version, co_await NoteBegin(instance));
  const auto made = co_await resolved->cloud->Create(resolved->instance_class,
                                                     {.machine = IdentityOf(instance),
                                                      .user_data = *std::move(user_data),
                                                      .remembered = instance.remembered});
  if (!made) co_return co_await Complain(instance, made.error());
  if (made->pending) co_return Requeue::After(*made->pending);
  CO_TRY(instance.meta.resource_version, co_await NoteId(instance, made->id));
  instance.provider_id = made->id;
  co_return co_await Show(std::move(instance), *made);
}

Task<Result<Requeue>> InstanceController::ShowAgain(InstanceRecord instance) {
  auto resolved = co_await Resolve(instance);
  if (!resolved) co_return co_await Complain(instance, resolved.error());
  const auto found = co_await resolved->cloud->Get(resolved->instance_class, IdentityOf(instance));
  if (!found) co_return co_await Complain(instance, found.error());
  co_return co_await Show(std::move(instance), *found);
}

Task<Result<Requeue>> InstanceController::Show(InstanceRecord instance,
                                               const providers::Instance& made) {
  capi::Set(instance.conditions, kReadyType, {.status = capi::Truth::kTrue, .reason = "Ready"},
            instance.meta.generation, surroundings_.clock.Now());
  CO_CHECK(co_await instances_.Patch(instance.meta, StatusOf(instance, made), "status"));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> InstanceController::Complain(InstanceRecord instance, const Error& error) {
  const auto code = providers::CodeOf(error);
  const capi::MachineRecord* machine = seen_.MachineOf(instance);
  const bool goes = instance.deleting() || (machine != nullptr && machine->deleting());
  const capi::Conditions before = instance.conditions;
  capi::Set(instance.conditions, kReadyType,
            {.status = capi::Truth::kFalse,
             .reason = goes   ? "DeletionFailed"
                       : code ? std::string(core::ToString(*code))
                              : "Invalid",
             .message = error.message()},
            instance.meta.generation, surroundings_.clock.Now());
  json::object status;
  if (instance.conditions != before) status["conditions"] = Encode(instance.conditions);
  if (auto remember = RememberedBy(error); remember && *remember != instance.remembered) {
    status["remembered"] = *remember;
  }
  if (!status.empty()) {
    CO_CHECK(co_await instances_.Patch(instance.meta, {{"status", std::move(status)}}, "status"));
  }
  surroundings_.events.Record(
      {.about = {kInstances.group + "/" + kInstances.version, std::string(kInstanceKind),
                 instance.meta.key, instance.meta.uid},
       .severity = kube::EventSeverity::kWarning,
       .reason = goes ? "FailedDelete" : "FailedCreate",
       .message = error.message()});
  co_return Requeue::After(core::DelayFor(RetryAfter(error), {}));
}

}  // namespace millwright::controllers::supply
