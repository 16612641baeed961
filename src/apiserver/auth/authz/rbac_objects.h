// Roles and bindings as far as decisions need them.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/auth/authz/policy_rule.h"
#include "kube/api/labels.h"

namespace millwright::apiserver {

// A Role or ClusterRole.
struct RbacRole {
  PolicyRules rules = {};
  kube::Labels labels = {};
  // Of an aggregated ClusterRole: its rules are those of the roles that one of these selects,
  // whatever stands in its own.
  std::vector<kube::LabelSelector> aggregated = {};
};

struct RoleReference {
  std::string kind;  // "Role" or "ClusterRole"
  std::string name;
};

struct RbacSubject {
  std::string kind;  // "User", "Group" or "ServiceAccount"
  std::string name;
  std::string namespace_ = {};  // of a service account
};

// A RoleBinding, or a ClusterRoleBinding if it has no namespace.
struct RbacBinding {
  std::string namespace_ = {};
  std::string name;
  RoleReference role;
  std::vector<RbacSubject> subjects = {};
};

RbacRole ReadRole(const boost::json::value& object);
RbacBinding ReadBinding(const boost::json::value& object);

// The name under which a service account is a user.
std::string ServiceAccountUser(std::string_view namespace_, std::string_view name);

}  // namespace millwright::apiserver
