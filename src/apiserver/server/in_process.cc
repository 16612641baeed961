#include "apiserver/server/in_process.h"

#include <string>
#include <utility>

#include "base/signal.h"

namespace millwright::apiserver {

namespace {

// A stream's pieces on their way from the handler to the reader, one at a time: the writer waits
// until its piece was taken.
struct Channel {
  explicit Channel(const Executor& executor) : changed(executor), tasks(executor) {}

  Signal changed;
  std::string piece;
  bool full = false;
  bool ended = false;   // by the handler
  bool closed = false;  // by the reader
  bool cut = false;
  net::BodyStream stream;
  TaskGroup tasks;
};

class ChannelWriter final : public net::BodyWriter {
 public:
  explicit ChannelWriter(Channel& channel) : channel_(channel) {}

  Task<Result<void>> Write(std::string piece) override {
    if (piece.empty()) co_return Ok();
    channel_.piece = std::move(piece);
    channel_.full = true;
    channel_.changed.NotifyAll();
    while (channel_.full && !channel_.closed) {
      if (co_await channel_.changed.Wait() == Wake::kCancelled) break;
    }
    if (channel_.full) co_return Fail(ErrorKind::kCancelled, "the reader is gone");
    co_return Ok();
  }

 private:
  Channel& channel_;
};

Task<void> Pump(Channel& channel) {
  ChannelWriter writer(channel);
  const auto ended = co_await channel.stream(writer);
  channel.cut = !ended;
  channel.ended = true;
  channel.changed.NotifyAll();
}

// Lets the handler write until it has ended, the reader has gone, or all is to end.
Task<void> Supervise(std::shared_ptr<Channel> channel) {
  channel->tasks.Spawn([&] { return Pump(*channel); });
  Wake why = Wake::kDone;
  while (!channel->ended && !channel->closed && why != Wake::kCancelled) {
    why = co_await channel->changed.Wait();
  }
  channel->tasks.Cancel();
  co_await channel->tasks.Join();
}

class ChannelReader final : public net::BodyReader {
 public:
  explicit ChannelReader(std::shared_ptr<Channel> channel) : channel_(std::move(channel)) {}
  ~ChannelReader() override {
    channel_->closed = true;
    channel_->changed.NotifyAll();
  }
  ChannelReader(const ChannelReader&) = delete;
  ChannelReader& operator=(const ChannelReader&) = delete;

  Task<Result<std::string>> Read() override { return ReadFrom(channel_); }

 private:
  static Task<Result<std::string>> ReadFrom(std::shared_ptr<Channel> channel) {
    while (!channel->full && !channel->ended) {
      if (co_await channel->changed.Wait() == Wake::kCancelled) {
        co_return Fail(ErrorKind::kCancelled, "reading was cancelled");
      }
    }
    if (channel->full) {
      channel->full = false;
      channel->changed.NotifyAll();
      co_return std::exchange(channel->piece, {});
    }
    if (channel->cut) co_return Fail(ErrorKind::kUnavailable, "the stream was cut");
    co_return std::string();
  }

  const std::shared_ptr<Channel> channel_;
};

}  // namespace

InProcessHttp::InProcessHttp(const Executor& executor, net::Handler& handler,
                             net::PeerIdentity peer)
    : executor_(executor), handler_(handler), peer_(std::move(peer)), streams_(executor) {}

Task<void> InProcessHttp::Close() {
  streams_.Cancel();
  return streams_.Join();
}

Task<Result<net::HttpResponse>> InProcessHttp::Send(net::HttpRequest request) {
  auto response = co_await handler_.Handle({.http = std::move(request), .peer = peer_});
  if (response.stream) co_return Fail(ErrorKind::kInvalid, "a stream was not asked for");
  co_return std::move(response.http);
}

Task<Result<net::HttpStream>> InProcessHttp::Open(net::HttpRequest request) {
  auto response = co_await handler_.Handle({.http = std::move(request), .peer = peer_});
  auto channel = std::make_shared<Channel>(executor_);
  channel->piece = std::move(response.http.body);
  channel->full = !channel->piece.empty();
  channel->ended = !response.stream;
  net::HttpStream stream{.status = response.http.status,
                         .headers = std::move(response.http.headers),
                         .body = std::make_unique<ChannelReader>(channel)};
  if (response.stream) {
    channel->stream = std::move(response.stream);
    streams_.Spawn([channel] { return Supervise(channel); });
  }
  co_return stream;
}

}  // namespace millwright::apiserver
