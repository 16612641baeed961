#include "apiserver/auth/authz/pod_references.h"

#include <algorithm>
#include <span>
#include <string>

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// A member that is, or holds, a reference: where the name stands in it.
struct Reference {
  std::string_view member;
  std::string_view name;
};

constexpr Reference kSecrets[] = {
    {"imagePullSecrets", "name"}, {"secret", "secretName"}, {"secret", "name"},
    {"secretKeyRef", "name"},     {"secretRef", "name"},    {"nodePublishSecretRef", "name"},
    {"azureFile", "secretName"},
};
constexpr Reference kConfigMaps[] = {
    {"configMap", "name"}, {"configMapKeyRef", "name"}, {"configMapRef", "name"}};
constexpr Reference kClaims[] = {{"persistentVolumeClaim", "claimName"}};

bool Names(const json::value& value, std::string_view field, std::string_view name) {
  if (const json::array* list = value.if_array()) {
    return std::ranges::any_of(*list,
                               [&](const json::value& one) { return Names(one, field, name); });
  }
  return kube::GetString(value, field) == name;
}

// References are named alike wherever they stand in a spec: volumes, variables, probes.
bool RefersTo(const json::value& value, std::span<const Reference> references,
              std::string_view name) {
  if (const json::array* list = value.if_array()) {
    return std::ranges::any_of(
        *list, [&](const json::value& one) { return RefersTo(one, references, name); });
  }
  if (!value.is_object()) return false;
  return std::ranges::any_of(value.get_object(), [&](const json::key_value_pair& member) {
    const bool named = std::ranges::any_of(references, [&](const Reference& reference) {
      return reference.member == member.key() && Names(member.value(), reference.name, name);
    });
    return named || RefersTo(member.value(), references, name);
  });
}

// A claim that is made with the pod has a name made of both.
bool MakesClaim(const json::value& pod, std::string_view name) {
  const json::array* volumes = kube::GetArray(pod, "spec.volumes");
  if (volumes == nullptr) return false;
  const std::string prefix = std::string(kube::GetString(pod, "metadata.name")) + "-";
  return std::ranges::any_of(*volumes, [&](const json::value& volume) {
    return kube::Find(volume, "ephemeral") != nullptr &&
           name == prefix + std::string(kube::GetString(volume, "name"));
  });
}

}  // namespace

bool PodRefersTo(const json::value& pod, std::string_view resource, std::string_view name) {
  if (name.empty()) return false;
  if (resource == "serviceaccounts") return kube::GetString(pod, "spec.serviceAccountName") == name;
  const json::value* spec = kube::Find(pod, "spec");
  if (spec == nullptr) return false;
  if (resource == "secrets") return RefersTo(*spec, kSecrets, name);
  if (resource == "configmaps") return RefersTo(*spec, kConfigMaps, name);
  if (resource != "persistentvolumeclaims") return false;
  return RefersTo(*spec, kClaims, name) || MakesClaim(pod, name);
}

}  // namespace millwright::apiserver
