// The roles and bindings that every cluster has, by the names that Kubernetes gives them. Only what
// clients of this server need: those for people, for nodes and for the controllers that run beside
// us.
#pragma once

#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/auth/authz/rbac_objects.h"

namespace millwright::apiserver {

struct BuiltinRole {
  std::string namespace_ = {};  // empty: a ClusterRole
  std::string name;
  std::vector<std::string> part_of = {};  // "edit": its rules count for that role too
  bool aggregated = false;                // its rules are those that say they are part of it
  PolicyRules rules = {};
};

std::vector<BuiltinRole> BuiltinRoles();
std::vector<RbacBinding> BuiltinBindings();

// As objects of the API.
boost::json::value RoleObject(const BuiltinRole& role);
boost::json::value BindingObject(const RbacBinding& binding);

}  // namespace millwright::apiserver
