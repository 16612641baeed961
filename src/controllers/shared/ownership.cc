#include "controllers/shared/ownership.h"

#include <fmt/format.h>
#include <boost/json/array.hpp>

#include "kube/api/object_meta.h"

namespace millwright::controllers {

namespace json = boost::json;

namespace {

// The object's owners as they are now.
Task<Result<json::array>> ReadOwners(kube::Client& client, const Adoption& adoption) {
  CO_TRY(const kube::Document document,
         co_await client.Get(adoption.object_kind.resource, adoption.object.key));
  CO_TRY(const json::value object, document.Tree());
  const json::value* metadata = object.as_object().if_contains("metadata");
  CO_TRY(const kube::ObjectMeta meta, kube::DecodeObjectMeta(*metadata));
  if (meta.uid != adoption.object.uid ||
      meta.resource_version != adoption.object.resource_version) {
    co_return Fail(ErrorKind::kConflict,
                   adoption.object.key.ToString() + " changed since it was seen");
  }
  const json::value* owners = metadata->as_object().if_contains("ownerReferences");
  if (owners == nullptr || !owners->is_array()) co_return json::array();
  co_return owners->as_array();
}

Task<Result<void>> WriteOwners(kube::Client& client, kube::WriteGuard& guard,
                               const Adoption& adoption, json::array owners,
                               json::object patch = {}) {
  ObjectWriter writer(client, adoption.object_kind.resource, guard);
  json::value& metadata = patch["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  metadata.as_object()["ownerReferences"] = std::move(owners);
  CO_CHECK(co_await writer.Patch(adoption.object, std::move(patch)));
  co_return Ok();
}

// A new owner must be there, be the one that was seen, and not be going.
Task<Result<void>> CheckOwner(kube::Client& client, const Adoption& adoption) {
  CO_TRY(const kube::Document owner,
         co_await client.Get(adoption.owner_kind.resource, adoption.owner.key));
  CO_TRY(const kube::Meta live, owner.ReadMeta());
  if (live.uid != adoption.owner.uid || live.deleting_since) {
    co_return Fail(ErrorKind::kConflict,
                   fmt::format("{} {} is going or another one; it adopts nothing",
                               adoption.owner_kind.kind.kind, live.key.ToString()));
  }
  co_return Ok();
}

json::array Without(json::array owners, const Uid& uid) {
  json::array others;
  for (json::value& owner : owners) {
    const json::value* its = owner.is_object() ? owner.as_object().if_contains("uid") : nullptr;
    const bool meant = its != nullptr && its->is_string() && its->as_string() == uid.str();
    if (!meant) others.push_back(std::move(owner));
  }
  return others;
}

}  // namespace

core::Claim Judge(const OwnerView& owner, const dialects::Owner* controller, bool selected,
                  bool object_deleting) {
  using Who = core::ClaimFacts::Owner;
  Who who = Who::kNobody;
  if (controller != nullptr) who = controller->uid == owner.uid ? Who::kUs : Who::kSomebodyElse;
  return core::DecideClaim({.owner = who,
                            .selected = selected,
                            .object_deleting = object_deleting,
                            .we_are_deleting = owner.deleting},
                           true);
}

json::object OwnerReferenceTo(const dialects::Kind& kind, const kube::Meta& owner) {
  return {{"apiVersion", kind.kind.ApiVersion()},
          {"kind", kind.kind.kind},
          {"name", owner.key.name},
          {"uid", owner.uid.str()},
          {"controller", true},
          {"blockOwnerDeletion", true}};
}

Task<Result<void>> Adopt(kube::Client& client, kube::WriteGuard& guard, Adoption adoption) {
  CO_CHECK(co_await CheckOwner(client, adoption));
  CO_TRY(json::array owners, co_await ReadOwners(client, adoption));
  owners.push_back(OwnerReferenceTo(adoption.owner_kind, adoption.owner));
  co_return co_await WriteOwners(client, guard, adoption, std::move(owners));
}

Task<Result<void>> Release(kube::Client& client, kube::WriteGuard& guard, Adoption adoption) {
  CO_TRY(json::array owners, co_await ReadOwners(client, adoption));
  co_return co_await WriteOwners(client, guard, adoption,
                                 Without(std::move(owners), adoption.owner.uid));
}

Task<Result<void>> HandOver(kube::Client& client, kube::WriteGuard& guard, Adoption adoption,
                            Uid from, json::object patch) {
  CO_CHECK(co_await CheckOwner(client, adoption));
  CO_TRY(json::array owners, co_await ReadOwners(client, adoption));
  json::array others = Without(std::move(owners), from);
  others.push_back(OwnerReferenceTo(adoption.owner_kind, adoption.owner));
  co_return co_await WriteOwners(client, guard, adoption, std::move(others), std::move(patch));
}

}  // namespace millwright::controllers
