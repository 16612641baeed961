#include "tests/sim/wire.h"

#include <fmt/format.h>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include <deque>

#include "base/signal.h"
#include "base/task_group.h"
#include "tests/faults/stream_text.h"
#include "tests/sim/merged_events.h"

namespace millwright::sim {

namespace {

std::string StatusText(int status) {
  return fmt::format(
      R"({{"kind":"Status","apiVersion":"v1","status":"Failure","message":"meddled","code":{}}})",
      status);
}

}  // namespace

struct Wire::Call : std::enable_shared_from_this<Wire::Call> {
  Call(VirtualProcess& client, std::weak_ptr<Line> line)
      : line(std::move(line)), changed(client.executor()) {}

  // Wakes the client, if it lives.
  void Tell() {
    const auto client = line.lock();
    if (!client) return;
    if (client->paused) {
      client->untold.push_back(weak_from_this());
    } else {
      changed.NotifyAll();
    }
  }

  void Add(std::string piece) {
    const auto client = line.lock();
    if (client && (client->repeated || !tail.empty())) piece = faults::EachLineTwice(piece, tail);
    if (piece.empty()) return;
    (client && client->held ? held : pieces).push_back(std::move(piece));
    Tell();
  }

  void Release(bool merged) {
    if (merged) {
      std::string all;
      for (const std::string& piece : held) all += piece;
      held.assign(1, OnlyLastEvents(all));
    }
    for (std::string& piece : held) {
      if (!piece.empty()) pieces.push_back(std::move(piece));
    }
    held.clear();
    Tell();
  }

  std::weak_ptr<Line> line;
  Signal changed;  // of the client's process
  bool answered = false;
  bool cut = false;  // the server died, or cut it
  net::HttpResponse head;
  bool streams = false;
  std::deque<std::string> pieces;
  std::deque<std::string> held;  // not to be seen yet
  std::string tail;              // of a line whose end has not come, where lines are repeated
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
    if (call_->reader_gone || call_->line.expired()) {
      co_return Fail(ErrorKind::kCancelled, "the reader is gone");
    }
    call_->Add(std::move(piece));
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
    while (call->pieces.empty() && !(call->ended && call->held.empty())) {
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
      edit_(edit),
      clock_(client) {}

Wire::~Wire() = default;

Task<void> Wire::Serve(std::shared_ptr<Call> call, net::Handler& handler,
                       net::ServerRequest request) {
  Writer writer(call);
  net::ServerResponse response = co_await handler.Handle(std::move(request));
  call->head = std::move(response.http);
  call->streams = static_cast<bool>(response.stream);
  call->answered = true;
  if (call->streams) {
    if (!call->head.body.empty()) call->Add(std::exchange(call->head.body, {}));
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

void Wire::Cut(std::vector<std::weak_ptr<Call>>& calls) {
  for (const std::weak_ptr<Call>& weak : std::exchange(calls, {})) {
    const auto call = weak.lock();
    if (!call || (call->ended && call->held.empty())) continue;
    call->cut = call->ended = call->answered = call->reader_gone = true;
    call->held.clear();
    call->Tell();
  }
}

void Wire::CutStreams() { Cut(streams_); }

void Wire::CutAll() {
  Cut(streams_);
  Cut(requests_);
}

void Wire::Pause(bool pause) {
  line_->paused = pause;
  if (pause) return;
  for (const std::weak_ptr<Call>& weak : std::exchange(line_->untold, {})) {
    if (const auto call = weak.lock()) call->Tell();
  }
}

void Wire::HoldStreams(bool hold) {
  line_->held = hold;
  if (hold) return;
  for (const std::weak_ptr<Call>& weak : streams_) {
    if (const auto call = weak.lock()) call->Release(line_->merged);
  }
}

void Wire::RepeatEvents(bool repeat) { line_->repeated = repeat; }

void Wire::MergeHeld(bool merge) { line_->merged = merge; }

WireFault Wire::Meddled(const net::HttpRequest& request) const {
  return meddle_ ? meddle_(request) : WireFault{};
}

std::shared_ptr<Wire::Call> Wire::Begin(net::HttpRequest request) {
  auto call = std::make_shared<Call>(client_, line_);
  boost::asio::co_spawn(place_.process->executor(),
                        Serve(call, *place_.handler, {.http = std::move(request), .peer = peer_}),
                        boost::asio::detached);
  return call;
}

Task<Result<net::HttpResponse>> Wire::Send(net::HttpRequest request) {
  const bool is_write = request.method != "GET";
  if (edit_ != nullptr) edit_(request);
  // Only the lists of caches have pages; what is read to be sure of it is never
  // old.
  if (list_as_of_ > 0 && !is_write && request.target.contains("limit=") &&
      !request.target.contains("continue=")) {
    request.target += fmt::format("&resourceVersion={}&resourceVersionMatch=Exact", list_as_of_);
  }
  const WireFault fault = Meddled(request);
  if (fault.kind == WireFault::Kind::kStatus) {
    net::HttpResponse answer{.status = fault.status,
                             .headers = {{"Content-Type", "application/json"}},
                             .body = StatusText(fault.status)};
    if (!fault.retry_after.empty()) answer.headers.Add("Retry-After", fault.retry_after);
    co_return answer;
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
  std::erase_if(requests_, [](const auto& sent) { return sent.expired(); });
  requests_.push_back(call);
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
  if (fault.kind == WireFault::Kind::kSlow &&
      co_await SleepFor(clock_, fault.delay) == Wake::kCancelled) {
    co_return Fail(ErrorKind::kCancelled, "the request was cancelled");
  }
  co_return std::move(call->head);
}

Task<Result<net::HttpStream>> Wire::Open(net::HttpRequest request) {
  if (edit_ != nullptr) edit_(request);
  if (list_as_of_ > 0 && request.target.contains("sendInitialEvents=true")) {
    const auto refused = std::make_shared<Call>(client_, line_);
    refused->pieces.push_back(StatusText(400));
    refused->ended = true;
    co_return net::HttpStream{.status = 400,
                              .headers = {{"Content-Type", "application/json"}},
                              .body = std::make_unique<Reader>(refused)};
  }
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
