// Making objects ours, and letting go of them.
#pragma once

#include <boost/json/object.hpp>

#include <optional>
#include <span>
#include <vector>

#include "controllers/shared/object_writer.h"
#include "core/replicas/claim.h"
#include "dialects/dialect.h"

namespace millwright::controllers {

// Who an owner is, for those it may own.
struct OwnerView {
  Uid uid;
  bool deleting = false;
};

// `controller` is null if nobody controls the object.
core::Claim Judge(const OwnerView& owner, const dialects::Owner* controller, bool selected,
                  bool object_deleting);

// What an ownerReferences entry says for a controller of that kind.
boost::json::object OwnerReferenceTo(const dialects::Kind& kind, const kube::Meta& owner);

// Adopts or releases the object `of`; it is read live first, because its list of owners is replaced
// whole, and the owner is, because one that is going may not adopt. kConflict if either changed.
struct Adoption {
  dialects::Kind owner_kind;
  kube::Meta owner;
  dialects::Kind object_kind;
  kube::Meta object;
};
Task<Result<void>> Adopt(kube::Client& client, kube::WriteGuard& guard, Adoption adoption);
Task<Result<void>> Release(kube::Client& client, kube::WriteGuard& guard, Adoption adoption);

// The object leaves the owner `from` for the new one; `patch` is what else changes with that.
Task<Result<void>> HandOver(kube::Client& client, kube::WriteGuard& guard, Adoption adoption,
                            Uid from, boost::json::object patch);

}  // namespace millwright::controllers
