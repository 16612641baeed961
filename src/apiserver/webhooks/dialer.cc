#include "apiserver/webhooks/dialer.h"

#include <fmt/format.h>

#include <map>

#include <boost/json.hpp>

#include "kube/api/json_text.h"
#include "net/http_client.h"

namespace millwright::apiserver {

namespace json = boost::json;

namespace {

// Far more than anybody has; a test that makes a new certificate each time must not fill us up.
constexpr std::size_t kMaxAddresses = 64;
// An answer is a review with a patch or with objects of a list.
constexpr std::size_t kMaxAnswer = std::size_t{64} << 20U;

// What a connection depends on: several webhooks of one server share it.
struct Peer {
  std::string origin;
  std::string server_name;
  std::string ca_certificates;

  friend auto operator<=>(const Peer&, const Peer&) = default;
};

class Connections {
 public:
  Connections(Executor executor, Clock& clock) : executor_(std::move(executor)), clock_(clock) {}

  Result<std::shared_ptr<net::Http>> Get(const WebhookAddress& address) {
    Peer peer{.origin = std::string(OriginOf(address.url)),
              .server_name = address.server_name,
              .ca_certificates = address.ca_certificates};
    if (const auto known = clients_.find(peer); known != clients_.end()) return known->second;
    net::ClientOptions options{.base_url = peer.origin, .max_answer = kMaxAnswer};
    options.user_agent = "kube-apiserver-admission";
    options.tls.ca_pem = peer.ca_certificates;
    options.tls.server_name = peer.server_name;
    TRY(std::shared_ptr<net::Http> client,
        net::HttpClient::Create(executor_, clock_, std::move(options)));
    // Requests under way hold on to theirs.
    if (clients_.size() >= kMaxAddresses) clients_.clear();
    clients_[std::move(peer)] = client;
    return client;
  }

 private:
  const Executor executor_;
  Clock& clock_;
  std::map<Peer, std::shared_ptr<net::Http>> clients_;
};

Result<std::string> OriginOfService(const Store& store, const WebhookService& service) {
  const RecordPtr record =
      store.Get(fmt::format("/core/services/{}/{}", service.namespace_, service.name));
  if (!record) {
    return Fail(ErrorKind::kUnavailable, fmt::format("service \"{}\" not found", service.name));
  }
  const json::value found = json::parse(record->value);
  if (kube::GetString(found, "spec.type") != "ExternalName") {
    return Fail(ErrorKind::kUnavailable,
                fmt::format("service \"{}\": this server has no network of services; give the "
                            "webhook a url, or the service an external name",
                            service.name));
  }
  return fmt::format("https://{}:{}", kube::GetString(found, "spec.externalName"), service.port);
}

}  // namespace

DialWebhook NetworkDialer(Executor executor, Clock& clock) {
  return [connections = std::make_shared<Connections>(std::move(executor), clock)](
             const WebhookAddress& address) { return connections->Get(address); };
}

DialWebhook WithServices(const Store& store, DialWebhook dial) {
  if (!dial) return {};
  return [&store, dial = std::move(dial)](
             const WebhookAddress& address) -> Result<std::shared_ptr<net::Http>> {
    if (!address.service) return dial(address);
    TRY(std::string origin, OriginOfService(store, *address.service));
    WebhookAddress real = address;
    real.url = origin + TargetOf(address.url);
    return dial(real);
  };
}

}  // namespace millwright::apiserver
