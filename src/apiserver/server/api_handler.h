// The API as an HTTP handler: who asks, may they, what is it about, and the answer in their form.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "apiserver/rest/call.h"
#include "apiserver/rest/dispatch.h"
#include "net/server_handler.h"

namespace millwright::apiserver {

// What authorization looks at. `path` is set for requests that are not about resources.
struct Attributes {
  std::string verb;
  Place place;
  std::string path;
  std::string field_selector = {};
};

// The parts that decide for themselves. All outlive the handler.
struct Gates {
  // Fails with 401.
  std::function<Result<User>(const net::PeerIdentity&, const net::HttpRequest&)> authenticate;
  // Fails with 403.
  std::function<Result<void>(const User&, const Attributes&)> authorize;
  // Discovery, documents, health: what is not about resources. None if there is no such path.
  std::function<std::optional<net::HttpResponse>(const net::HttpRequest&, const net::Target&)>
      answer_path;
};

struct HandlerLimits {
  // As kube-apiserver's for reads and writes together; watches are not counted.
  int in_flight = 600;
};

class ApiHandler final : public net::Handler {
 public:
  ApiHandler(Services services, SpecialEndpoints special, Gates gates, HandlerLimits limits = {})
      : services_(services),
        special_(std::move(special)),
        gates_(std::move(gates)),
        limits_(limits) {}

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  Task<Result<net::ServerResponse>> Answer(net::ServerRequest request);
  Task<Result<net::ServerResponse>> AnswerResource(net::ServerRequest request, net::Target target,
                                                   Place place, User user);
  net::ServerResponse Respond(const Call& call, apiserver::Answer answer) const;

  const Services services_;
  const SpecialEndpoints special_;
  const Gates gates_;
  const HandlerLimits limits_;
  int in_flight_ = 0;
};

}  // namespace millwright::apiserver
