#include "apiserver/auth/authn/token_authority.h"

#include <boost/json.hpp>

#include "apiserver/auth/authn/jwt.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

std::string TokenAuthority::Sign(TokenClaims claims) const {
  claims.issuer = kTokenIssuer;
  return SignJwt(WriteClaims(claims), key_);
}

Result<TokenClaims> TokenAuthority::Read(std::string_view token) const {
  const auto jwt = ParseJwt(token);
  if (!jwt || kube::GetString(jwt->claims, "iss") != kTokenIssuer) {
    return Fail(ErrorKind::kNotFound, "not a token of this server");
  }
  if (!IsSignedBy(*jwt, key_)) return Fail(ErrorKind::kInvalid, "the token's signature is wrong");
  return ReadClaims(jwt->claims);
}

}  // namespace millwright::apiserver
