#include "apiserver/auth/authn/authenticator.h"

#include <fmt/format.h>

#include <algorithm>

#include "apiserver/auth/authn/bearer.h"
#include "apiserver/auth/authn/bootstrap_token.h"
#include "apiserver/auth/authn/service_account.h"
#include "apiserver/auth/authn/stored_object.h"
#include "apiserver/auth/authz/policy_rule.h"
#include "apiserver/rest/failures.h"

namespace millwright::apiserver {

namespace {

constexpr std::string_view kAuthenticated = "system:authenticated";

User Authenticated(User user) {
  const bool has_group = std::ranges::find(user.groups, kAuthenticated) != user.groups.end();
  if (!has_group) user.groups.emplace_back(kAuthenticated);
  return user;
}

std::vector<std::string> InBoth(const std::vector<std::string>& a,
                                const std::vector<std::string>& b) {
  std::vector<std::string> both;
  std::ranges::copy_if(a, std::back_inserter(both), [&](const std::string& text) {
    return std::ranges::find(b, text) != b.end();
  });
  return both;
}

Failure UnknownToken() { return Fail(ErrorKind::kNotFound, "invalid bearer token"); }

}  // namespace

std::vector<std::string> DefaultAudiences() { return {std::string(kTokenIssuer)}; }

Failure Unauthorized() {
  return Refuse({.status = "Failure",
                 .message = "Unauthorized",
                 .reason = "Unauthorized",
                 .details = {},
                 .code = 401});
}

Authenticator::Authenticator(Parts parts)
    : parts_(std::move(parts)), tokens_(PrivateKey::Parse(parts_.pki.token_key.Reveal()).value()) {}

Result<User> Authenticator::Authenticate(const net::PeerIdentity& peer,
                                         const net::HttpRequest& request) const {
  if (peer.verified && !peer.common_name.empty()) {
    User user{.name = peer.common_name, .groups = peer.organizations};
    if (!peer.fingerprint.empty()) {
      user.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" + peer.fingerprint};
    }
    return Authenticated(std::move(user));
  }
  const auto token = BearerTokenOf(request.headers);
  if (!token) return Unauthorized();
  auto identity = AuthenticateToken(*token, DefaultAudiences());
  // Why not is for administrators, not for whoever tries tokens.
  if (!identity) return Unauthorized();
  return std::move(identity->user);
}

Result<TokenIdentity> Authenticator::AuthenticateToken(
    std::string_view token, const std::vector<std::string>& audiences) const {
  auto account = AuthenticateAccount(token, audiences);
  if (account || account.error().kind() != ErrorKind::kNotFound) return account;
  auto audiences_of_server = InBoth(audiences, DefaultAudiences());
  if (audiences_of_server.empty()) return UnknownToken();
  auto holder = FindHolder(token);
  if (!holder) return UnknownToken();
  return TokenIdentity{.user = Authenticated(*std::move(holder)),
                       .audiences = std::move(audiences_of_server)};
}

Result<TokenIdentity> Authenticator::AuthenticateAccount(
    std::string_view token, const std::vector<std::string>& audiences) const {
  TRY(const auto claims, tokens_.Read(token));
  auto meant_for = InBoth(claims.audiences, audiences);
  if (meant_for.empty()) {
    return Fail(ErrorKind::kInvalid,
                fmt::format("token audiences {} is invalid for the target audiences {}",
                            QuotedTexts(claims.audiences), QuotedTexts(audiences)));
  }
  const WallTime now = parts_.clock.Now();
  CHECK_OK(CheckTime(claims, now));
  CHECK_OK(CheckBoundObjects(claims, {.store = parts_.store, .registry = parts_.registry}, now));
  return TokenIdentity{.user = Authenticated(AccountUser(claims)),
                       .audiences = std::move(meant_for)};
}

std::optional<User> Authenticator::FindHolder(std::string_view token) const {
  for (const StaticToken& known : parts_.static_tokens) {
    if (SecretsEqual(token, known.token.Reveal())) return known.user;
  }
  const auto bootstrap = ParseBootstrapToken(token);
  if (!bootstrap) return std::nullopt;
  const auto secret = FindStored({.store = parts_.store, .registry = parts_.registry}, "secrets",
                                 "kube-system", BootstrapSecretName(bootstrap->id));
  if (!secret) return std::nullopt;
  return BootstrapUser(*bootstrap, *secret, parts_.clock.Now());
}

}  // namespace millwright::apiserver
