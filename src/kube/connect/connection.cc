#include "kube/connect/connection.h"

#include <charconv>

#include "kube/api/json_text.h"
#include "kube/api/status.h"
#include "kube/config/unusable_config.h"

namespace millwright::kube {

namespace {

// "36+" at some providers.
int LeadingNumber(std::string_view text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Error NotKubernetesError(const std::string& server) {
  return Error(
             ErrorKind::kInvalid,
             server +
                 " answers but is not a Kubernetes API server: check the address in the kubeconfig")
      .WithDetail(std::make_shared<NotKubernetes>());
}

// Refusals of who we are, and a server that is not there, say enough by themselves; anything else
// that is no version means that somebody else lives there.
bool SaysEnough(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kPermission:
    case ErrorKind::kUnavailable:
    case ErrorKind::kThrottled:
    case ErrorKind::kCancelled:
    case ErrorKind::kInDoubt:
    case ErrorKind::kInternal: return true;
    case ErrorKind::kInvalid: return error.detail<StatusDetail>() == nullptr;
    case ErrorKind::kNotFound:
    case ErrorKind::kAlreadyExists:
    case ErrorKind::kConflict:
    case ErrorKind::kExpired:
    case ErrorKind::kNoCapacity: return false;
  }
  return false;
}

}  // namespace

Result<ServerVersion> ParseServerVersion(std::string_view text) {
  TRY(const boost::json::value value, ParseJson(text));
  ServerVersion version;
  version.git_version = GetString(value, "gitVersion");
  version.major = LeadingNumber(GetString(value, "major"));
  version.minor = LeadingNumber(GetString(value, "minor"));
  if (version.git_version.empty()) return Fail(ErrorKind::kInvalid, "no gitVersion");
  return version;
}

Connection::Connection(std::unique_ptr<AuthSource> auth, std::unique_ptr<net::HttpClient> http,
                       Clock& clock, const ClientConfig& config, const ConnectionOptions& options)
    : auth_(std::move(auth)),
      http_(std::move(http)),
      authenticated_(*http_, *auth_, config.impersonation,
                     [this](const net::TlsConfig& tls) { return http_->SetTls(tls); }),
      top_(Layers(clock, config.server, options)),
      client_(*top_, options.field_manager),
      discovery_(client_) {}

net::Http* Connection::Layers(Clock& clock, const std::string& server,
                              const ConnectionOptions& options) {
  net::Http* top = &authenticated_;
  if (options.observe) {
    const std::size_t scheme = server.find("://");
    const std::string rest = scheme == server.npos ? server : server.substr(scheme + 3);
    top = &observed_.emplace(*top, clock, options.observe(rest.substr(0, rest.find('/'))));
  }
  if (options.limit) top = &limited_.emplace(*top, clock, *options.limit);
  if (options.retry) top = &retrying_.emplace(*top, clock, random_, *options.retry);
  return top;
}

Result<std::unique_ptr<Connection>> Connection::Make(const Executor& executor, Clock& clock,
                                                     const ClientConfig& config,
                                                     ConnectionOptions options) {
  TRY(std::unique_ptr<AuthSource> auth,
      AuthSource::Create(
          config,
          {.executor = executor, .clock = clock, .surroundings = SurroundingsOfThisProcess()}));
  net::HttpClient::Options wanted;
  wanted.base_url = config.server;
  wanted.tls = *auth->state().tls;
  wanted.proxy = config.proxy_url;
  wanted.user_agent = options.user_agent;
  TRY(std::unique_ptr<net::HttpClient> http,
      net::HttpClient::Create(executor, clock, std::move(wanted)));
  return std::unique_ptr<Connection>(
      new Connection(std::move(auth), std::move(http), clock, config, options));
}

Task<Result<std::unique_ptr<Connection>>> Connection::Open(Executor executor, Clock& clock,
                                                           ClientConfig config,
                                                           ConnectionOptions options) {
  auto made = Make(executor, clock, config, std::move(options));
  if (!made) co_return Failure(Unusable(std::move(made).error()));
  auto connection = *std::move(made);
  auto answer = co_await connection->client_.GetPath("/version");
  if (!answer && SaysEnough(answer.error())) co_return Failure(std::move(answer).error());
  if (!answer) co_return Failure(NotKubernetesError(config.server));
  auto version = ParseServerVersion(*answer);
  if (!version) co_return Failure(NotKubernetesError(config.server));
  connection->version_ = *std::move(version);
  co_return connection;
}

}  // namespace millwright::kube
