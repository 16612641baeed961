#include "apiserver/auth/authz/escalation.h"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "apiserver/auth/authz/covers.h"
#include "apiserver/rest/failures.h"
#include "kube/api/json_text.h"
#include "kube/api/typed_text.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

constexpr std::string_view kGroup = "rbac.authorization.k8s.io";

bool HasAggregation(const json::value* role) {
  if (role == nullptr) return false;
  const json::array* selectors = kube::GetArray(*role, "aggregationRule.clusterRoleSelectors");
  return selectors != nullptr && !selectors->empty();
}

json::value WithoutOwnership(json::value object) {
  if (json::object* root = object.if_object()) {
    if (json::value* metadata = root->if_contains("metadata"); metadata && metadata->is_object()) {
      for (const char* name : {"ownerReferences", "finalizers", "managedFields"}) {
        metadata->get_object().erase(name);
      }
    }
  }
  return object;
}

// What the garbage collector has to be able to do to anything.
bool ChangesOwnershipOnly(const Admittance& about, const json::value& object) {
  return about.old != nullptr && WithoutOwnership(object) == WithoutOwnership(*about.old);
}

}  // namespace

Result<void> EscalationStep::CheckHeld(const Admittance& about, const PolicyRules& rules) {
  const HeldRules held = authorizer_.index().RulesFor(about.user, about.place.namespace_);
  const PolicyRules missing = MissingRules(held.rules, rules);
  if (missing.empty()) return Ok();
  std::string why = fmt::format(
      "user {} (groups={}) is attempting to grant RBAC permissions not currently held:\n{}",
      kube::QuotedText(about.user.name), QuotedTexts(about.user.groups), DescribeRules(missing));
  if (!held.problems.empty()) {
    why += fmt::format("; resolution errors: [{}]", fmt::join(held.problems, " "));
  }
  return Forbidden(about.resource, about.name, why);
}

Result<void> EscalationStep::CheckRole(const Admittance& about, const json::value& object) {
  // The path of a create has no name, and so it is asked without one.
  const Access escalate = AccessTo("escalate", about.place);
  if (authorizer_.Authorize(about.user, escalate).allowed) return Ok();
  CHECK_OK(CheckHeld(about, ReadRules(object)));
  if (!HasAggregation(&object) && !HasAggregation(about.old)) return Ok();
  // It can gather anything.
  const PolicyRules everything = {{.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}},
                                  {.verbs = {"*"}, .non_resource_urls = {"*"}}};
  if (CheckHeld(about, everything)) return Ok();
  return Forbidden(about.resource, about.name,
                   "must have cluster-admin privileges to use the aggregationRule");
}

Result<void> EscalationStep::CheckBinding(const Admittance& about, const json::value& object) {
  const RoleReference role = ReadBinding(object).role;
  const Access bind{.verb = "bind",
                    .group = std::string(kGroup),
                    .version = "*",
                    .resource = role.kind == "Role" ? "roles" : "clusterroles",
                    .namespace_ = about.place.namespace_,
                    .name = role.name};
  if (authorizer_.Authorize(about.user, bind).allowed) return Ok();
  const PolicyRules* granted = authorizer_.index().RulesOf(role, about.place.namespace_);
  // A real server names the resource of the request here, not that of the role.
  if (granted == nullptr) return NotFound(about.resource, role.name);
  return CheckHeld(about, *granted);
}

Task<Result<void>> EscalationStep::Validate(const Admittance& about, const json::value* object,
                                            std::vector<std::string>& /*warnings*/) {
  const bool grants = about.operation == Admittance::Operation::kCreate ||
                      about.operation == Admittance::Operation::kUpdate;
  if (about.resource.kind.group != kGroup || !grants || object == nullptr) co_return Ok();
  if (IsMaster(about.user) || ChangesOwnershipOnly(about, *object)) co_return Ok();
  const std::string& plural = about.resource.plural;
  if (plural == "roles" || plural == "clusterroles") co_return CheckRole(about, *object);
  if (plural == "rolebindings" || plural == "clusterrolebindings") {
    co_return CheckBinding(about, *object);
  }
  co_return Ok();
}

}  // namespace millwright::apiserver
