#include "net/http2_exchange.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "net/http2_connection.h"
#include "net/http2_pool.h"
#include "net/request_error.h"

namespace millwright::net {

namespace {

// Of all fields of an answer together; what Go's client takes too.
constexpr std::size_t kMaxHead = std::size_t{256} << 10U;

// A promise of more is believed when the bytes come.
constexpr std::size_t kMaxReserve = std::size_t{4} << 20U;

}  // namespace

Http2Exchange::Http2Exchange(std::shared_ptr<Http2Pool> pool,
                             std::shared_ptr<const Http2Request> request, Body body,
                             const Limits& limits)
    : Exchange(body), pool_(std::move(pool)), request_(std::move(request)), limits_(limits) {}

Http2Exchange::~Http2Exchange() {
  if (!ended()) Leave();
}

std::string Http2Exchange::Doing() const { return request_->method + " " + request_->url; }

void Http2Exchange::Start() { pool_->Start(*this); }

void Http2Exchange::OnAttached(Http2Connection& connection) {
  connection_ = &connection;
  connection_number_ = connection.number();
}

void Http2Exchange::Leave() {
  if (connection_ != nullptr) {
    std::exchange(connection_, nullptr)->Cancel(*this);
  } else {
    pool_->Forget(*this);
  }
}

void Http2Exchange::Stop() {
  if (ended()) return;
  Leave();
  Fail(StoppedError(Doing()));
}

Error Http2Exchange::GiveUp() {
  if (connection_ != nullptr) connection_->OnTimeout();
  Stop();
  return TimeoutError(sent_, request_->method, Doing());
}

void Http2Exchange::Fail(Error error, Again again) {
  connection_ = nullptr;
  failure_ = std::move(error);
  again_ = again;
  End();
}

bool Http2Exchange::OnField(std::string_view name, std::string_view value) {
  const bool is_trailer = head_complete_;
  if (is_trailer && !request_->wants_trailers) return true;
  if (name == ":status") {
    // Also after an interim answer.
    headers_ = {};
    status_ = 0;
    std::from_chars(value.data(), value.data() + value.size(), status_);
  } else {
    headers_.Add(std::string(name), std::string(value));
  }
  head_size_ += name.size() + value.size();
  if (head_size_ <= kMaxHead) return true;
  Fail(TooLargeError(request_->method, Doing(), "answer's head", kMaxHead));
  return false;
}

void Http2Exchange::OnFieldsEnd() {
  const bool interim = status_ < 200;
  if (!head_complete_ && !interim) FinishHead();
}

void Http2Exchange::FinishHead() {
  head_complete_ = true;
  const bool coded = request_->undo_gzip && headers_.Find("content-encoding") == "gzip";
  if (coded) {
    gunzip_.emplace();
    headers_ = OfPlainBody(headers_);
  }
  if (mode() == Body::kPieces) {
    Notify();
    return;
  }
  const std::string_view length = headers_.Find("content-length").value_or("");
  std::size_t promised = 0;
  std::from_chars(length.data(), length.data() + length.size(), promised);
  body_.reserve(std::min({promised, limits_.answer, kMaxReserve}));
}

bool Http2Exchange::OnData(std::string_view bytes) {
  if (!gunzip_) return Keep(bytes);
  coded_.append(bytes);
  return Decode();
}

bool Http2Exchange::Keep(std::string_view bytes) {
  if (mode() == Body::kPieces) {
    // How much may come is up to the window that we have given, so there is no need to look.
    unconsumed_ += bytes.size();
    body_.append(bytes);
    Notify();
    return true;
  }
  if (body_.size() + bytes.size() > limits_.answer) {
    Fail(TooLargeError(request_->method, Doing(), "answer", limits_.answer));
    return false;
  }
  body_.append(bytes);
  return true;
}

bool Http2Exchange::Decode() {
  const bool whole = mode() == Body::kWhole;
  const std::size_t limit = whole ? limits_.answer + 1 : limits_.unread;
  const auto used = gunzip_->Add(coded_, body_, limit);
  if (!used) {
    coded_.clear();
    Fail(LostError(request_->method, Doing(), used.error().message()));
    return false;
  }
  coded_.erase(0, *used);
  if (whole && body_.size() > limits_.answer) {
    Fail(TooLargeError(request_->method, Doing(), "answer", limits_.answer));
    return false;
  }
  unconsumed_ += *used;
  if (!whole && !body_.empty()) Notify();
  return true;
}

std::string Http2Exchange::TakePiece() {
  std::string piece = std::exchange(body_, {});
  if (connection_ != nullptr) connection_->Consume(*this, std::exchange(unconsumed_, 0));
  const bool more = gunzip_ && (!coded_.empty() || gunzip_->has_more());
  if (more) {
    Http2Connection* const connection = connection_;
    if (!Decode() && connection != nullptr) connection->Cancel(*this);
    CheckCoding();
  }
  return piece;
}

// Whether a coded answer that has come to its end is whole.
void Http2Exchange::CheckCoding() {
  if (!complete_ || !gunzip_ || failure_) return;
  const bool all_decoded = coded_.empty() && !gunzip_->has_more();
  if (all_decoded && !gunzip_->at_end()) {
    failure_ = LostError(request_->method, Doing(), "the gzip is cut short");
  }
}

void Http2Exchange::OnEnd() {
  connection_ = nullptr;
  complete_ = true;
  CheckCoding();
  End();
}

void Http2Exchange::OnReset(std::uint32_t code) {
  const bool refused = code == NGHTTP2_REFUSED_STREAM && !head_complete_;
  if (refused) {
    Fail(NotSentError(Doing(), "the server refused the stream"), Again::kElsewhere);
  } else if (code == NGHTTP2_HTTP_1_1_REQUIRED && !head_complete_) {
    OnNotHttp2();
  } else {
    Fail(LostError(request_->method, Doing(),
                   std::string("the stream was reset: ") + nghttp2_http2_strerror(code)));
  }
}

void Http2Exchange::OnConnectionLost(const Error& why, bool had_served) {
  if (why.kind() == ErrorKind::kUnauthenticated) {
    Fail(RefusedCertificateError(Doing(), why.message()));
  } else if (!sent_) {
    Fail(NotSentError(Doing(), why.message()), Again::kElsewhere);
  } else {
    // A server may close a connection that it finds idle just when we use it again. That is no
    // reason to bother anybody, if the request may be repeated.
    const bool harmless = had_served && status_ == 0 && !IsWriting(request_->method);
    Fail(LostError(request_->method, Doing(), why.message()),
         harmless ? Again::kElsewhere : Again::kNo);
  }
}

void Http2Exchange::OnNoConnection(const Error& why) { Fail(Error(why).Wrap(Doing())); }

void Http2Exchange::OnNotHttp2() {
  Fail(Error(ErrorKind::kUnavailable, Doing() + ": the server wants HTTP/1.1"), Again::kHttp11);
}

void Http2Exchange::OnClosed() { Fail(StoppedError(Doing())); }

}  // namespace millwright::net
