// An open HTTP/2 connection: a session on a stream of bytes, and whether the other end still lives.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "net/alarm.h"
#include "net/byte_stream.h"
#include "net/http2_session.h"

namespace millwright::net {

// Handlers of Asio keep it alive while it is open; Close ends them.
class Http2Connection : public std::enable_shared_from_this<Http2Connection> {
 public:
  class Owner {
   public:
    virtual ~Owner() = default;

    // There may be room now, or the connection has closed. May close it, but not from a call of
    // ours to it.
    virtual void OnChange() = 0;

    // Asked of one that nothing uses and that has been quiet for a while.
    virtual bool CanSpare(const Http2Connection& connection) = 0;
  };

  // When nothing has come for so long, the server is asked for a sign of life; an idle connection
  // may be closed instead. Servers of gRPC send those away who ask too often, or while idle.
  struct Liveness {
    Duration quiet = std::chrono::seconds(30);
    bool keep_idle = true;
  };

  // `number` tells it from others of its owner.
  Http2Connection(const Executor& executor, Clock& clock, ByteStream stream,
                  const Http2Session::Settings& settings, const Liveness& liveness,
                  std::uint64_t number, Owner& owner);
  ~Http2Connection();

  void Start();

  // Whether it takes more exchanges at all, and whether it does now.
  bool is_usable() const;
  bool has_room() const { return is_usable() && session_.load() < session_.max_streams(); }

  // While it has room. They stay until they end or are cancelled.
  void Attach(Http2Exchange& exchange);
  void Cancel(Http2Exchange& exchange);
  void Consume(const Http2Exchange& exchange, std::size_t bytes);

  // An answer has not come in time. If nothing else has come either, the connection is not used for
  // more until it has shown that it lives.
  void OnTimeout();

  // Takes no more, and closes when what is on it has ended.
  void Retire();

  // Ends what is on it, together with its owner, who will not be called any more.
  void Close();

  bool is_open() const { return !closed_; }
  std::uint64_t number() const { return number_; }
  const Http2Session& session() const { return session_; }

 private:
  void Read();
  void OnRead(const boost::system::error_code& error, std::size_t size);
  void FlushSoon();
  void Flush();
  void OnWritten(const boost::system::error_code& error);
  void AfterTraffic();
  void Ping();
  void OnAlarm();
  void Fail(const Error& why);
  void CloseStream();

  // Fixed after construction.
  const Executor executor_;
  Clock& clock_;
  const Liveness liveness_;
  const std::uint64_t number_;

  // State.
  ByteStream stream_;
  Owner* owner_;
  Http2Session session_;
  bool retiring_ = false;
  bool closed_ = false;

  // Bytes.
  std::array<char, 16U << 10U> incoming_{};
  std::string outgoing_;
  bool flush_posted_ = false;
  bool writing_ = false;
  bool broken_ = false;  // nothing can be written; the reader will find out why

  // Signs of life.
  SteadyTime last_heard_;
  bool pinging_ = false;  // and nothing has come since
  bool overdue_ = false;
  bool trusted_ = true;
  Alarm alarm_;
};

}  // namespace millwright::net
