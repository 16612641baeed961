#include "net/server_connection.h"

#include <boost/beast/core/string.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace millwright::net {

namespace {

// How much of a long body goes out at a time; each has its own time limit.
constexpr std::size_t kPiece = 256UL * 1024;

bool AsksToClose(const HttpResponse& response) {
  return boost::beast::iequals(response.headers.Find("Connection").value_or(""), "close");
}

// HTTP/1.0 knows no chunks.
Framing::Body BodyOfStream(const Framing& framing) {
  return framing.http_1_0 ? Framing::Body::kUntilClose : Framing::Body::kChunked;
}

// An empty chunk would be the last, so it stays nothing.
std::string ComposePiece(std::string piece, bool chunked) {
  return chunked && !piece.empty() ? ComposeChunk(std::move(piece)) : std::move(piece);
}

std::string Describe(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "not a standard exception";
  }
}

}  // namespace

class ServerConnection::StreamWriter final : public BodyWriter {
 public:
  StreamWriter(ServerConnection& connection, bool chunked)
      : connection_(connection), chunked_(chunked) {}

  Task<Result<void>> Write(std::string piece) override {
    return connection_.Send(ComposePiece(std::move(piece), chunked_));
  }

 private:
  ServerConnection& connection_;
  const bool chunked_;
};

ServerConnection::ServerConnection(const ConnectionContext& context,
                                   std::unique_ptr<ByteStream> stream)
    : context_(context),
      stream_(std::move(stream)),
      changed_(context.executor),
      watching_(context.executor) {}

Task<void> ServerConnection::Serve() {
  const bool greeted = co_await Greet();
  if (greeted) {
    bool more = true;
    // Drain may have come when the answer had already promised to go on.
    while (more && !draining_) more = co_await ServeOne();
  }
  stream_->Abort();
  co_await watching_.Join();
}

void ServerConnection::Drain() {
  draining_ = true;
  if (phase_ == Phase::kGreeting || phase_ == Phase::kIdle) stream_->Abort();
  changed_.NotifyAll();
}

Task<bool> ServerConnection::Greet() {
  const auto limit = context_.watchdog.Within(context_.limits.header_time, *stream_);
  const auto shaken = co_await stream_->Handshake();
  peer_ = stream_->peer();
  if (!shaken) {
    context_.log.Debug("handshake failed", {{"peer", peer_.address}, {"error", shaken.error()}});
  }
  co_return shaken.has_value();
}

Task<bool> ServerConnection::ServeOne() {
  auto request = co_await ReadRequest();
  first_ = false;
  phase_ = Phase::kAnswering;
  if (!request) co_return co_await Refuse(request.error());

  Framing framing{.http_1_0 = request->http_1_0, .keep_alive = request->keep_alive};
  const bool head_only = request->http.method == "HEAD";
  auto response = co_await Answer(*std::move(request));
  if (response.cut) co_return false;
  if (draining_ || AsksToClose(response.http)) framing.keep_alive = false;
  const bool streams = response.stream && !head_only && MayHaveBody(response.http.status);
  if (streams) co_return co_await SendStream(std::move(response), framing);
  // HEAD must not promise a length that GET does not have.
  if (response.stream) framing.body = BodyOfStream(framing);
  co_return co_await SendWhole(std::move(response.http), framing, head_only);
}

Task<bool> ServerConnection::Refuse(Rejection rejection) {
  if (rejection.status == 0) co_return false;
  context_.log.Debug(
      "request refused",
      {{"peer", peer_.address}, {"status", rejection.status}, {"reason", rejection.reason}});
  auto answer = PlainAnswer(rejection.status, rejection.reason);
  co_return co_await SendWhole(std::move(answer), Framing{.keep_alive = false}, false);
}

Watchdog::Limit ServerConnection::WaitFor(Awaited awaited) {
  const ServerLimits& limits = context_.limits;
  phase_ = Phase::kReading;
  Duration time = awaited == Awaited::kBody ? limits.body_time : limits.header_time;
  if (awaited == Awaited::kRequest) {
    phase_ = first_ ? Phase::kGreeting : Phase::kIdle;
    if (!first_) time = limits.idle_time;
    idle_since_ = context_.clock.Elapsed();
    context_.idle.NotifyAll();
  }
  return context_.watchdog.Within(time, *stream_);
}

Task<std::expected<IncomingRequest, Rejection>> ServerConnection::ReadRequest() {
  RequestParser parser(context_.limits);
  Awaited awaited = Awaited::kNothing;
  Watchdog::Limit limit;
  bool continued = false;
  while (true) {
    if (auto fed = parser.Feed(unread_); !fed) co_return std::unexpected(fed.error());
    if (parser.is_done()) co_return parser.Take();
    if (parser.expects_continue() && !std::exchange(continued, true)) {
      const auto sent = co_await Send(std::string(kContinue));
      if (!sent) co_return std::unexpected(Rejection{});
    }
    Awaited next = parser.has_begun() ? Awaited::kHead : Awaited::kRequest;
    if (parser.is_header_done()) next = Awaited::kBody;
    if (next != awaited) limit = WaitFor(awaited = next);
    const bool more = co_await ReadMore();
    if (!more) co_return std::unexpected(Rejection{});
  }
}

