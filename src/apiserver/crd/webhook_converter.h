// Conversion by a webhook, as a CustomResourceDefinition asks for it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/converter.h"
#include "base/random.h"
#include "net/http.h"

namespace millwright::apiserver {

// Where a webhook is, and by what it is known.
struct WebhookAddress {
  std::string url;              // "https://name.namespace.svc:443/convert" for a service
  std::string server_name;      // of its certificate; empty: the host of the URL
  std::string ca_certificates;  // PEM; empty: those of the system

  friend bool operator==(const WebhookAddress&, const WebhookAddress&) = default;
};

// A connection to it; the targets of requests are paths.
using DialWebhook = std::function<Result<std::shared_ptr<net::Http>>(const WebhookAddress&)>;

// How webhooks are called. Without a dialer every conversion fails, and says so.
struct WebhookCalls {
  DialWebhook dial = {};
  Random* random = nullptr;  // names requests
};

// Null if the versions of the definition differ in nothing but their name.
std::shared_ptr<Converter> ConverterOf(const boost::json::value& crd, const WebhookCalls& calls);

}  // namespace millwright::apiserver
