#include "net/curl_http.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "net/curl_exchange.h"

namespace millwright::net {

namespace {

using ExchangePtr = std::shared_ptr<CurlExchange>;
using UrlPtr = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

bool IsPrintable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > ' ' && c != 0x7f; });
}

bool IsOneLine(std::string_view text) {
  return text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
}

bool IsMethod(std::string_view method) {
  return !method.empty() &&
         std::ranges::all_of(method, [](char c) { return c >= 'A' && c <= 'Z'; });
}

Result<std::string> SchemeOf(const std::string& url, std::string_view what) {
  const auto malformed = [&] {
    return Fail(ErrorKind::kInvalid, std::string(what) + ": not a usable address");
  };
  if (!IsPrintable(url) || !url.contains("://")) return malformed();
  const UrlPtr parsed(curl_url(), curl_url_cleanup);
  char* scheme = nullptr;
  const auto flags = CURLU_NON_SUPPORT_SCHEME;
  if (curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), flags) != CURLUE_OK ||
      curl_url_get(parsed.get(), CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK) {
    return malformed();
  }
  std::string result(scheme);
  curl_free(scheme);
  return result;
}

Result<void> CheckUrl(const std::string& url) {
  TRY(const auto scheme, SchemeOf(url, ShownUrl(url)));
  if (scheme == "http" || scheme == "https") return Ok();
  return Fail(ErrorKind::kInvalid, ShownUrl(url) + ": only http and https are spoken here");
}

Result<void> CheckProxy(const std::optional<std::string>& proxy, const TlsConfig& tls) {
  if (!proxy || proxy->empty()) return Ok();
  const std::string shown = "proxy " + ShownUrl(*proxy);
  TRY(const auto scheme, SchemeOf(*proxy, shown));
  // The name override is made in the TLS context, and libcurl does not say whose context it is.
  if (scheme == "https" && !tls.server_name.empty()) {
    return Fail(ErrorKind::kInvalid, shown + ": not over TLS when a TLS server name is set");
  }
  if (scheme == "http" || scheme == "https" || scheme == "socks5" || scheme == "socks5h") {
    return Ok();
  }
  return Fail(ErrorKind::kInvalid, shown + ": only http, https, socks5 and socks5h can be used");
}

Result<void> CheckRequest(const HttpRequest& request) {
  const auto invalid = [&](std::string_view what) {
    return Fail(ErrorKind::kInvalid, ShownUrl(request.target) + ": " + std::string(what));
  };
  if (!IsMethod(request.method)) return invalid("not a method");
  if (!IsPrintable(request.target)) return invalid("a blank or control character in the target");
  for (const auto& [name, value] : request.headers) {
    const bool ok = !name.empty() && IsPrintable(name) && !name.contains(':') && IsOneLine(value);
    if (!ok) return invalid("a header that cannot be sent: " + (IsPrintable(name) ? name : "?"));
  }
  return Ok();
}

}  // namespace

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
  static Task<Result<void>> Await(Shared state, ExchangePtr exchange, Duration timeout);

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

class CurlHttp::Reader final : public BodyReader {
 public:
  Reader(ExchangePtr exchange, Clock& clock) : exchange_(std::move(exchange)), clock_(clock) {}
  ~Reader() override { exchange_->Stop(); }
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  Task<Result<std::string>> Read() override { return ReadFrom(exchange_, &clock_); }

 private:
  static Task<Result<std::string>> ReadFrom(ExchangePtr exchange, Clock* clock) {
    while (!exchange->has_piece() && !exchange->ended()) {
      const Wake why = co_await exchange->News(*clock, kNever);
      if (why == Wake::kCancelled) exchange->Stop();
    }
    if (exchange->has_piece()) co_return exchange->TakePiece();
    auto failure = exchange->failure();
    if (!failure) co_return std::string();
    // The head has come, so nothing is in doubt about the request; what is lost can be read again.
    const bool cut = failure->kind() == ErrorKind::kInDoubt;
    if (cut) failure = Error(ErrorKind::kUnavailable, failure->message());
    co_return Failure(*std::move(failure));
  }

  const ExchangePtr exchange_;
  Clock& clock_;
};

Result<std::unique_ptr<CurlHttp>> CurlHttp::Create(const Executor& executor, Clock& clock,
                                                   Options options) {
  while (options.base_url.ends_with('/')) options.base_url.pop_back();
  if (!options.base_url.empty()) CHECK_OK(CheckUrl(options.base_url));
  CHECK_OK(CheckProxy(options.proxy, options.tls));
  CHECK_OK(CheckTlsConfig(options.tls, clock.Now()));

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
  if (options.authorization) {
    CO_TRY(const SecretText value, co_await options.authorization());
    if (!IsOneLine(value.Reveal())) {
      co_return Fail(ErrorKind::kInvalid, ShownUrl(url) + ": a line break in the authorization");
    }
    if (!value.empty()) request.headers.Set("Authorization", value.Reveal());
  }
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

// Waits for the whole answer, or for the head of one that is taken in pieces.
Task<Result<void>> CurlHttp::State::Await(Shared state, ExchangePtr exchange, Duration timeout) {
  const SteadyTime deadline = state->clock.Elapsed() + timeout;
  while (!exchange->ready()) {
    const Wake why = co_await exchange->News(state->clock, deadline);
    if (exchange->ready()) break;
    if (why == Wake::kCancelled) exchange->Stop();
    if (why == Wake::kTimeout) {
      auto error = exchange->Timeout();
      exchange->Stop();
      co_return Failure(std::move(error));
    }
  }
  // When the head is there, what goes wrong later is for the reader.
  if (exchange->has_head()) co_return Ok();
  auto failure = exchange->failure();
  if (failure) co_return Failure(*std::move(failure));
  co_return Ok();
}

Task<Result<HttpResponse>> CurlHttp::State::Call(Shared state, HttpRequest request) {
  const Duration timeout = request.timeout.value_or(state->options.timeout);
  CO_TRY(const auto exchange,
         co_await Begin(state, std::move(request), CurlExchange::Body::kWhole));
  CO_CHECK(co_await Await(state, exchange, timeout));
  co_return exchange->TakeAnswer();
}

Task<Result<HttpStream>> CurlHttp::State::Stream(Shared state, HttpRequest request) {
  const Duration timeout = request.timeout.value_or(state->options.timeout);
  CO_TRY(const auto exchange,
         co_await Begin(state, std::move(request), CurlExchange::Body::kPieces));
  auto reader = std::make_unique<Reader>(exchange, state->clock);
  CO_CHECK(co_await Await(state, exchange, timeout));
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
