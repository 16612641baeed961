// May I? May they? What may I?
#pragma once

#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/rest/call.h"

namespace millwright::apiserver {

Result<Answer> ReviewOwnAccess(const Services& services, const Call& call, Authorizer& authorizer);
Result<Answer> ReviewAccess(const Services& services, const Call& call, Authorizer& authorizer);
// In the namespace of the path only.
Result<Answer> ReviewLocalAccess(const Services& services, const Call& call,
                                 Authorizer& authorizer);
Result<Answer> ReviewOwnRules(const Services& services, const Call& call, Authorizer& authorizer);

}  // namespace millwright::apiserver
