// Signs the tokens of service accounts, and knows its own again.
#pragma once

#include <string>
#include <string_view>

#include "apiserver/auth/authn/token_claims.h"
#include "apiserver/auth/pki/private_key.h"
#include "base/result.h"

namespace millwright::apiserver {

// Who issues the tokens, and whom they are for if nobody says otherwise.
inline constexpr std::string_view kTokenIssuer = "https://kubernetes.default.svc";

class TokenAuthority {
 public:
  explicit TokenAuthority(PrivateKey key) : key_(std::move(key)) {}

  // Puts itself as the issuer.
  std::string Sign(TokenClaims claims) const;

  // What a token says, if it is ours; says nothing about its time. kNotFound if it is not one of
  // ours at all, kInvalid if it only claims to be.
  Result<TokenClaims> Read(std::string_view token) const;

 private:
  PrivateKey key_;
};

}  // namespace millwright::apiserver
