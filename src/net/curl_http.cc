#include "net/curl_http.h"

#include <utility>
#include <vector>

#include "net/curl_exchange.h"
#include "net/request_check.h"

namespace millwright::net {

using ExchangePtr = std::shared_ptr<CurlExchange>;

struct CurlHttp::State {
  State(Executor executor_in, Clock& clock_in, Options options_in)
      : executor(std::move(executor_in)),
        clock(clock_in),
        options(std::move(options_in)),
        settings{.proxy = options.proxy,
                 .connect_timeout = options.connect_timeout,
                 .user_agent = options.user_agent,
                 .max_answer = options.max_answer,
                 .max_unread = options.max_unread} {}

  void Connect(TlsConfig tls) {
    connections =
        std::make_shared<CurlConnections>(executor, std::move(tls), options.max_connections);
    std::erase_if(everything, [](const auto& some) { return some.expired(); });
    everything.push_back(connections);
  }

  void Close() {
    for (const auto& some : everything) {
      const auto open = some.lock();
      if (open) open->Close();
    }
  }

  // Coroutines that outlive the CurlHttp they were asked of.
  using Shared = std::shared_ptr<State>;
  static Task<Result<HttpResponse>> Call(Shared state, HttpRequest request);
  static Task<Result<HttpStream>> Stream(Shared state, HttpRequest request);
  static Task<Result<ExchangePtr>> Begin(Shared state, HttpRequest request,
                                         CurlExchange::Body body);

  // Fixed after construction.
  const Executor executor;
  Clock& clock;
  const Options options;
  const CurlSettings settings;

  // State.
  std::shared_ptr<CurlConnections> connections;
  std::vector<std::weak_ptr<CurlConnections>> everything;  // with those of earlier TLS settings
  std::uint64_t opened_before = 0;
};

Result<std::unique_ptr<CurlHttp>> CurlHttp::Create(const Executor& executor, Clock& clock,
                                                   Options options) {
  while (options.base_url.ends_with('/')) options.base_url.pop_back();
  CHECK_OK(CheckOptions(options, clock.Now()));
  auto state = std::make_shared<State>(executor, clock, std::move(options));
  state->Connect(state->options.tls);
  return std::unique_ptr<CurlHttp>(new CurlHttp(std::move(state)));
}

CurlHttp::~CurlHttp() { state_->Close(); }

// Starts the exchange, once it is known that the request can be sent and on whose behalf.
Task<Result<ExchangePtr>> CurlHttp::State::Begin(Shared state, HttpRequest request,
                                                 CurlExchange::Body body) {
  const Options& options = state->options;
  CO_CHECK(CheckRequest(request));
  std::string url = options.base_url + request.target;
  if (options.base_url.empty()) CO_CHECK(CheckUrl(url));
  CO_TRY(request, co_await Authorized(std::move(request), options.authorization));
  auto exchange =
      std::make_shared<CurlExchange>(state->connections, state->settings,
                                     CurlExchange::Request{.method = std::move(request.method),
                                                           .url = std::move(url),
                                                           .headers = std::move(request.headers),
                                                           .body = std::move(request.body)},
                                     body);
  exchange->Start();
  co_return exchange;
}

Task<Result<HttpResponse>> CurlHttp::State::Call(Shared state, HttpRequest request) {
  const Duration timeout = request.timeout.value_or(state->options.timeout);
  CO_TRY(const auto exchange,
         co_await Begin(state, std::move(request), CurlExchange::Body::kWhole));
  CO_CHECK(co_await AwaitAnswer(exchange, state->clock, state->clock.Elapsed() + timeout));
  co_return exchange->TakeAnswer();
}

Task<Result<HttpStream>> CurlHttp::State::Stream(Shared state, HttpRequest request) {
  const Duration timeout = request.timeout.value_or(state->options.timeout);
  CO_TRY(const auto exchange,
         co_await Begin(state, std::move(request), CurlExchange::Body::kPieces));
  auto reader = ReaderOf(exchange, state->clock);
  CO_CHECK(co_await AwaitAnswer(exchange, state->clock, state->clock.Elapsed() + timeout));
  HttpResponse head = exchange->TakeAnswer();
  co_return HttpStream{
      .status = head.status, .headers = std::move(head.headers), .body = std::move(reader)};
}

Task<Result<HttpResponse>> CurlHttp::Send(HttpRequest request) {
  return State::Call(state_, std::move(request));
}

Task<Result<HttpStream>> CurlHttp::Open(HttpRequest request) {
  return State::Stream(state_, std::move(request));
}

Result<void> CurlHttp::SetTls(TlsConfig tls) {
  if (tls == state_->connections->tls) return Ok();
  CHECK_OK(CheckTlsConfig(tls, state_->clock.Now()));
  CHECK_OK(CheckProxy(state_->options.proxy, tls));
  state_->opened_before = connections_opened();
  state_->Connect(std::move(tls));
  return Ok();
}

std::uint64_t CurlHttp::connections_opened() const {
  return state_->opened_before + state_->connections->opened();
}

}  // namespace millwright::net
