// Whether the one whom a token was made for is still there.
#pragma once

#include "apiserver/auth/authn/stored_object.h"
#include "apiserver/auth/authn/token_claims.h"
#include "apiserver/rest/admission.h"
#include "base/result.h"

namespace millwright::apiserver {

// The account, and the object that the token is bound to, must be those of then. kInvalid, in
// Kubernetes' words.
Result<void> CheckBoundObjects(const TokenClaims& claims, const Stored& stored, WallTime now);

User AccountUser(const TokenClaims& claims);

}  // namespace millwright::apiserver
