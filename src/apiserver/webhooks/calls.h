// How webhooks are called: the port between the server and the outside.
#pragma once

#include <functional>
#include <memory>

#include "apiserver/webhooks/address.h"
#include "base/random.h"
#include "base/result.h"
#include "net/http.h"

namespace millwright::apiserver {

// A connection to a webhook; the targets of requests are paths. Asked before each call: who
// implements it keeps connections.
using DialWebhook = std::function<Result<std::shared_ptr<net::Http>>(const WebhookAddress&)>;

// Without a dialer every call fails, and says so.
struct WebhookCalls {
  DialWebhook dial = {};
  Random* random = nullptr;  // names requests
};

}  // namespace millwright::apiserver
