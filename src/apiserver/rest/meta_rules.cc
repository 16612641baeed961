#include "apiserver/rest/meta_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "kube/api/labels.h"
#include "kube/api/names.h"

namespace millwright::apiserver {

namespace json = boost::json;
using kube::FieldError;
using Errors = std::vector<FieldError>;

namespace {

void Complain(Errors& errors, const std::string& field, std::string_view value,
              const kube::Complaints& complaints) {
  for (const std::string& complaint : complaints) {
    errors.push_back(kube::InvalidError(field, json::value(value), complaint));
  }
}

void CheckName(const Resource& resource, const json::value& object, Errors& errors) {
  const auto check = [&](std::string_view name) {
    return resource.rules.check_name ? resource.rules.check_name(name)
                                     : kube::CheckDns1123Subdomain(name);
  };
  const std::string_view name = kube::GetString(object, "metadata.name");
  if (name.empty()) {
    errors.push_back(kube::RequiredError("metadata.name", "name or generateName is required"));
    return;
  }
  Complain(errors, "metadata.name", name, check(name));
}

void CheckNamespace(const Resource& resource, const json::value& object, Errors& errors) {
  const std::string_view name = kube::GetString(object, "metadata.namespace");
  if (!resource.namespaced) {
    if (!name.empty()) {
      errors.push_back(kube::ForbiddenError("metadata.namespace", "not allowed on this type"));
    }
    return;
  }
  if (name.empty()) {
    errors.push_back(kube::RequiredError("metadata.namespace", ""));
    return;
  }
  Complain(errors, "metadata.namespace", name, kube::CheckDns1123Label(name));
}

void CheckLabels(const json::value& object, Errors& errors) {
  const json::object* labels = kube::GetObject(object, "metadata.labels");
  if (labels == nullptr) return;
  for (const auto& [key, value] : *labels) {
    Complain(errors, "metadata.labels", key, kube::CheckQualifiedName(key));
    if (!value.is_string()) continue;
    Complain(errors, "metadata.labels", value.get_string(),
             kube::CheckLabelValue(value.get_string()));
  }
}

void CheckAnnotations(const json::value& object, Errors& errors) {
  const json::object* annotations = kube::GetObject(object, "metadata.annotations");
  if (annotations == nullptr) return;
  kube::Labels all;
  for (const auto& [key, value] : *annotations) {
    Complain(errors, "metadata.annotations", key, kube::CheckAnnotationKey(key));
    if (value.is_string()) all.emplace(key, std::string(value.get_string()));
  }
  for (const std::string& complaint : kube::CheckAnnotationsSize(all)) {
    errors.push_back({.type = kube::FieldErrorType::kTooLong,
                      .field = "metadata.annotations",
                      .detail = complaint});
  }
}

// Built-in kinds want a slash in them; custom kinds often have none ("machine.cluster.x-k8s.io").
void CheckFinalizers(const Resource& resource, const json::value& object, Errors& errors) {
  const json::array* finalizers = kube::GetArray(object, "metadata.finalizers");
  if (finalizers == nullptr) return;
  bool orphan = false;
  bool foreground = false;
  for (std::size_t i = 0; i < finalizers->size(); ++i) {
    const json::value& finalizer = (*finalizers)[i];
    if (!finalizer.is_string()) continue;
    const std::string_view name = finalizer.get_string();
    const std::string path = kube::PathIndex("metadata.finalizers", i);
    Complain(errors, path, name, kube::CheckQualifiedName(name));
    const bool standard = name == "orphan" || name == "foregroundDeletion" || name == "kubernetes";
    if (!resource.custom && !standard && !name.contains('/')) {
      Complain(errors, path, name,
               {"name is neither a standard finalizer name nor is it fully qualified"});
    }
    orphan |= name == "orphan";
    foreground |= name == "foregroundDeletion";
  }
  if (orphan && foreground) {
    errors.push_back(
        kube::InvalidError("metadata.finalizers", *finalizers,
                           "finalizer orphan and foregroundDeletion cannot be both set"));
  }
}

void CheckOwners(const json::value& object, Errors& errors) {
  const json::array* owners = kube::GetArray(object, "metadata.ownerReferences");
  if (owners == nullptr) return;
  std::string controller;
  const std::string path = "metadata.ownerReferences";
  for (const json::value& owner : *owners) {
    const std::string_view api_version = kube::GetString(owner, "apiVersion");
    const auto require = [&](const char* field) {
      const std::string_view value = kube::GetString(owner, field);
      if (!value.empty()) return;
      errors.push_back(
          kube::InvalidError(path + "." + field, json::value(""), "must not be empty"));
    };
    if (api_version.empty()) {
      errors.push_back(kube::InvalidError(path + ".apiVersion", json::value(api_version),
                                          "version must not be empty"));
    }
    for (const char* field : {"kind", "name", "uid"}) require(field);
    if (api_version == "v1" && kube::GetString(owner, "kind") == "Event") {
      errors.push_back(
          kube::InvalidError(path, owner, "/v1, Kind=Event is disallowed from being an owner"));
    }
    if (!kube::GetBool(owner, "controller")) continue;
    const std::string name =
        fmt::format("{}/{}", kube::GetString(owner, "kind"), kube::GetString(owner, "name"));
    if (!controller.empty()) {
      errors.push_back(kube::InvalidError(
          path, *owners,
          fmt::format("Only one reference can have Controller set to true. Found \"true\" in "
                      "references for {} and {}",
                      controller, name)));
    }
    controller = name;
  }
}

void CheckCommon(const Resource& resource, const json::value& object, Errors& errors) {
  CheckLabels(object, errors);
  CheckAnnotations(object, errors);
  CheckOwners(object, errors);
  CheckFinalizers(resource, object, errors);
}

const json::value& At(const json::value& object, const std::string& path) {
  static const json::value kNull;
  const json::value* found = kube::Find(object, path);
  return found == nullptr ? kNull : *found;
}

}  // namespace

Errors CheckMeta(const Resource& resource, const json::value& object) {
  Errors errors;
  CheckName(resource, object, errors);
  CheckNamespace(resource, object, errors);
  CheckCommon(resource, object, errors);
  return errors;
}

Errors CheckMetaUpdate(const Resource& resource, const json::value& object,
                       const json::value& old) {
  Errors errors;
  for (const char* field : {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds"}) {
    const std::string path = std::string("metadata.") + field;
    const json::value& now = At(object, path);
    if (now != At(old, path)) {
      errors.push_back(kube::InvalidError(path, now, "field is immutable"));
    }
  }
  CheckCommon(resource, object, errors);
  const bool ending = !kube::GetString(old, "metadata.deletionTimestamp").empty();
  const json::array* finalizers = kube::GetArray(object, "metadata.finalizers");
  if (ending && finalizers != nullptr) {
    const json::array* before = kube::GetArray(old, "metadata.finalizers");
    std::string added;
    for (const json::value& finalizer : *finalizers) {
      const bool known =
          before != nullptr && std::ranges::find(*before, finalizer) != before->end();
      if (known || !finalizer.is_string()) continue;
      added += fmt::format("{}\"{}\"", added.empty() ? "" : ", ",
                           std::string_view(finalizer.get_string()));
    }
    if (!added.empty()) {
      errors.push_back(kube::ForbiddenError(
          "metadata.finalizers",
          fmt::format("no new finalizers can be added if the object is being deleted, found new "
                      "finalizers []string{{{}}}",
                      added)));
    }
  }
  return errors;
}

}  // namespace millwright::apiserver
