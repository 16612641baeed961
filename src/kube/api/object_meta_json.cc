#include <fmt/format.h>

#include <utility>

#include <boost/json.hpp>

#include "kube/api/object_field.h"
#include "kube/api/object_meta.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

// A null value of a map is an empty string, as it is for kube-apiserver.
Result<void> ReadLabels(const json::object& object, std::string_view name, Labels& target) {
  const json::value* value = PresentField(object, name);
  if (value == nullptr) return Ok();
  if (!value->is_object()) return WrongField(name, "an object");
  std::vector<std::pair<std::string, std::string>> members;
  members.reserve(value->get_object().size());
  for (const auto& [key, member] : value->get_object()) {
    if (!member.is_string() && !member.is_null()) {
      return WrongField(fmt::format("{}[{}]", name, std::string_view(key)), "a string");
    }
    members.emplace_back(
        key, member.is_null() ? std::string_view() : std::string_view(member.get_string()));
  }
  target = Labels(members.begin(), members.end());
  return Ok();
}

Result<void> ReadFinalizers(const json::object& object, std::vector<std::string>& target) {
  const json::value* value = PresentField(object, "finalizers");
  if (value == nullptr) return Ok();
  if (!value->is_array()) return WrongField("finalizers", "a list");
  for (const json::value& item : value->get_array()) {
    if (!item.is_string())
      return WrongField(fmt::format("finalizers[{}]", target.size()), "a string");
    target.emplace_back(item.get_string());
  }
  return Ok();
}

Result<void> ReadOwners(const json::object& object, std::vector<OwnerReference>& target) {
  const json::value* value = PresentField(object, "ownerReferences");
  if (value == nullptr) return Ok();
  if (!value->is_array()) return WrongField("ownerReferences", "a list");
  for (const json::value& item : value->get_array()) {
    auto owner = DecodeOwnerReference(item);
    if (!owner) {
      return Failure(
          std::move(owner).error().Wrap(fmt::format("ownerReferences[{}]", target.size())));
    }
    target.push_back(*std::move(owner));
  }
  return Ok();
}

Result<ObjectMeta> Decode(const json::value& metadata) {
  ObjectMeta meta;
  if (metadata.is_null()) return meta;
  if (!metadata.is_object()) return Fail(ErrorKind::kInvalid, "expected an object");
  const json::object& object = metadata.get_object();
  std::string uid;
  std::string resource_version;
  CHECK_OK(ReadField(object, "name", meta.name));
  CHECK_OK(ReadField(object, "generateName", meta.generate_name));
  CHECK_OK(ReadField(object, "namespace", meta.namespace_));
  CHECK_OK(ReadField(object, "uid", uid));
  CHECK_OK(ReadField(object, "resourceVersion", resource_version));
  CHECK_OK(ReadField(object, "generation", meta.generation));
  CHECK_OK(ReadField(object, "creationTimestamp", meta.creation_timestamp));
  CHECK_OK(ReadField(object, "deletionTimestamp", meta.deletion_timestamp));
  CHECK_OK(ReadLabels(object, "labels", meta.labels));
  CHECK_OK(ReadLabels(object, "annotations", meta.annotations));
  CHECK_OK(ReadOwners(object, meta.owner_references));
  CHECK_OK(ReadFinalizers(object, meta.finalizers));
  meta.uid = Uid(std::move(uid));
  meta.resource_version = ResourceVersion(std::move(resource_version));
  return meta;
}

void WriteText(json::object& object, std::string_view name, std::string_view text) {
  if (!text.empty()) object[name] = text;
}

void WriteTime(json::object& object, std::string_view name, const std::optional<WallTime>& time) {
  if (time) object[name] = FormatTime(*time);
}

void WriteLabels(json::object& object, std::string_view name, const Labels& labels) {
  if (labels.empty()) return;
  json::object members;
  for (const auto& [key, value] : labels) members[key] = value;
  object[name] = std::move(members);
}

}  // namespace

Result<ObjectMeta> DecodeObjectMeta(const json::value& metadata) {
  auto meta = Decode(metadata);
  if (!meta) return Failure(std::move(meta).error().Wrap("metadata"));
  return meta;
}

json::object EncodeObjectMeta(const ObjectMeta& meta) {
  json::object object;
  WriteText(object, "name", meta.name);
  WriteText(object, "generateName", meta.generate_name);
  WriteText(object, "namespace", meta.namespace_);
  WriteText(object, "uid", meta.uid.str());
  WriteText(object, "resourceVersion", meta.resource_version.str());
  if (meta.generation != 0) object["generation"] = meta.generation;
  WriteTime(object, "creationTimestamp", meta.creation_timestamp);
  WriteTime(object, "deletionTimestamp", meta.deletion_timestamp);
  WriteLabels(object, "labels", meta.labels);
  WriteLabels(object, "annotations", meta.annotations);
  if (!meta.owner_references.empty()) {
    json::array& owners = object["ownerReferences"].emplace_array();
    for (const OwnerReference& owner : meta.owner_references)
      owners.push_back(EncodeOwnerReference(owner));
  }
  if (!meta.finalizers.empty()) {
    json::array& finalizers = object["finalizers"].emplace_array();
    for (const std::string& finalizer : meta.finalizers) finalizers.emplace_back(finalizer);
  }
  return object;
}

}  // namespace millwright::kube
