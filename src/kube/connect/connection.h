// A cluster we can talk to: everything between a ClientConfig and a Client, in one place.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/random.h"
#include "kube/client/client.h"
#include "kube/config/auth.h"
#include "kube/config/authenticated_http.h"
#include "kube/config/load.h"
#include "kube/connect/discovery.h"
#include "kube/connect/limited_http.h"
#include "kube/connect/observed_http.h"
#include "net/http_client.h"
#include "net/retry.h"

namespace millwright::kube {

struct ConnectionOptions {
  std::string field_manager = "millwright";
  std::string user_agent = "millwright";
  std::optional<RequestLimit> limit = std::nullopt;  // none: as fast as the server likes
  // Asks again where that is safe and the server says "later". For commands: the loops of
  // controllers keep to such hints by themselves, and would wait twice. None: nothing is repeated.
  std::optional<net::RetryPolicy> retry = std::nullopt;
  // Is told of each request; given the server's host and port, to tell several apart. None: nobody.
  std::function<RequestObserver(const std::string& host)> observe = {};
};

// What /version says.
struct ServerVersion {
  std::string git_version;  // "v1.36.4"
  int major = 0;
  int minor = 0;
};

Result<ServerVersion> ParseServerVersion(std::string_view text);

class Connection {
 public:
  // Builds it without talking to anybody. kInvalid for a configuration that cannot work.
  static Result<std::unique_ptr<Connection>> Make(const Executor& executor, Clock& clock,
                                                  const ClientConfig& config,
                                                  ConnectionOptions options = {});

  // The same, and asks the server who it is: kInvalid, naming what to do, if that is not
  // Kubernetes; else the errors of a first request.
  static Task<Result<std::unique_ptr<Connection>>> Open(Executor executor, Clock& clock,
                                                        ClientConfig config,
                                                        ConnectionOptions options = {});

  Client& client() { return client_; }
  net::Http& http() { return *top_; }
  Discovery& discovery() { return discovery_; }
  const ServerVersion& version() const { return version_; }

 private:
  Connection(std::unique_ptr<AuthSource> auth, std::unique_ptr<net::HttpClient> http, Clock& clock,
             const ClientConfig& config, const ConnectionOptions& options);

  net::Http* Layers(Clock& clock, const std::string& server, const ConnectionOptions& options);

  std::unique_ptr<AuthSource> auth_;
  std::unique_ptr<net::HttpClient> http_;
  AuthenticatedHttp authenticated_;
  // What was asked for of these lies on top of it.
  std::optional<ObservedHttp> observed_;
  std::optional<LimitedHttp> limited_;
  SystemRandom random_;
  std::optional<net::RetryingHttp> retrying_;
  net::Http* top_;
  Client client_;
  Discovery discovery_;
  ServerVersion version_;
};

// Carried by the error of Open when something answered that is not a Kubernetes API server.
class NotKubernetes final : public ErrorDetail {};

}  // namespace millwright::kube
