#include "apiserver/rest/prepare.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"
#include "kube/api/names.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// Only the server says these.
constexpr const char* kSystemFields[] = {
    "uid",        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
    "generation", "resourceVersion",   "selfLink"};

void CopyMember(const json::object& from, json::object& to, std::string_view name) {
  const json::value* value = from.if_contains(name);
  if (value == nullptr) {
    to.erase(name);
  } else {
    to[name] = *value;
  }
}

// Everything that the generation counts: not the metadata, and not a status of its own.
bool WishChanged(const Resource& resource, const json::object& old, const json::object& object) {
  const auto counts = [&](std::string_view name) {
    if (name == "metadata" || name == "apiVersion" || name == "kind") return false;
    return name != "status" || !resource.has_status;
  };
  for (const auto& [name, value] : object) {
    if (!counts(name)) continue;
    const json::value* before = old.if_contains(name);
    if (before == nullptr || *before != value) return true;
  }
  for (const auto& [name, value] : old) {
    if (counts(name) && !object.contains(name)) return true;
  }
  return false;
}

Result<void> TakeNamespace(const Resource& resource, const Place& place, json::object& metadata) {
  if (!resource.namespaced) return Ok();
  const json::value* said = metadata.if_contains("namespace");
  const bool same = said == nullptr || !said->is_string() || said->get_string().empty() ||
                    std::string_view(said->get_string()) == place.namespace_;
  if (!same) {
    return BadRequest(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  metadata["namespace"] = place.namespace_;
  return Ok();
}

}  // namespace

json::object& MetadataOf(json::value& object) {
  json::value& metadata = object.get_object()["metadata"];
  if (!metadata.is_object()) metadata = json::object();
  return metadata.get_object();
}

Result<void> CheckKind(const Resource& resource, const json::value& object) {
  const std::string_view kind = kube::GetString(object, "kind");
  const std::string_view version = kube::GetString(object, "apiVersion");
  const std::string want = resource.kind.ApiVersion();
  if (kind.empty() && resource.custom) {
    return BadRequest(fmt::format("Object 'Kind' is missing in '{}'", json::serialize(object)));
  }
  if (!version.empty() && version != want) {
    return BadRequest(
        fmt::format("the API version in the data ({}) does not match the expected API version ({})",
                    version, want));
  }
  if (!kind.empty() && kind != resource.kind.kind) {
    return BadRequest(fmt::format("{} in version \"{}\" cannot be handled as a {}", kind,
                                  resource.kind.version, resource.kind.kind));
  }
  return Ok();
}

Result<void> PrepareForAdmission(const Resource& resource, const Place& place,
                                 json::value& object) {
  object.get_object()["apiVersion"] = resource.kind.ApiVersion();
  object.get_object()["kind"] = resource.kind.kind;
  json::object& metadata = MetadataOf(object);
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds", "selfLink"}) {
    metadata.erase(field);
  }
  return TakeNamespace(resource, place, metadata);
}

Result<void> PrepareCreate(const Resource& resource, const Place& place, const Birth& birth,
                           json::value& object) {
  json::object& metadata = MetadataOf(object);
  const std::string_view version = kube::GetString(object, "metadata.resourceVersion");
  if (!version.empty()) {
    return Refuse({.status = "Failure",
                   .message = "resourceVersion should not be set on objects to be created",
                   .reason = "",
                   .details = {},
                   .code = 500});
  }
  for (const char* field : kSystemFields) metadata.erase(field);
  CHECK_OK(TakeNamespace(resource, place, metadata));
  if (kube::GetString(object, "metadata.name").empty()) {
    const std::string base(kube::GetString(object, "metadata.generateName"));
    if (!base.empty()) metadata["name"] = kube::GenerateName(base, birth.name_suffix);
  }
  metadata["uid"] = birth.uid;
  metadata["creationTimestamp"] = FormatTime(birth.now);
  if (resource.tracks_generation || resource.custom) metadata["generation"] = 1;
  if (resource.has_status && resource.custom) object.get_object().erase("status");
  object.get_object()["apiVersion"] = resource.kind.ApiVersion();
  object.get_object()["kind"] = resource.kind.kind;
  if (resource.rules.prepare) resource.rules.prepare(object, nullptr);
  return Ok();
}

void PrepareUpdate(const Resource& resource, Part part, const json::value& old,
                   json::value& object) {
  const json::object& before = old.get_object();
  const json::object& old_metadata = before.at("metadata").get_object();
  if (part == Part::kStatus) {
    // Only the status comes from the client, and those metadata that have no owner in the spec.
    json::value result = old;
    CopyMember(object.get_object(), result.get_object(), "status");
    json::object& metadata = MetadataOf(result);
    if (const json::object* sent = kube::GetObject(object, "metadata")) {
      CopyMember(*sent, metadata, "managedFields");
      if (!resource.custom) {
        for (const char* field : {"labels", "annotations", "finalizers", "ownerReferences"}) {
          CopyMember(*sent, metadata, field);
        }
      }
    }
    object = std::move(result);
    return;
  }
  json::object& metadata = MetadataOf(object);
  for (const char* field :
       {"uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds"}) {
    const json::value* said = metadata.if_contains(field);
    if (said == nullptr || said->is_null() || *said == json::value("")) {
      CopyMember(old_metadata, metadata, field);
    }
  }
  CopyMember(old_metadata, metadata, "generation");
  metadata.erase("selfLink");
  if (resource.namespaced && kube::GetString(object, "metadata.namespace").empty()) {
    CopyMember(old_metadata, metadata, "namespace");
  }
  if (resource.has_status) CopyMember(before, object.get_object(), "status");
  object.get_object()["apiVersion"] = resource.kind.ApiVersion();
  object.get_object()["kind"] = resource.kind.kind;
  if ((resource.tracks_generation || resource.custom) &&
      WishChanged(resource, before, object.get_object())) {
    metadata["generation"] = kube::GetInt(old, "metadata.generation") + 1;
  }
  if (resource.rules.prepare) resource.rules.prepare(object, &old);
}

}  // namespace millwright::apiserver
