// One request and its answer on a stream of an HTTP/2 connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "net/exchange.h"
#include "net/gunzip.h"
#include "net/http2_request.h"

namespace millwright::net {

class Http2Connection;
class Http2Pool;

class Http2Exchange final : public Exchange {
 public:
  struct Limits {
    std::size_t answer = 0;  // of a whole body
    std::size_t unread = 0;  // of pieces that nobody has taken yet
  };

  // What a new exchange with the same request can do about the failure of this one.
  enum class Again {
    kNo,
    kElsewhere,  // it surely had no effect, or does no harm twice: on another connection
    kHttp11,     // the server does not speak HTTP/2, or not for this
  };

  Http2Exchange(std::shared_ptr<Http2Pool> pool, std::shared_ptr<const Http2Request> request,
                Body body, const Limits& limits);
  ~Http2Exchange() override;

  // Not on the connection of that number, if there is a choice.
  void Avoid(std::uint64_t connection) { avoided_ = connection; }
  void Start();

  void Stop() override;
  Error GiveUp() override;
  std::string TakePiece() override;
  std::optional<Error> failure() const override { return failure_; }

  // Once ended.
  Again again() const { return again_; }

  // For the pool: the connection not to use, and the one that it is on; 0 for none.
  std::uint64_t avoided() const { return avoided_; }
  std::uint64_t connection_number() const { return connection_number_; }
  bool is_stream() const { return mode() == Body::kPieces; }

  // For the connection: where the exchange is now.
  Http2Connection* connection() const { return connection_; }
  void OnAttached(Http2Connection& connection);
  std::int32_t stream_id = 0;

  // For the session: the request, as it goes out ...
  const Http2Request& request() const { return *request_; }
  std::string_view unsent_body() const {
    return std::string_view(request_->body).substr(body_sent_);
  }
  void OnBodySent(std::size_t size) { body_sent_ += size; }
  void OnSent() { sent_ = true; }

  // ... and the answer, as it comes in. False: there is no use for the rest, and it has ended.
  bool OnField(std::string_view name, std::string_view value);
  void OnFieldsEnd();
  bool OnData(std::string_view bytes);

  // How it ends, if not by us; each at most once, and the stream is gone by then.
  void OnEnd();
  void OnReset(std::uint32_t code);
  void OnConnectionLost(const Error& why, bool had_served);
  void OnNoConnection(const Error& why);
  void OnNotHttp2();
  void OnClosed();  // together with the whole client

 private:
  std::string Doing() const;
  void FinishHead();
  bool Keep(std::string_view bytes);
  bool Decode();
  void CheckCoding();
  void Fail(Error error, Again again = Again::kNo);
  void Leave();

  // Fixed after construction.
  const std::shared_ptr<Http2Pool> pool_;
  const std::shared_ptr<const Http2Request> request_;
  const Limits limits_;

  // Where it is.
  std::uint64_t avoided_ = 0;
  std::uint64_t connection_number_ = 0;
  Http2Connection* connection_ = nullptr;
  std::size_t body_sent_ = 0;
  bool sent_ = false;

  // The answer.
  std::size_t head_size_ = 0;
  std::optional<Gunzip> gunzip_;
  std::string coded_;           // what could not be decoded yet, for want of room
  std::size_t unconsumed_ = 0;  // bytes of the stream's window that body_ stands for
  bool complete_ = false;       // the server has sent all

  std::optional<Error> failure_;
  Again again_ = Again::kNo;
};

}  // namespace millwright::net
