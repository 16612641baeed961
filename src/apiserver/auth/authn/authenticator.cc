#include "apiserver/auth/authn/authenticator.h"

#include <algorithm>

#include "apiserver/auth/authn/bearer.h"
#include "apiserver/rest/failures.h"

namespace millwright::apiserver {

namespace {

constexpr std::string_view kAuthenticated = "system:authenticated";

User Authenticated(User user) {
  const bool has_group = std::ranges::find(user.groups, kAuthenticated) != user.groups.end();
  if (!has_group) user.groups.emplace_back(kAuthenticated);
  return user;
}

}  // namespace

Failure Unauthorized() {
  return Refuse({.status = "Failure",
                 .message = "Unauthorized",
                 .reason = "Unauthorized",
                 .details = {},
                 .code = 401});
}

Authenticator::Authenticator(Parts parts) : parts_(std::move(parts)) {}

Result<User> Authenticator::Authenticate(const net::PeerIdentity& peer,
                                         const net::HttpRequest& request) const {
  if (peer.verified && !peer.common_name.empty()) {
    return Authenticated({.name = peer.common_name, .groups = peer.organizations});
  }
  const auto token = BearerTokenOf(request.headers);
  if (!token) return Unauthorized();
  if (!parts_.admin_token.empty() && SecretsEqual(*token, parts_.admin_token.Reveal())) {
    return Authenticated({.name = "millwright-admin", .groups = {"system:masters"}});
  }
  return Unauthorized();
}

}  // namespace millwright::apiserver
