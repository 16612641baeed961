// Where a webhook is. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <boost/json/fwd.hpp>

namespace millwright::apiserver {

struct WebhookService {
  std::string namespace_;
  std::string name;
  std::int64_t port = 443;

  friend bool operator==(const WebhookService&, const WebhookService&) = default;
};

// Where a webhook is, and by what it is known.
struct WebhookAddress {
  std::string url;              // "https://name.namespace.svc:443/convert" for a service
  std::string server_name;      // of its certificate; empty: the host of the URL
  std::string ca_certificates;  // PEM; empty: those of the system
  // Where the URL is only a name for it.
  std::optional<WebhookService> service = {};

  friend bool operator==(const WebhookAddress&, const WebhookAddress&) = default;
};

// A clientConfig, as definitions and configurations of webhooks have it.
WebhookAddress AddressOf(const boost::json::value& client_config);

// "https://host:443" and "/path?query" of a URL.
std::string_view OriginOf(std::string_view url);
std::string TargetOf(std::string_view url);

}  // namespace millwright::apiserver
