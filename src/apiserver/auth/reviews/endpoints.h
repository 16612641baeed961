// The endpoints about who may come in and do what, for the handler's table.
#pragma once

#include "apiserver/auth/authn/authenticator.h"
#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/rest/dispatch.h"

namespace millwright::apiserver {

// Adds the reviews and serviceaccounts/token. Both outlive the table.
void AddReviewEndpoints(Authorizer& authorizer, const Authenticator& authenticator,
                        SpecialEndpoints& endpoints);

}  // namespace millwright::apiserver
