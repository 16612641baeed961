#include "net/http_client.h"

#include "net/curl_http.h"
#include "net/endpoint.h"
#include "net/http2_client.h"
#include "net/proxy_environment.h"
#include "net/request_error.h"

namespace millwright::net {

namespace {

// What we know about the server.
enum class Speaks { kUnknown, kHttp2, kHttp11 };

bool MayTryHttp2(const ClientOptions& options) {
  if (options.base_url.empty()) return false;
  const auto endpoint = ParseEndpoint(options.base_url);
  if (!endpoint || endpoint->scheme != "https" || endpoint->has_user) return false;
  if (options.proxy) return options.proxy->empty();
  return !EnvironmentHasProxyFor(endpoint->host);
}

}  // namespace

struct HttpClient::State {
  using Shared = std::shared_ptr<State>;

  // Send or Open, as a coroutine that may outlive the client it was asked of.
  template <class T>
  static Task<Result<T>> Ask(Shared state, Task<Result<T>> (Http::*how)(HttpRequest),
                             HttpRequest request);

  bool closed() const { return !http1; }

  Clock& clock;
  const Duration timeout;
  std::unique_ptr<CurlHttp> http1;     // none once closed
  std::unique_ptr<Http2Client> http2;  // none if there is no use in trying
  Speaks speaks = Speaks::kUnknown;
};

Result<std::unique_ptr<HttpClient>> HttpClient::Create(const Executor& executor, Clock& clock,
                                                       Options options) {
  const Duration timeout = options.timeout;
  TRY(auto http1, CurlHttp::Create(executor, clock, options));
  std::unique_ptr<Http2Client> http2;
  if (MayTryHttp2(options)) {
    TRY(http2, Http2Client::Create(executor, clock, std::move(options)));
  }
  const Speaks speaks = http2 ? Speaks::kUnknown : Speaks::kHttp11;
  return std::unique_ptr<HttpClient>(new HttpClient(
      std::make_shared<State>(clock, timeout, std::move(http1), std::move(http2), speaks)));
}

HttpClient::~HttpClient() {
  state_->http1.reset();
  state_->http2.reset();
}

template <class T>
Task<Result<T>> HttpClient::State::Ask(Shared state, Task<Result<T>> (Http::*how)(HttpRequest),
                                       HttpRequest request) {
  const SteadyTime began = state->clock.Elapsed();
  const std::string doing = request.method + " " + ShownUrl(request.target);
  if (state->closed()) co_return Failure(StoppedError(doing));
  if (state->speaks == Speaks::kHttp11) co_return co_await (*state->http1.*how)(std::move(request));

  // A copy for HTTP/1.1 is kept only as long as it may be needed.
  std::optional<HttpRequest> copy;
  if (state->speaks == Speaks::kUnknown) copy = request;
  auto answer = co_await (*state->http2.*how)(std::move(request));
  const bool refused = !answer && answer.error().template detail<NeedsHttp11>() != nullptr;
  if (refused) state->speaks = Speaks::kHttp11;
  if (answer && state->speaks == Speaks::kUnknown) state->speaks = Speaks::kHttp2;
  if (!refused || !copy) co_return answer;
  if (state->closed()) co_return Failure(StoppedError(doing));
  copy->timeout = copy->timeout.value_or(state->timeout) - (state->clock.Elapsed() - began);
  co_return co_await (*state->http1.*how)(*std::move(copy));
}

Task<Result<HttpResponse>> HttpClient::Send(HttpRequest request) {
  return State::Ask<HttpResponse>(state_, &Http::Send, std::move(request));
}

Task<Result<HttpStream>> HttpClient::Open(HttpRequest request) {
  return State::Ask<HttpStream>(state_, &Http::Open, std::move(request));
}

Result<void> HttpClient::SetTls(TlsConfig tls) {
  CHECK_OK(state_->http1->SetTls(tls));
  if (state_->http2) CHECK_OK(state_->http2->SetTls(std::move(tls)));
  return Ok();
}

std::uint64_t HttpClient::connections_opened() const {
  const std::uint64_t http2 = state_->http2 ? state_->http2->connections_opened() : 0;
  return state_->http1->connections_opened() + http2;
}

}  // namespace millwright::net
