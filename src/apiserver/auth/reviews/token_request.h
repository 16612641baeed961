// Tokens for service accounts: a POST to serviceaccounts/NAME/token.
#pragma once

#include "apiserver/auth/authn/token_authority.h"
#include "apiserver/rest/call.h"

namespace millwright::apiserver {

Result<Answer> RequestToken(const Services& services, const Call& call,
                            const TokenAuthority& tokens);

}  // namespace millwright::apiserver
