// Who holds which rights, found without a walk over all bindings. Pure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/auth/authz/rbac_objects.h"
#include "apiserver/rest/admission.h"
#include "base/result.h"

namespace millwright::apiserver {

struct Decision {
  bool allowed = false;
  std::string reason = {};
};

// What a user may do, as far as it is known.
struct HeldRules {
  PolicyRules rules = {};
  std::vector<std::string> problems = {};  // bindings to roles that are not there
};

class RbacIndex {
 public:
  RbacIndex() = default;
  RbacIndex(RbacIndex&&) = default;
  RbacIndex& operator=(RbacIndex&&) = default;

  // In place of what was there; none takes it away. The namespace is empty for what belongs to the
  // cluster.
  void SetRole(std::string_view namespace_, std::string_view name, std::optional<RbacRole> role);
  void SetBinding(std::string_view namespace_, std::string_view name,
                  std::optional<RbacBinding> binding);

  Decision Authorize(const User& user, const Access& access) const;

  // All rights that count in that namespace; in an empty one those that count everywhere.
  HeldRules RulesFor(const User& user, std::string_view namespace_) const;

  // The rules that a binding in that namespace would grant; null if there is no such role.
  const PolicyRules* RulesOf(const RoleReference& role, std::string_view namespace_) const;

 private:
  using Key = std::pair<std::string, std::string>;  // namespace, name

  // A binding, and through which of its subjects it is the user's.
  struct Grant {
    const RbacBinding* binding;
    const RbacSubject* subject;
  };

  std::vector<Grant> GrantsTo(const User& user, std::string_view namespace_) const;
  void AddGrantsIn(const User& user, std::string_view namespace_, std::vector<Grant>& grants) const;
  void Link(const RbacBinding& binding);
  void Unlink(const RbacBinding& binding);
  const PolicyRules& Aggregated(const std::string& name, const RbacRole& role) const;
  void Gather(const RbacRole& role, std::set<std::string>& visited, PolicyRules& rules) const;

  std::map<Key, RbacRole> roles_;
  std::map<Key, RbacBinding> bindings_;
  // By the namespace of the binding and the user or group it names.
  std::map<std::string, std::vector<Grant>, std::less<>> by_subject_;
  // Rules of aggregated roles, made when they are asked for; void when any cluster role changes.
  mutable std::map<std::string, PolicyRules> aggregated_;
};

}  // namespace millwright::apiserver
