#include "admission/webhook_handler.h"

#include "net/server_message.h"

namespace millwright::admission {

namespace {

constexpr size_t kMostBytes = size_t{128} << 20;

net::HttpResponse Answer(const Routes& routes, const net::HttpRequest& request) {
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  const auto route = routes.find(path);
  if (route == routes.end()) return net::PlainAnswer(404, "no webhook is called here");
  if (request.method != "POST") return net::PlainAnswer(405, "webhooks are called by POST");
  auto body = route->second(request.body);
  if (!body) return net::PlainAnswer(400, "the body " + body.error().message());
  return {
      .status = 200, .headers = {{"Content-Type", "application/json"}}, .body = *std::move(body)};
}

}  // namespace

Task<net::ServerResponse> WebhookHandler::Handle(net::ServerRequest request) {
  net::ServerResponse response;
  response.http = Answer(routes_, request.http);
  co_return response;
}

net::ServerOptions WebhookServerOptions(std::uint16_t port, const WebhookFiles& files, Logger log) {
  net::ServerOptions options;
  options.address = "::";
  options.port = port;
  options.tls = net::TlsFiles{.certificate = files.folder + "/" + files.certificate,
                              .key = files.folder + "/" + files.key,
                              .client_ca = ""};
  options.limits.body_bytes = kMostBytes;
  options.log = std::move(log);
  return options;
}

}  // namespace millwright::admission
