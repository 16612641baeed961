#include "apiserver/auth/authz/authorizer.h"

#include <algorithm>

namespace millwright::apiserver {

Authorizer::Authorizer(Store& store) : store_(store) {}

Decision Authorizer::Authorize(const User& user, const Attributes& /*attributes*/) {
  (void)store_;
  return {.allowed = std::ranges::find(user.groups, "system:masters") != user.groups.end()};
}

Result<void> Authorizer::Check(const User& user, const Attributes& attributes) {
  const Decision decision = Authorize(user, attributes);
  if (decision.allowed) return Ok();
  return ForbiddenTo(user, attributes, decision.reason);
}

}  // namespace millwright::apiserver
