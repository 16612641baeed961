// Who am I? Whose token is this?
#pragma once

#include "apiserver/auth/authn/authenticator.h"
#include "apiserver/rest/call.h"

namespace millwright::apiserver {

Result<Answer> ReviewSelf(const Services& services, const Call& call);
Result<Answer> ReviewToken(const Services& services, const Call& call,
                           const Authenticator& authenticator);

}  // namespace millwright::apiserver
