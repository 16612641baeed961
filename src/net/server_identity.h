// Who a client certificate says its holder is.
#pragma once

#include <openssl/types.h>

#include "net/server_handler.h"

namespace millwright::net {

// The names in a certificate, as Kubernetes reads them: the common name is the user, the
// organizations are its groups. Says nothing about whether anybody vouches for it.
PeerIdentity NamesIn(const X509& certificate);

// Of a connection whose handshake succeeded. The address is left empty.
PeerIdentity IdentityOf(const SSL* connection);

}  // namespace millwright::net
