// A connection without a network, for tests in virtual time.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/signal.h"
#include "net/server_stream.h"

namespace millwright::net {

// The other end of a FakeStream, in the test's hands.
class FakeClient {
 public:
  explicit FakeClient(const Executor& executor) : changed_(executor) {}

  void Send(std::string_view bytes) {
    sent_ += bytes;
    changed_.NotifyAll();
  }

  // Sends no more; still receives.
  void HangUp() {
    hung_up_ = true;
    changed_.NotifyAll();
  }

  // Takes nothing until told otherwise.
  void Stall(bool stalled) {
    stalled_ = stalled;
    changed_.NotifyAll();
  }

  // What came since the last call.
  std::string Receive() { return std::exchange(received_, {}); }

  // The server has closed properly, or has cut the connection.
  bool saw_goodbye() const { return saw_goodbye_; }
  bool is_cut() const { return cut_; }

 private:
  friend class FakeStream;

  bool IsClosed() const { return saw_goodbye_ || cut_; }

  std::string sent_;
  std::string received_;
  bool hung_up_ = false;
  bool stalled_ = false;
  bool saw_goodbye_ = false;
  bool cut_ = false;
  Signal changed_;
};

class FakeStream final : public ByteStream {
 public:
  explicit FakeStream(std::shared_ptr<FakeClient> client) : client_(std::move(client)) {}

  Task<Result<void>> Handshake() override { co_return Ok(); }

  PeerIdentity peer() const override {
    PeerIdentity peer;
    peer.address = "fake:1";
    return peer;
  }

  Task<Result<std::size_t>> Read(boost::asio::mutable_buffer into) override {
    FakeClient& client = *client_;
    Wake why = Wake::kDone;
    while (client.sent_.empty() && !client.hung_up_ && !client.IsClosed() && why == Wake::kDone) {
      why = co_await client.changed_.Wait();
    }
    if (client.IsClosed()) co_return Fail(ErrorKind::kUnavailable, "cut");
    const std::size_t size = std::min(into.size(), client.sent_.size());
    std::memcpy(into.data(), client.sent_.data(), size);
    client.sent_.erase(0, size);
    co_return size;
  }

  Task<Result<void>> Write(std::string bytes) override {
    FakeClient& client = *client_;
    Wake why = Wake::kDone;
    while (client.stalled_ && !client.cut_ && why == Wake::kDone) {
      why = co_await client.changed_.Wait();
    }
    if (client.cut_) co_return Fail(ErrorKind::kUnavailable, "cut");
    client.received_ += bytes;
    co_return Ok();
  }

  Task<void> Close() override {
    client_->saw_goodbye_ = true;
    client_->changed_.NotifyAll();
    Wake why = Wake::kDone;
    while (!client_->hung_up_ && !client_->cut_ && why == Wake::kDone) {
      why = co_await client_->changed_.Wait();
    }
  }

  void Abort() override {
    client_->cut_ = true;
    client_->changed_.NotifyAll();
  }

 private:
  const std::shared_ptr<FakeClient> client_;
};

}  // namespace millwright::net
