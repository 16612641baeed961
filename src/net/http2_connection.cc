#include "net/http2_connection.h"

#include <boost/asio/post.hpp>

#include <utility>

#include "net/request_error.h"

namespace millwright::net {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

// How long the server has to give a sign of life.
constexpr Duration kPingAnswer = std::chrono::seconds(14);

// On top of it, so that after a pause of our own what has come meanwhile is read before we judge.
constexpr Duration kGrace = std::chrono::seconds(1);

// A shorter silence says nothing about a connection.
constexpr Duration kSuspicious = std::chrono::seconds(5);

// Requests that come together leave together.
constexpr std::size_t kWriteSize = std::size_t{128} << 10U;

}  // namespace

Http2Connection::Http2Connection(const Executor& executor, Clock& clock, ByteStream stream,
                                 const Http2Session::Settings& settings, const Liveness& liveness,
                                 std::uint64_t number, Owner& owner)
    : executor_(executor),
      clock_(clock),
      liveness_(liveness),
      number_(number),
      stream_(std::move(stream)),
      owner_(&owner),
      session_(settings),
      last_heard_(clock.Elapsed()),
      alarm_(executor, clock, [this] { OnAlarm(); }) {}

Http2Connection::~Http2Connection() = default;

void Http2Connection::Start() {
  alarm_.Set(last_heard_ + liveness_.quiet);
  FlushSoon();
  Read();
}

bool Http2Connection::is_usable() const {
  return !closed_ && !retiring_ && !broken_ && trusted_ && session_.takes_new();
}

void Http2Connection::Attach(Http2Exchange& exchange) {
  exchange.OnAttached(*this);
  session_.Submit(exchange);
  FlushSoon();
}

void Http2Connection::Cancel(Http2Exchange& exchange) {
  session_.Cancel(exchange);
  FlushSoon();
}

void Http2Connection::Consume(const Http2Exchange& exchange, std::size_t bytes) {
  session_.Consume(exchange, bytes);
  FlushSoon();
}

void Http2Connection::OnTimeout() {
  if (closed_ || clock_.Elapsed() - last_heard_ < kSuspicious) return;
  trusted_ = false;
  if (!pinging_) Ping();
}

void Http2Connection::Retire() {
  retiring_ = true;
  FlushSoon();
}

void Http2Connection::Read() {
  stream_.ReadSome(asio::buffer(incoming_),
                   [self = shared_from_this()](const error_code& error, std::size_t size) {
                     self->OnRead(error, size);
                   });
}

void Http2Connection::OnRead(const error_code& error, std::size_t size) {
  if (closed_) return;
  if (error) {
    const std::string detail = error.message();
    const auto kind =
        RefusedOurCertificate(detail) ? ErrorKind::kUnauthenticated : ErrorKind::kUnavailable;
    Fail(Error(kind, detail));
    return;
  }
  last_heard_ = clock_.Elapsed();
  pinging_ = false;
  trusted_ = true;
  const auto received = session_.Receive(std::string_view(incoming_.data(), size));
  if (!received) {
    Fail(received.error());
    return;
  }
  Read();
  FlushSoon();
  AfterTraffic();
}

// From a handler of its own, so that what is asked for in one turn of the loop goes out together.
void Http2Connection::FlushSoon() {
  if (flush_posted_ || writing_ || closed_ || broken_) return;
  flush_posted_ = true;
  asio::post(executor_, [self = shared_from_this()] {
    self->flush_posted_ = false;
    self->Flush();
  });
}

void Http2Connection::Flush() {
  if (writing_ || closed_ || broken_) return;
  outgoing_.clear();
  const auto pulled = session_.Pull(outgoing_, kWriteSize);
  if (!pulled) {
    Fail(pulled.error());
    return;
  }
  if (outgoing_.empty()) {
    AfterTraffic();
    return;
  }
  writing_ = true;
  stream_.WriteAll(asio::buffer(outgoing_),
                   [self = shared_from_this()](const error_code& error, std::size_t) {
                     self->OnWritten(error);
                   });
}

void Http2Connection::OnWritten(const error_code& error) {
  writing_ = false;
  if (closed_) return;
  if (!error) {
    Flush();
    return;
  }
  // What the server said before it left is worth more than that it has left, and may lie unread.
  broken_ = true;
  stream_.Shutdown();
}

// Looks what the last bytes, in or out, have changed.
void Http2Connection::AfterTraffic() {
  if (closed_) return;
  const bool done = (retiring_ || !session_.takes_new()) && session_.load() == 0 && !writing_;
  if (done || session_.is_over()) {
    Fail(Error(ErrorKind::kUnavailable, "the connection was closed"));
    return;
  }
  if (owner_ != nullptr) owner_->OnChange();
}

void Http2Connection::Ping() {
  pinging_ = true;
  overdue_ = false;
  session_.Ping();
  alarm_.Set(clock_.Elapsed() + kPingAnswer);
  FlushSoon();
}

void Http2Connection::OnAlarm() {
  if (closed_) return;
  if (pinging_ && !std::exchange(overdue_, true)) {
    alarm_.Set(clock_.Elapsed() + kGrace);
    return;
  }
  if (pinging_) {
    Fail(Error(ErrorKind::kUnavailable, "the server gives no sign of life"));
    return;
  }
  const SteadyTime quiet_at = last_heard_ + liveness_.quiet;
  if (clock_.Elapsed() < quiet_at) {
    alarm_.Set(quiet_at);
  } else if (session_.load() == 0 && owner_ != nullptr &&
             (!liveness_.keep_idle || owner_->CanSpare(*this))) {
    Fail(Error(ErrorKind::kUnavailable, "not needed"));
  } else {
    Ping();
  }
}

void Http2Connection::Fail(const Error& why) {
  CloseStream();
  const bool had_served = session_.has_served();
  const std::string& complaint = session_.complaint();
  const Error shown(why.kind(), why.message() + (complaint.empty() ? "" : ": " + complaint));
  for (Http2Exchange* exchange : session_.Abandon()) exchange->OnConnectionLost(shown, had_served);
  if (owner_ != nullptr) owner_->OnChange();
}

void Http2Connection::Close() {
  owner_ = nullptr;
  CloseStream();
  for (Http2Exchange* exchange : session_.Abandon()) exchange->OnClosed();
}

void Http2Connection::CloseStream() {
  closed_ = true;
  alarm_.Cancel();
  stream_.Close();
}

}  // namespace millwright::net
