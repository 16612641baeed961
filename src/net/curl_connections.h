// Which connection takes which request.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "net/curl_loop.h"
#include "net/tls_config.h"

namespace millwright::net {

// The connections opened with one TLS configuration. Three sorts, because HTTP/2 in libcurl 7.88
// has to be handled with care:
//
// Calls share HTTP/2 connections. When such a connection's send buffer is full, libcurl puts the
// head of a request into its body (http2.c, cf_h2_send after CURLE_AGAIN), or OpenSSL gives up with
// "bad write retry". So what is unanswered on one connection is kept below what the buffer takes,
// and large requests go elsewhere.
//
// Large requests, and all without TLS, use a pool of HTTP/1.1 connections.
//
// Streams have an HTTP/1.1 connection each. A stream that is paused over HTTP/2 stops the reading
// of all others once 16 KiB more have come for it (http2.c, NGHTTP2_ERR_PAUSE).
class CurlConnections {
 public:
  CurlConnections(const Executor& executor, TlsConfig tls, std::size_t max_connections);

  const TlsConfig& tls() const { return tls_; }

  // Where to run a transfer.
  struct Place {
    std::shared_ptr<CurlLoop> loop;
    bool multiplexed = false;
  };
  Place ForCall(bool over_tls, std::size_t cost);
  Place ForStream() { return {.loop = streams_}; }

  // A server that speaks HTTP/2 may get more than one lane.
  void NoteHttp2() { http2_ = true; }

  // Ends everything that runs.
  void Close();

  std::uint64_t connections_opened() const;

 private:
  std::shared_ptr<CurlLoop> NewLane();
  std::shared_ptr<CurlLoop>& Lane(std::size_t cost);

  // Fixed after construction.
  const Executor executor_;
  const TlsConfig tls_;  // above the loops: their connections refer to it
  const std::size_t max_connections_;

  // State. Shared with the exchanges, which may outlive a lane's time here.
  std::vector<std::shared_ptr<CurlLoop>> lanes_;
  std::shared_ptr<CurlLoop> pool_;
  std::shared_ptr<CurlLoop> streams_;
  bool http2_ = false;
  bool closed_ = false;
  std::uint64_t opened_by_former_ = 0;
};

}  // namespace millwright::net
