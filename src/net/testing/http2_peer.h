// A server's end of one HTTP/2 connection, in the test's hands, that understands what it is asked.
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "net/testing/http2_frames.h"
#include "net/testing/local_server.h"

namespace millwright::net {

class Http2Peer {
 public:
  struct Asked {
    std::uint32_t stream = 0;
    HttpRequest request;  // its headers with ":authority" and its like
  };

  explicit Http2Peer(LocalServer::Connection connection);
  Http2Peer(const Http2Peer&) = delete;
  Http2Peer& operator=(const Http2Peer&) = delete;

  // Both sides' first words. False if the client has gone.
  Task<bool> Greet(std::string settings = SettingsFrame(1U << 24U) + WindowFrame(1U << 30U));

  // The next whole request; pings and settings are answered on the way. None: the client has gone.
  Task<std::optional<Asked>> Next();

  // The next frame of any kind, nothing answered. None: the client has gone.
  Task<std::optional<Http2Frame>> NextFrame() { return ReadHttp2Frame(connection_); }

  // False if the client has gone.
  Task<bool> Say(std::string frames) { return connection_->Write(std::move(frames)); }
  Task<bool> Answer(std::uint32_t stream, HttpResponse response);

  LocalConnection& connection() { return *connection_; }

 private:
  void TakeHead(const Http2Frame& frame);

  const LocalServer::Connection connection_;
  std::unique_ptr<nghttp2_hd_inflater, decltype(&nghttp2_hd_inflate_del)> inflater_;
  std::map<std::uint32_t, Asked> asked_;
};

}  // namespace millwright::net