Task<ServerResponse> ServerConnection::Answer(IncomingRequest request) {
  const std::string method = request.http.method;
  const std::string target = request.http.target;
  std::exception_ptr thrown;
  try {
    ServerRequest question{.http = std::move(request.http), .peer = peer_};
    co_return co_await context_.handler.Handle(std::move(question));
  } catch (...) {
    thrown = std::current_exception();
  }
  context_.log.Error("handler failed",
                     {{"method", method}, {"target", target}, {"error", Describe(thrown)}});
  co_return ServerResponse{.http = PlainAnswer(500, "internal error")};
}

Task<bool> ServerConnection::SendWhole(HttpResponse response, Framing framing, bool head_only) {
  framing.length = response.body.size();
  std::string bytes = ComposeHead(response, framing, context_.clock.Now());
  const std::string body = std::move(response.body);
  std::size_t sent = head_only || !MayHaveBody(response.status) ? body.size() : 0;
  bool done = false;
  while (!done) {
    const std::size_t size = std::min(kPiece, body.size() - sent);
    bytes.append(body, sent, size);
    sent += size;
    done = sent == body.size();
    const auto written = co_await Send(std::exchange(bytes, {}));
    if (!written) co_return false;
  }
  if (!framing.keep_alive) co_await Goodbye();
  co_return framing.keep_alive;
}

Task<bool> ServerConnection::SendStream(ServerResponse response, Framing framing) {
  if (draining_) {
    auto busy = PlainAnswer(503, "the server is stopping");
    co_return co_await SendWhole(std::move(busy), framing, false);
  }
  framing.body = BodyOfStream(framing);
  const bool chunked = framing.body == Framing::Body::kChunked;
  framing.keep_alive = framing.keep_alive && chunked;
  const auto begun = co_await Send(ComposeHead(response.http, framing, context_.clock.Now()) +
                                   ComposePiece(std::move(response.http.body), chunked));
  if (!begun) co_return false;

  const bool whole = co_await StreamToClient(std::move(response.stream), chunked);
  if (!whole) co_return false;
  if (chunked) {
    const auto ended = co_await Send(std::string(kLastChunk));
    if (!ended) co_return false;
  }
  framing.keep_alive = framing.keep_alive && !draining_;
  if (!framing.keep_alive) co_await Goodbye();
  co_return framing.keep_alive;
}

// Runs the stream until it ends or has to; true if the client has got all of it.
Task<bool> ServerConnection::StreamToClient(BodyStream stream, bool chunked) {
  phase_ = Phase::kStreaming;
  StreamWriter writer(*this, chunked);
  StreamState state;
  TaskGroup running(context_.executor);
  running.Spawn([&] { return RunStream(std::move(stream), writer, state); });
  if (!reading_) {
    reading_ = true;
    watching_.Spawn([this] { return WatchClient(); });
  }
  Wake why = Wake::kDone;
  while (!state.ended && !gone_ && !draining_ && why != Wake::kCancelled) {
    why = co_await changed_.Wait();
  }
  if (!state.ended) running.Cancel();
  co_await running.Join();
  phase_ = Phase::kAnswering;
  co_return state.whole && !gone_;
}

Task<void> ServerConnection::RunStream(BodyStream stream, BodyWriter& writer, StreamState& state) {
  std::string failure;
  try {
    const auto result = co_await stream(writer);
    state.whole = result.has_value();
    if (!result && result.error().kind() != ErrorKind::kCancelled) {
      failure = result.error().message();
    }
  } catch (...) {
    failure = Describe(std::current_exception());
  }
  if (!failure.empty()) {
    context_.log.Error("stream failed", {{"peer", peer_.address}, {"error", failure}});
  }
  state.ended = true;
  changed_.NotifyAll();
}

// While a stream runs, only a pending read tells that the client is gone. It is not called off when
// the stream ends: what it brings belongs to the next request.
Task<void> ServerConnection::WatchClient() {
  bool more = true;
  while (more && phase_ == Phase::kStreaming && unread_.size() < context_.limits.header_bytes) {
    more = co_await ReadOnce();
    changed_.NotifyAll();
  }
  reading_ = false;
  changed_.NotifyAll();
}

Task<bool> ServerConnection::ReadMore() {
  if (!reading_) co_return co_await ReadOnce();
  Wake why = Wake::kDone;
  while (reading_ && why != Wake::kCancelled) why = co_await changed_.Wait();
  co_return !gone_ && why != Wake::kCancelled;
}

Task<bool> ServerConnection::ReadOnce() {
  const auto size = co_await stream_->Read(boost::asio::buffer(incoming_));
  gone_ = gone_ || size.value_or(0) == 0;
  if (gone_) co_return false;
  unread_.append(incoming_.data(), *size);
  co_return true;
}

Task<Result<void>> ServerConnection::Send(std::string bytes) {
  if (!gone_) {
    const auto limit = context_.watchdog.Within(context_.limits.write_time, *stream_);
    const auto written = co_await stream_->Write(std::move(bytes));
    if (written) co_return Ok();
    gone_ = true;
    changed_.NotifyAll();
  }
  co_return Fail(ErrorKind::kCancelled, "the client is gone");
}

Task<void> ServerConnection::Goodbye() {
  const auto limit = context_.watchdog.Within(context_.limits.linger_time, *stream_);
  co_await stream_->Close();
}

}  // namespace millwright::net
