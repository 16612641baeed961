// The bytes of a connection: through TLS, or as they are through a UNIX socket.
#pragma once

#include <boost/asio/buffer.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/write.hpp>

#include <memory>
#include <utility>
#include <variant>

#include "net/tls_client.h"

namespace millwright::net {

using UnixSocket = boost::asio::local::stream_protocol::socket;

class ByteStream {
 public:
  explicit ByteStream(std::shared_ptr<TlsStream> stream) : stream_(std::move(stream)) {}
  explicit ByteStream(std::shared_ptr<UnixSocket> socket) : stream_(std::move(socket)) {}

  // Handlers as Asio's; they must keep whatever owns this object.
  template <class Handler>
  void ReadSome(boost::asio::mutable_buffer into, Handler handler) {
    std::visit([&](auto& stream) { stream->async_read_some(into, std::move(handler)); }, stream_);
  }
  template <class Handler>
  void WriteAll(boost::asio::const_buffer bytes, Handler handler) {
    std::visit([&](auto& stream) { boost::asio::async_write(*stream, bytes, std::move(handler)); },
               stream_);
  }

  void Shutdown() {
    boost::system::error_code ignored;
    std::visit(
        [&](auto& stream) {
          SocketOf(*stream).shutdown(boost::asio::socket_base::shutdown_both, ignored);
        },
        stream_);
  }
  void Close() {
    boost::system::error_code ignored;
    std::visit([&](auto& stream) { SocketOf(*stream).close(ignored); }, stream_);
  }

 private:
  static boost::asio::ip::tcp::socket& SocketOf(TlsStream& stream) { return stream.next_layer(); }
  static UnixSocket& SocketOf(UnixSocket& socket) { return socket; }

  std::variant<std::shared_ptr<TlsStream>, std::shared_ptr<UnixSocket>> stream_;
};

}  // namespace millwright::net
