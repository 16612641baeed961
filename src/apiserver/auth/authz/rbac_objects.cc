#include "apiserver/auth/authz/rbac_objects.h"

#include <boost/json.hpp>

#include "kube/api/json_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

RbacRole ReadRole(const json::value& object) {
  RbacRole role{.rules = ReadRules(object)};
  if (const json::object* labels = kube::GetObject(object, "metadata.labels")) {
    for (const auto& [key, value] : *labels) {
      if (value.is_string()) role.labels.emplace(std::string(key), std::string(value.get_string()));
    }
  }
  if (const auto* selectors = kube::GetArray(object, "aggregationRule.clusterRoleSelectors")) {
    for (const json::value& selector : *selectors) {
      auto decoded = kube::DecodeLabelSelector(selector);
      // One that cannot be read selects nothing, and the role stays an aggregated one.
      role.aggregated.push_back(decoded ? *std::move(decoded) : kube::LabelSelector::Nothing());
    }
  }
  return role;
}

RbacBinding ReadBinding(const json::value& object) {
  RbacBinding binding{.namespace_ = std::string(kube::GetString(object, "metadata.namespace")),
                      .name = std::string(kube::GetString(object, "metadata.name")),
                      .role = {.kind = std::string(kube::GetString(object, "roleRef.kind")),
                               .name = std::string(kube::GetString(object, "roleRef.name"))}};
  const json::array* subjects = kube::GetArray(object, "subjects");
  if (subjects == nullptr) return binding;
  for (const json::value& subject : *subjects) {
    binding.subjects.push_back({.kind = std::string(kube::GetString(subject, "kind")),
                                .name = std::string(kube::GetString(subject, "name")),
                                .namespace_ = std::string(kube::GetString(subject, "namespace"))});
  }
  return binding;
}

std::string ServiceAccountUser(std::string_view namespace_, std::string_view name) {
  return "system:serviceaccount:" + std::string(namespace_) + ":" + std::string(name);
}

}  // namespace millwright::apiserver
