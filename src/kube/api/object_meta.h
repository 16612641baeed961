// The part that every Kubernetes object has: identity, labels, owners, how far it is in its life.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json/fwd.hpp>

#include "base/id.h"
#include "base/result.h"
#include "base/time.h"
#include "kube/api/group_version.h"
#include "kube/api/labels.h"
#include "kube/api/object_key.h"
#include "kube/api/owner_reference.h"
#include "kube/api/resource_version.h"

namespace millwright::kube {

struct ObjectMeta {
  std::string name;
  std::string generate_name;
  std::string namespace_;
  Uid uid;
  ResourceVersion resource_version;
  int64_t generation = 0;
  std::optional<WallTime> creation_timestamp;
  std::optional<WallTime> deletion_timestamp;
  Labels labels;
  Labels annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;

  ObjectKey Key() const { return {namespace_, name}; }

  friend bool operator==(const ObjectMeta&, const ObjectMeta&) = default;
};

// Reads the metadata of an object. Absent and null fields are empty; fields we do not know are
// passed over; one of a wrong type fails with kInvalid and its path.
Result<ObjectMeta> DecodeObjectMeta(const boost::json::value& metadata);

// Only what is set, for an object to create or a patch. It does not hold the fields that decoding
// passed over: never write it over an object that was read.
boost::json::object EncodeObjectMeta(const ObjectMeta& meta);

// Deletion has begun; the object stays until its finalizers are gone.
bool IsBeingDeleted(const ObjectMeta& meta);

bool HasFinalizer(const ObjectMeta& meta, std::string_view finalizer);

// True if something changed. The order of the others is kept.
bool AddFinalizer(ObjectMeta& meta, std::string_view finalizer);
bool RemoveFinalizer(ObjectMeta& meta, std::string_view finalizer);

// The owner that manages the object, or null. There is at most one; of several the first counts.
const OwnerReference* ControllerOf(const ObjectMeta& meta);

// Whether that very owner manages it: by UID, because names are used again.
bool IsControlledBy(const ObjectMeta& meta, const Uid& owner);

// Makes `owner`, an object of `kind`, the controller of `dependent`; again is fine. Fails with
// kConflict if another object is, and with kInvalid if the owner has no UID yet or lives in another
// namespace (the garbage collector would take it for gone). A failure changes nothing.
Result<void> SetControllerReference(const GroupVersionKind& kind, const ObjectMeta& owner,
                                    ObjectMeta& dependent);

}  // namespace millwright::kube
