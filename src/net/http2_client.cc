#include "net/http2_client.h"

#include <utility>

#include "net/http2_pool.h"
#include "net/request_check.h"
#include "net/tls_client.h"

namespace millwright::net {

namespace {

using ExchangePtr = std::shared_ptr<Http2Exchange>;
using Again = Http2Exchange::Again;
using Body = Exchange::Body;

// The name in requests that go to a UNIX socket; it has none of its own.
Endpoint EndpointOfSocket() {
  return {.scheme = "http", .host = "localhost", .port = 80, .authority = "localhost"};
}

Result<Endpoint> CheckedEndpoint(const ClientOptions& options, const Http2Manners& manners,
                                 WallTime now) {
  if (manners.unix_socket.size() > kLongestSocketPath) {
    return Fail(ErrorKind::kInvalid, manners.unix_socket + ": too long for the path of a socket");
  }
  if (!manners.unix_socket.empty()) return EndpointOfSocket();
  CHECK_OK(CheckOptions(options, now));
  TRY(Endpoint endpoint, ParseEndpoint(options.base_url));
  if (endpoint.scheme == "https") return endpoint;
  return Fail(ErrorKind::kInvalid, endpoint.authority + ": HTTP/2 is spoken over https only");
}

}  // namespace

struct Http2Client::State {
  using Shared = std::shared_ptr<State>;

  // Coroutines that outlive the client they were asked of.
  static Task<Result<HttpResponse>> Call(Shared state, HttpRequest request);
  static Task<Result<HttpStream>> Stream(Shared state, HttpRequest request);
  static Task<Result<ExchangePtr>> Exchanged(Shared state, HttpRequest request, Body body);
  static Task<Result<ExchangePtr>> Twice(Shared state, std::shared_ptr<const Http2Request> request,
                                         Body body, SteadyTime deadline);

  Clock& clock;
  const Options options;
  const Endpoint endpoint;
  const std::shared_ptr<Http2Pool> pool;
};

Result<std::unique_ptr<Http2Client>> Http2Client::Create(const Executor& executor, Clock& clock,
                                                         Options options, Http2Manners manners) {
  TRY(Endpoint endpoint, CheckedEndpoint(options, manners, clock.Now()));
  std::shared_ptr<TlsContext> context;
  if (manners.unix_socket.empty()) {
    TRY(context, MakeClientContext(options.tls));
  }
  auto pool = std::make_shared<Http2Pool>(
      executor, clock,
      Http2Pool::Settings{.endpoint = endpoint,
                          .unix_socket = manners.unix_socket,
                          .connect_timeout = options.connect_timeout,
                          .max_connections = options.max_connections,
                          .stream_window = options.max_unread,
                          .liveness = {.quiet = manners.quiet, .keep_idle = manners.keep_idle}},
      options.tls, std::move(context));
  return std::unique_ptr<Http2Client>(new Http2Client(
      std::make_shared<State>(clock, std::move(options), std::move(endpoint), std::move(pool))));
}

Http2Client::~Http2Client() { state_->pool->Close(); }

// The exchange with its whole answer, or with its head, or the error.
Task<Result<ExchangePtr>> Http2Client::State::Exchanged(Shared state, HttpRequest request,
                                                        Body body) {
  CO_CHECK(CheckRequest(request));
  const Duration timeout = request.timeout.value_or(state->options.timeout);
  CO_TRY(request, co_await Authorized(std::move(request), state->options.authorization));
  CO_TRY(auto made,
         MakeHttp2Request(std::move(request), state->endpoint, state->options.user_agent));
  co_return co_await Twice(state, std::move(made), body, state->clock.Elapsed() + timeout);
}

Task<Result<ExchangePtr>> Http2Client::State::Twice(Shared state,
                                                    std::shared_ptr<const Http2Request> request,
                                                    Body body, SteadyTime deadline) {
  const Http2Exchange::Limits limits{.answer = state->options.max_answer,
                                     .unread = state->options.max_unread};
  std::uint64_t avoided = 0;
  for (bool first = true;; first = false) {
    auto exchange = std::make_shared<Http2Exchange>(state->pool, request, body, limits);
    exchange->Avoid(avoided);
    exchange->Start();
    auto waited = co_await AwaitAnswer(exchange, state->clock, deadline);
    if (waited) co_return exchange;
    if (exchange->again() == Again::kHttp11) {
      co_return Failure(std::move(waited).error().WithDetail(std::make_shared<NeedsHttp11>()));
    }
    const bool once_more = first && exchange->again() == Again::kElsewhere;
    if (!once_more) co_return Failure(std::move(waited).error());
    avoided = exchange->connection_number();
  }
}

Task<Result<HttpResponse>> Http2Client::State::Call(Shared state, HttpRequest request) {
  CO_TRY(const auto exchange, co_await Exchanged(state, std::move(request), Body::kWhole));
  co_return exchange->TakeAnswer();
}

Task<Result<HttpStream>> Http2Client::State::Stream(Shared state, HttpRequest request) {
  CO_TRY(const auto exchange, co_await Exchanged(state, std::move(request), Body::kPieces));
  HttpResponse head = exchange->TakeAnswer();
  co_return HttpStream{.status = head.status,
                       .headers = std::move(head.headers),
                       .body = ReaderOf(exchange, state->clock)};
}

Task<Result<HttpResponse>> Http2Client::Send(HttpRequest request) {
  return State::Call(state_, std::move(request));
}

Task<Result<HttpStream>> Http2Client::Open(HttpRequest request) {
  return State::Stream(state_, std::move(request));
}

Result<void> Http2Client::SetTls(TlsConfig tls) {
  if (tls == state_->pool->tls()) return Ok();
  CHECK_OK(CheckTlsConfig(tls, state_->clock.Now()));
  TRY(auto context, MakeClientContext(tls));
  state_->pool->SetTls(std::move(tls), std::move(context));
  return Ok();
}

std::uint64_t Http2Client::connections_opened() const { return state_->pool->connections_opened(); }

std::size_t Http2Client::connections_open() const { return state_->pool->connections_open(); }

}  // namespace millwright::net
