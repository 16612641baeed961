#include <boost/json.hpp>

#include "apiserver/auth/authz/builtin_roles.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

std::string AggregationLabel(std::string_view role) {
  return std::string(kGroup) + "/aggregate-to-" + std::string(role);
}

json::object Object(std::string_view kind, const std::string& namespace_, const std::string& name) {
  json::object metadata{{"name", name},
                        {"labels", {{"kubernetes.io/bootstrapping", "rbac-defaults"}}},
                        // Missing rights are added when the server starts; see EnsureBuiltinRoles.
                        {"annotations", {{"rbac.authorization.kubernetes.io/autoupdate", "true"}}}};
  if (!namespace_.empty()) metadata["namespace"] = namespace_;
  return {{"apiVersion", std::string(kGroup) + "/v1"}, {"kind", kind}, {"metadata", metadata}};
}

json::object SubjectObject(const RbacSubject& subject) {
  json::object object{{"kind", subject.kind}, {"name", subject.name}};
  if (subject.namespace_.empty()) {
    object["apiGroup"] = kGroup;
  } else {
    object["namespace"] = subject.namespace_;
  }
  return object;
}

}  // namespace

json::value RoleObject(const BuiltinRole& role) {
  json::object object =
      Object(role.namespace_.empty() ? "ClusterRole" : "Role", role.namespace_, role.name);
  for (const std::string& whole : role.part_of) {
    object["metadata"].at("labels").get_object()[AggregationLabel(whole)] = "true";
  }
  if (role.aggregated) {
    object["aggregationRule"] = {
        {"clusterRoleSelectors",
         json::array{
             json::object{{"matchLabels", json::object{{AggregationLabel(role.name), "true"}}}}}}};
  }
  object["rules"] = WriteRules(role.rules);
  if (role.aggregated) object["rules"] = nullptr;
  return object;
}

json::value BindingObject(const RbacBinding& binding) {
  json::object object = Object(binding.namespace_.empty() ? "ClusterRoleBinding" : "RoleBinding",
                               binding.namespace_, binding.name);
  object["roleRef"] = {
      {"apiGroup", kGroup}, {"kind", binding.role.kind}, {"name", binding.role.name}};
  json::array subjects;
  for (const RbacSubject& subject : binding.subjects) {
    subjects.emplace_back(SubjectObject(subject));
  }
  object["subjects"] = std::move(subjects);
  return object;
}

}  // namespace millwright::apiserver
