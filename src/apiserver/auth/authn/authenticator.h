// Who asks: by client certificate or bearer token. Nobody is let in without.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/auth/authn/static_tokens.h"
#include "apiserver/auth/authn/token_authority.h"
#include "apiserver/auth/pki/pki.h"
#include "apiserver/resources/registry.h"
#include "apiserver/rest/admission.h"
#include "apiserver/store/store.h"
#include "base/clock.h"
#include "base/result.h"
#include "base/secret.h"
#include "net/http.h"
#include "net/server_handler.h"

namespace millwright::apiserver {

// 401 as Kubernetes says it: no word on why.
Failure Unauthorized();

// Who a token stands for, and which of the audiences that were asked for it is meant for.
struct TokenIdentity {
  User user;
  std::vector<std::string> audiences = {};
};

class Authenticator {
 public:
  // The references outlive the authenticator.
  struct Parts {
    Store& store;
    const Registry& registry;
    const Clock& clock;
    const Pki& pki;
    std::vector<StaticToken> static_tokens = {};
  };

  explicit Authenticator(Parts parts);

  // The certificate goes first, then the token. Unauthorized() if neither will do.
  Result<User> Authenticate(const net::PeerIdentity& peer, const net::HttpRequest& request) const;

  // For one of these audiences. kNotFound for a token that nobody here knows, kInvalid for one that
  // holds no longer; the reason may be told to those who review tokens.
  Result<TokenIdentity> AuthenticateToken(std::string_view token,
                                          const std::vector<std::string>& audiences) const;

  const TokenAuthority& tokens() const { return tokens_; }

 private:
  Result<TokenIdentity> AuthenticateAccount(std::string_view token,
                                            const std::vector<std::string>& audiences) const;
  // Those who have tokens that say nothing of audiences.
  std::optional<User> FindHolder(std::string_view token) const;

  const Parts parts_;
  const TokenAuthority tokens_;
};

// The server's own: what tokens are for if nobody says otherwise.
std::vector<std::string> DefaultAudiences();

}  // namespace millwright::apiserver
