// The end of an instance: what came of it if nobody heard, and its removal.
#include <fmt/format.h>
#include <boost/json.hpp>

#include "controllers/supply/instance_controller.h"
#include "controllers/supply/kinds.h"
#include "core/lifecycle/deletion.h"
#include "dialects/capi/names.h"

namespace millwright::controllers::supply {

namespace json = boost::json;
using kube::Requeue;

namespace {

// The cloud's word that there is nothing of that machine. Several are none that could be told, and
// all of them go.
bool IsNone(const Error& error) {
  const auto code = providers::CodeOf(error);
  return code == core::CloudCode::kOutOfRange || !core::AfterNodeLookup(code).failed;
}

// Something was made for it, or may have been.
bool MayExist(const InstanceRecord& instance) {
  return !instance.provider_id.empty() || IsInDoubt(instance) || !instance.remembered.empty();
}

// What a person has to know whose object stays.
Error NotBefore(const InstanceRecord& instance, const Error& error) {
  if (error.kind() != ErrorKind::kInvalid) return error;
  const std::string what =
      instance.provider_id.empty() ? "what may have been made" : instance.provider_id;
  return Error(error.kind(),
               fmt::format("{} cannot be removed before this is put right: {} (without the "
                           "finalizer {} it would stay at the cloud)",
                           what, error.message(), kFinalizer));
}

}  // namespace

Task<Result<std::optional<std::string>>> InstanceController::LookFor(const InstanceRecord& instance,
                                                                     const Resolved& resolved) {
  const auto found = co_await resolved.cloud->Get(resolved.instance_class, IdentityOf(instance));
  if (found) co_return found->id;
  if (IsNone(found.error())) co_return std::optional<std::string>();
  co_return Failure(found.error());
}

// Its machine waits: with the id it finds its node, and drains it; without one there is none.
Task<Result<Requeue>> InstanceController::FindOut(InstanceRecord instance) {
  auto resolved = co_await Resolve(instance);
  if (!resolved) co_return co_await Complain(instance, NotBefore(instance, resolved.error()));
  const auto id = co_await LookFor(instance, *resolved);
  if (!id) co_return co_await Complain(instance, id.error());
  if (*id) {
    CO_CHECK(co_await NoteId(instance, **id));
    co_return Requeue::WhenChanged();
  }
  json::object notes{{capi::annotations::kInstanceInDoubt, nullptr}};
  json::object patch{{"metadata", json::object{{"annotations", std::move(notes)}}}};
  CO_CHECK(co_await instances_.Patch(instance.meta, std::move(patch)));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> InstanceController::LetGo(const InstanceRecord& instance) {
  CO_CHECK(co_await instances_.RemoveFinalizer(instance.meta, instance.finalizers,
                                               std::string(kFinalizer)));
  co_return Requeue::WhenChanged();
}

Task<Result<Requeue>> InstanceController::Remove(InstanceRecord instance) {
  auto resolved = co_await Resolve(instance);
  const auto lack = resolved ? std::nullopt : std::optional(resolved.error().kind());
  switch (PlanEnd({.may_exist = MayExist(instance), .lack = lack})) {
    case EndStep::kAskCloud: break;
    case EndStep::kLetGo: co_return co_await LetGo(instance);
    case EndStep::kWait:
      co_return co_await Complain(instance, NotBefore(instance, resolved.error()));
  }
  // Somebody deleted this object and not its machine, which learns here what to call its node.
  if (IsInDoubt(instance)) {
    const auto id = co_await LookFor(instance, *resolved);
    if (!id) co_return co_await Complain(instance, id.error());
    if (*id) {
      CO_TRY(instance.meta.resource_version, co_await NoteId(instance, **id));
      instance.provider_id = **id;
    }
  }
  const auto removed =
      co_await resolved->cloud->Remove(resolved->instance_class, IdentityOf(instance));
  if (!removed) co_return co_await Complain(instance, removed.error());
  co_return co_await LetGo(instance);
}

}  // namespace millwright::controllers::supply
