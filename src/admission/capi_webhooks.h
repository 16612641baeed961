// The webhooks of Cluster API's kinds: what they answer, and the objects that tell an API server
// where they are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "admission/webhook_handler.h"
#include "dialects/capi/admit.h"
#include "dialects/capi/convert.h"

namespace millwright::admission {

Routes CapiRoutes(const dialects::capi::AdmissionGates& gates,
                  dialects::capi::VersionOf version_of);

// How an API server reaches us: by the name of a service, or by an address.
struct WebhookPlace {
  std::string service_namespace;
  std::string service;
  std::optional<std::string> url;  // "https://127.0.0.1:9443"; then there is no service
  std::string ca;                  // PEM; empty: somebody else writes it there
};

// The MutatingWebhookConfiguration and the ValidatingWebhookConfiguration.
std::vector<boost::json::object> CapiWebhookConfigurations(const WebhookPlace& place);

// A definition whose objects are converted by us.
boost::json::object WithConversion(boost::json::object definition, const WebhookPlace& place);

}  // namespace millwright::admission
