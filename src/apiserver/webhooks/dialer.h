// Connections to real webhooks.
#pragma once

#include "apiserver/store/store.h"
#include "apiserver/webhooks/calls.h"
#include "base/clock.h"

namespace millwright::apiserver {

// Over TLS. Connections are kept for each address, and forgotten when there are too many. The clock
// outlives what is made.
DialWebhook NetworkDialer(Executor executor, Clock& clock);

// Finds services, of which only those with an external name are anywhere: there is no network of
// services here. The store outlives what is made.
DialWebhook WithServices(const Store& store, DialWebhook dial);

}  // namespace millwright::apiserver
