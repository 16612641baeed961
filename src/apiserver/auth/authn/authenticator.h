// Who asks: by client certificate or bearer token. Nobody is let in without.
#pragma once

#include <string_view>

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

class Authenticator {
 public:
  // All of it outlives the authenticator.
  struct Parts {
    Store& store;
    const Registry& registry;
    const Clock& clock;
    const Pki& pki;
    SecretText admin_token = {};  // whoever shows it is one of system:masters; empty: nobody
  };

  explicit Authenticator(Parts parts);

  // The certificate goes first, then the token. Unauthorized() if neither will do.
  Result<User> Authenticate(const net::PeerIdentity& peer, const net::HttpRequest& request) const;

 private:
  const Parts parts_;
};

}  // namespace millwright::apiserver
