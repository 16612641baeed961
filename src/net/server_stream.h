// An accepted connection as bytes, so that HTTP above it knows neither sockets nor TLS.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "base/task.h"
#include "net/server_handler.h"

namespace boost::asio::ssl {
class context;
}

namespace millwright::net {

// One read and one write may be under way at the same time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  // Before anything else. Fails with kUnauthenticated if TLS cannot be agreed on.
  virtual Task<Result<void>> Handshake() = 0;

  virtual PeerIdentity peer() const = 0;

  // How many bytes came; 0 at the end. The buffer must stay until then.
  virtual Task<Result<std::size_t>> Read(boost::asio::mutable_buffer into) = 0;

  // Returns when all bytes have been taken over by the network.
  virtual Task<Result<void>> Write(std::string bytes) = 0;

  // Ends a read under way, says goodbye and waits, for as long as the peer pleases, until it has
  // closed too. Closing at once with unread input would make the kernel discard what the peer has
  // yet to read (RFC 9112, 9.6).
  virtual Task<void> Close() = 0;

  // Ends everything under way, now and later, with an error.
  virtual void Abort() = 0;
};

std::unique_ptr<ByteStream> MakePlainStream(boost::asio::ip::tcp::socket socket);
std::unique_ptr<ByteStream> MakeTlsStream(boost::asio::ip::tcp::socket socket,
                                          std::shared_ptr<boost::asio::ssl::context> context);

}  // namespace millwright::net
