#include "kube/api/owner_reference.h"

#include <boost/json.hpp>

#include "kube/api/object_field.h"

namespace millwright::kube {

namespace json = boost::json;

Result<OwnerReference> DecodeOwnerReference(const json::value& reference) {
  if (!reference.is_object()) return Fail(ErrorKind::kInvalid, "expected an object");
  const json::object& object = reference.get_object();
  OwnerReference owner;
  std::string uid;
  CHECK_OK(ReadField(object, "apiVersion", owner.api_version));
  CHECK_OK(ReadField(object, "kind", owner.kind));
  CHECK_OK(ReadField(object, "name", owner.name));
  CHECK_OK(ReadField(object, "uid", uid));
  CHECK_OK(ReadField(object, "controller", owner.controller));
  CHECK_OK(ReadField(object, "blockOwnerDeletion", owner.block_owner_deletion));
  owner.uid = Uid(std::move(uid));
  return owner;
}

json::object EncodeOwnerReference(const OwnerReference& reference) {
  json::object object;
  object["apiVersion"] = reference.api_version;
  object["kind"] = reference.kind;
  object["name"] = reference.name;
  object["uid"] = reference.uid.str();
  if (reference.controller) object["controller"] = *reference.controller;
  if (reference.block_owner_deletion)
    object["blockOwnerDeletion"] = *reference.block_owner_deletion;
  return object;
}

}  // namespace millwright::kube
