#include "kube/api/object_meta.h"

#include <fmt/format.h>

#include <algorithm>

namespace millwright::kube {

bool IsBeingDeleted(const ObjectMeta& meta) { return meta.deletion_timestamp.has_value(); }

bool HasFinalizer(const ObjectMeta& meta, std::string_view finalizer) {
  return std::ranges::find(meta.finalizers, finalizer) != meta.finalizers.end();
}

bool AddFinalizer(ObjectMeta& meta, std::string_view finalizer) {
  if (HasFinalizer(meta, finalizer)) return false;
  meta.finalizers.emplace_back(finalizer);
  return true;
}

bool RemoveFinalizer(ObjectMeta& meta, std::string_view finalizer) {
  return std::erase(meta.finalizers, finalizer) > 0;
}

const OwnerReference* ControllerOf(const ObjectMeta& meta) {
  const auto found = std::ranges::find_if(meta.owner_references, &OwnerReference::IsController);
  return found == meta.owner_references.end() ? nullptr : &*found;
}

bool IsControlledBy(const ObjectMeta& meta, const Uid& owner) {
  const OwnerReference* controller = ControllerOf(meta);
  return controller != nullptr && controller->uid == owner;
}

Result<void> SetControllerReference(const GroupVersionKind& kind, const ObjectMeta& owner,
                                    ObjectMeta& dependent) {
  if (owner.uid.empty()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{} {} has no UID yet", kind.kind, owner.Key().ToString()));
  }
  if (!owner.namespace_.empty() && owner.namespace_ != dependent.namespace_) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("{} {} cannot own {}: it lives in another namespace", kind.kind,
                            owner.Key().ToString(), dependent.Key().ToString()));
  }
  const OwnerReference* other = ControllerOf(dependent);
  if (other != nullptr && other->uid != owner.uid) {
    return Fail(ErrorKind::kConflict,
                fmt::format("{} is already controlled by {} {}", dependent.Key().ToString(),
                            other->kind, other->name));
  }
  OwnerReference reference{kind.ApiVersion(), kind.kind, owner.name, owner.uid, true, true};
  const auto mine = std::ranges::find(dependent.owner_references, owner.uid, &OwnerReference::uid);
  if (mine == dependent.owner_references.end()) {
    dependent.owner_references.push_back(std::move(reference));
  } else {
    *mine = std::move(reference);
  }
  return Ok();
}

}  // namespace millwright::kube
