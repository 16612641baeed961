// Answers an API server's webhook calls. It keeps nothing and asks nobody, so every replica
// answers, whoever leads.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/server.h"
#include "net/server_handler.h"

namespace millwright::admission {

// From the body of a call to the body of the answer. Fails for what is no such call.
using Route = std::function<Result<std::string>(std::string_view body)>;
using Routes = std::map<std::string, Route, std::less<>>;  // by path

class WebhookHandler final : public net::Handler {
 public:
  explicit WebhookHandler(Routes routes) : routes_(std::move(routes)) {}

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  const Routes routes_;
};

struct WebhookFiles {
  std::string folder;
  std::string certificate = "tls.crt";
  std::string key = "tls.key";
};

// A server of webhooks on all addresses. New certificates are used as soon as their files change.
// Lists of objects come to be converted in one call, so bodies may be large.
net::ServerOptions WebhookServerOptions(std::uint16_t port, const WebhookFiles& files, Logger log);

}  // namespace millwright::admission
