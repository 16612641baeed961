#include "net/tls_dial.h"

#include <netinet/tcp.h>
#include <sys/socket.h>
#include <boost/asio/post.hpp>

#include <utility>

#include "net/endpoint.h"

namespace millwright::net {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// A peer that acknowledges nothing for so long is gone. Without it a write into a dead connection
// is noticed only after some fifteen minutes.
constexpr int kUserTimeoutMs = 30'000;

void Configure(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
  setsockopt(socket.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &kUserTimeoutMs,
             sizeof(kUserTimeoutMs));
}

}  // namespace

std::shared_ptr<TlsDial> TlsDial::Start(const Executor& executor, Clock& clock, Target target,
                                        Duration timeout, Done done) {
  const std::shared_ptr<TlsDial> dial(
      new TlsDial(executor, clock, std::move(target), timeout, std::move(done)));
  dial->Resolve();
  return dial;
}

TlsDial::TlsDial(const Executor& executor, Clock& clock, Target target, Duration timeout, Done done)
    : executor_(executor),
      clock_(clock),
      target_(std::move(target)),
      deadline_(clock.Elapsed() + timeout),
      done_(std::move(done)),
      resolver_(executor),
      alarm_(executor, clock, [this] { OnTime(); }) {}

template <class Function>
auto TlsDial::Step(Function function) {
  return
      [self = shared_from_this(), stream = stream_, step = ++step_, function](auto&&... arguments) {
        if (self->done_ && step == self->step_) function(*self, arguments...);
      };
}

void TlsDial::Resolve() {
  alarm_.Set(deadline_);
  error_code not_an_address;
  const auto address = asio::ip::make_address(target_.host, not_an_address);
  if (!not_an_address) {
    endpoints_.emplace_back(address, target_.port);
    asio::post(executor_, Step([](TlsDial& self) { self.TryNext(); }));
    return;
  }
  resolver_.async_resolve(
      target_.host, std::to_string(target_.port),
      Step([](TlsDial& self, const error_code& error, const tcp::resolver::results_type& found) {
        if (error) {
          self.Finish(
              Fail(ErrorKind::kUnavailable, "could not resolve the host: " + error.message()));
          return;
        }
        for (const auto& entry : found) self.endpoints_.push_back(entry.endpoint());
        self.TryNext();
      }));
}

void TlsDial::TryNext() {
  if (next_ == endpoints_.size()) {
    Finish(Fail(ErrorKind::kUnavailable, "could not connect: " + trouble_));
    return;
  }
  // One that does not answer at all must leave time for those after it.
  const SteadyTime now = clock_.Elapsed();
  const auto left = static_cast<Duration::rep>(endpoints_.size() - next_);
  alarm_.Set(now + (deadline_ - now) / left);
  stream_ = std::make_shared<TlsStream>(executor_, *target_.context);
  stream_->next_layer().async_connect(
      endpoints_[next_++],
      Step([](TlsDial& self, const error_code& error) { self.OnConnected(error); }));
}

void TlsDial::OnConnected(const error_code& error) {
  if (error) {
    trouble_ = error.message();
    TryNext();
    return;
  }
  alarm_.Set(deadline_);
  Configure(stream_->next_layer());
  auto expected = ExpectServer(*stream_, target_.server_name);
  if (!expected) {
    Finish(Failure(std::move(expected).error()));
    return;
  }
  Handshake();
}

void TlsDial::Handshake() {
  stream_->async_handshake(TlsStream::client, Step([](TlsDial& self, const error_code& error) {
                             if (error) {
                               self.Finish(Failure(HandshakeError(*self.stream_, error)));
                             } else {
                               self.Finish(std::move(self.stream_));
                             }
                           }));
}

void TlsDial::OnTime() {
  ++step_;
  const bool over = clock_.Elapsed() >= deadline_;
  if (over) {
    Finish(Fail(ErrorKind::kUnavailable, "could not connect: no connection in time"));
    return;
  }
  trouble_ = "no connection in time";
  CloseStream();
  TryNext();
}

void TlsDial::CloseStream() {
  if (!stream_) return;
  error_code ignored;
  stream_->next_layer().close(ignored);
  stream_.reset();
}

void TlsDial::Finish(Result<std::shared_ptr<TlsStream>> outcome) {
  const Done done = std::exchange(done_, nullptr);
  alarm_.Cancel();
  CloseStream();
  done(std::move(outcome));
}

void TlsDial::Cancel() {
  done_ = nullptr;
  alarm_.Cancel();
  resolver_.cancel();
  CloseStream();
}

}  // namespace millwright::net
