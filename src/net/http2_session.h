// HTTP/2 as bytes in and bytes out: nghttp2, and which exchange is on which stream.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "net/http2_exchange.h"

namespace millwright::net {

// Windows: that of the connection is opened again for whatever comes, so that a stream whose reader
// takes its time holds up nobody else; that of a stream only as its bytes are taken, so that no
// more than a window's worth of it is ever kept.
class Http2Session {
 public:
  struct Settings {
    std::size_t stream_window = 0;
    std::size_t assumed_streams = 0;  // at a time, until the server has said how many it takes
  };

  explicit Http2Session(const Settings& settings);
  Http2Session(const Http2Session&) = delete;
  Http2Session& operator=(const Http2Session&) = delete;

  // What came from the server; tells the exchanges. After an error the session is of no more use.
  Result<void> Receive(std::string_view bytes);

  // Appends what is to be sent, until there is enough for one write. An error as above.
  Result<void> Pull(std::string& out, std::size_t enough);

  // The exchange stays where it is until one of its On... functions for an end is called, or
  // Cancel.
  void Submit(Http2Exchange& exchange);
  void Cancel(Http2Exchange& exchange);

  // Lets the server send so much more on that stream.
  void Consume(const Http2Exchange& exchange, std::size_t bytes);

  void Ping();

  // Takes the streams away from all exchanges, so that they can be told why.
  std::vector<Http2Exchange*> Abandon();

  std::size_t load() const { return streams_.size(); }
  std::size_t long_lived() const;  // of these, those whose answer is taken in pieces
  std::size_t max_streams() const { return max_streams_; }
  bool knows_max_streams() const { return knows_max_streams_; }

  // False when the server is about to leave, or the numbers of streams are used up.
  bool takes_new() const;

  // True when there will be nothing more to read or to write.
  bool is_over() const;

  // What the server did or said that ends the session; empty if nothing.
  const std::string& complaint() const { return complaint_; }

  // True once any answer has begun.
  bool has_served() const { return has_served_; }

 private:
  struct Callbacks;

  Http2Exchange* Find(std::int32_t stream) const;
  void OnPart(const nghttp2_frame& frame);
  void OnGoAway(const nghttp2_goaway& frame);
  void Drop(std::int32_t stream, std::uint32_t code);

  std::unique_ptr<nghttp2_session, decltype(&nghttp2_session_del)> session_;
  std::unordered_map<std::int32_t, Http2Exchange*> streams_;
  std::size_t max_streams_;
  bool knows_max_streams_ = false;
  bool has_served_ = false;
  std::string complaint_;
};

}  // namespace millwright::net
