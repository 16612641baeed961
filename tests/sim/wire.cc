#include "tests/sim/wire.h"

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <deque>

#include "base/signal.h"
#include "base/task_group.h"

namespace millwright::sim {

struct Wire::Call {
  Call(VirtualProcess& client, std::weak_ptr<int> life)
      : client_life(std::move(life)), changed(client.executor()) {}

  // Wakes the client, if it lives.
  void Tell() {
    if (!client_life.expired()) changed.NotifyAll();
  }

  std::weak_ptr<int> client_life;
  Signal changed;  // of the client's process
  bool answered = false;
  bool cut = false;  // the server died, or cut it
  net::HttpResponse head;
  bool streams = false;
  std::deque<std::string> pieces;
  bool ended = false;
  bool reader_gone = false;
  std::function<void()> hung;  // called instead of waking the client when it has ended
};

// Destroyed with its frame when the server dies: then the call was cut.
class Wire::Writer final : public net::BodyWriter {
 public:
  explicit Writer(std::shared_ptr<Call> call) : call_(std::move(call)) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() override {
    if (call_->ended) return;
    call_->cut = call_->ended = call_->answered = true;
    call_->Tell();
  }

  Task<Result<void>> Write(std::string piece) override {
    if (call_->reader_gone || call_->client_life.expired()) {
      co_return Fail(ErrorKind::kCancelled, "the reader is gone");
    }
    call_->pieces.push_back(std::move(piece));
    call_->Tell();
    co_return Ok();
  }

 private:
  const std::shared_ptr<Call> call_;
};

class Wire::Reader final : public net::BodyReader {
 public:
  explicit Reader(std::shared_ptr<Call> call) : call_(std::move(call)) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;
  ~Reader() override { call_->reader_gone = true; }

  Task<Result<std::string>> Read() override { return ReadFrom(call_); }

 private:
  static Task<Result<std::string>> ReadFrom(std::shared_ptr<Call> call) {
    while (call->pieces.empty() && !call->ended) {
      if (co_await call->changed.Wait() == Wake::kCancelled) {
        co_return Fail(ErrorKind::kCancelled, "reading was cancelled");
      }
    }
    if (!call->pieces.empty()) {
      std::string piece = std::move(call->pieces.front());
      call->pieces.pop_front();
      co_return piece;
    }
    if (call->cut) co_return Fail(ErrorKind::kUnavailable, "the connection was cut");
    co_return std::string();
  }

  const std::shared_ptr<Call> call_;
};

Wire::Wire(VirtualProcess& client, const ServerPlace& place, net::PeerIdentity peer, Meddle meddle,
           Edit edit)
    : client_(client),
      place_(place),
      peer_(std::move(peer)),
      meddle_(std::move(meddle)),
      edit_(edit) {}

Wire::~Wire() = default;

Task<void> Wire::Serve(std::shared_ptr<Call> call, net::Handler& handler,
                       net::ServerRequest request) {
  Writer writer(call);
  net::ServerResponse response = co_await handler.Handle(std::move(request));
  call->head = std::move(response.http);
  call->streams = static_cast<bool>(response.stream);
  call->answered = true;
  if (call->streams) {
    if (!call->head.body.empty()) call->pieces.push_back(std::exchange(call->head.body, {}));
    call->Tell();
    const auto done = co_await response.stream(writer);
    call->cut = !done;
  }
  call->ended = true;
  if (call->hung) {
    call->hung();
  } else {
    call->Tell();
  }
}

void Wire::CutStreams() {
  for (const std::weak_ptr<Call>& weak : std::exchange(streams_, {})) {
    const auto call = weak.lock();
    if (!call || call->ended) continue;
    call->cut = call->ended = call->reader_gone = true;
    call->Tell();
  }
}

WireFault Wire::Meddled(const net::HttpRequest& request) const {
  return meddle_ ? meddle_(request) : WireFault{};
}

std::shared_ptr<Wire::Call> Wire::Begin(net::HttpRequest request) {
  auto call = std::make_shared<Call>(client_, life_);
  boost::asio::co_spawn(place_.process->executor(),
                        Serve(call, *place_.handler, {.http = std::move(request), .peer = peer_}),
                        boost::asio::detached);
  return call;
}

Task<Result<net::HttpResponse>> Wire::Send(net::HttpRequest request) {
  const bool is_write = request.method != "GET";
  if (edit_ != nullptr) edit_(request);
  const WireFault fault = Meddled(request);
  if (fault.kind == WireFault::Kind::kStatus) {
    co_return net::HttpResponse{
        .status = fault.status,
        .headers = {{"Content-Type", "application/json"}},
        .body = fmt::format(
            R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":"meddled","code":{}}})",
            fault.status)};
  }
  if (fault.kind == WireFault::Kind::kRefused || place_.handler == nullptr) {
    co_return Fail(ErrorKind::kUnavailable, "connection refused");
  }
  if (fault.kind == WireFault::Kind::kHang) {
    fault.hung();
    co_await UntilCancelled();
    co_return Fail(ErrorKind::kCancelled, "the request was cancelled");
  }
  const auto call = Begin(std::move(request));
  if (fault.kind == WireFault::Kind::kHangAfter) call->hung = fault.hung;
  while (!call->ended) {
    if (co_await call->changed.Wait() == Wake::kCancelled) {
      co_return Fail(ErrorKind::kCancelled, "the request was cancelled");
    }
  }
  if (call->cut || fault.kind == WireFault::Kind::kAnswerLost) {
    co_return Fail(is_write ? ErrorKind::kInDoubt : ErrorKind::kUnavailable,
                   "the connection was cut");
  }
  co_return std::move(call->head);
}

Task<Result<net::HttpStream>> Wire::Open(net::HttpRequest request) {
  const WireFault fault = Meddled(request);
  if (fault.kind != WireFault::Kind::kNone || place_.handler == nullptr) {
    co_return Fail(ErrorKind::kUnavailable, "connection refused");
  }
  const auto call = Begin(std::move(request));
  while (!call->answered) {
    if (co_await call->changed.Wait() == Wake::kCancelled) {
      co_return Fail(ErrorKind::kCancelled, "the request was cancelled");
    }
  }
  if (call->cut) co_return Fail(ErrorKind::kUnavailable, "the connection was cut");
  // A whole answer where a stream was asked for: its body is the only piece.
  if (!call->streams) call->pieces.push_back(std::exchange(call->head.body, {}));
  std::erase_if(streams_, [](const auto& stream) { return stream.expired(); });
  streams_.push_back(call);
  co_return net::HttpStream{.status = call->head.status,
                            .headers = call->head.headers,
                            .body = std::make_unique<Reader>(call)};
}

}  // namespace millwright::sim
