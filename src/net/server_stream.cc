#include "net/server_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <tuple>

#include "net/server_identity.h"

namespace millwright::net {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr auto kAsValue = asio::as_tuple(asio::use_awaitable);

Failure Gone(const error_code& error, std::string_view doing) {
  return Failure(Error(ErrorKind::kUnavailable, error.message()).Wrap(doing));
}

std::string FormatAddress(const tcp::socket& socket) {
  error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  if (error) return "unknown";
  const auto address = endpoint.address();
  const std::string host = address.is_v6() ? "[" + address.to_string() + "]" : address.to_string();
  return host + ":" + std::to_string(endpoint.port());
}

// Streams that outlive this coroutine, as all streams here do.
template <class Stream>
Task<Result<std::size_t>> ReadFrom(Stream& stream, asio::mutable_buffer into) {
  const auto [error, size] = co_await stream.async_read_some(into, kAsValue);
  // A peer that hangs up without TLS's goodbye has hung up.
  const bool end = error == asio::error::eof || error == asio::ssl::error::stream_truncated;
  if (end) co_return std::size_t{0};
  if (error) co_return Gone(error, "reading");
  co_return size;
}

template <class Stream>
Task<Result<void>> WriteTo(Stream& stream, std::string bytes) {
  const auto [error, size] = co_await asio::async_write(stream, asio::buffer(bytes), kAsValue);
  if (error) co_return Gone(error, "writing");
  co_return Ok();
}

// Of two reads under way, Asio tells only one of the end.
void CancelReads(tcp::socket& socket) {
  error_code ignored;
  socket.cancel(ignored);
}

// Ends our side and reads on until the peer has ended its own.
Task<void> CloseSocket(tcp::socket& socket) {
  error_code error;
  socket.shutdown(tcp::socket::shutdown_send, error);
  std::array<char, 4096> discarded{};
  while (!error) {
    const auto result = co_await socket.async_read_some(asio::buffer(discarded), kAsValue);
    error = std::get<0>(result);
  }
}

void AbortSocket(tcp::socket& socket) {
  error_code ignored;
  socket.close(ignored);
}

class PlainByteStream final : public ByteStream {
 public:
  explicit PlainByteStream(tcp::socket socket)
      : socket_(std::move(socket)), address_(FormatAddress(socket_)) {}

  Task<Result<void>> Handshake() override { co_return Ok(); }
  PeerIdentity peer() const override {
    PeerIdentity peer;
    peer.address = address_;
    return peer;
  }
  Task<Result<std::size_t>> Read(asio::mutable_buffer into) override {
    return ReadFrom(socket_, into);
  }
  Task<Result<void>> Write(std::string bytes) override {
    return WriteTo(socket_, std::move(bytes));
  }
  Task<void> Close() override {
    CancelReads(socket_);
    return CloseSocket(socket_);
  }
  void Abort() override { AbortSocket(socket_); }

 private:
  tcp::socket socket_;
  const std::string address_;
};

class TlsByteStream final : public ByteStream {
 public:
  TlsByteStream(tcp::socket socket, std::shared_ptr<asio::ssl::context> context)
      : context_(std::move(context)),
        stream_(std::move(socket), *context_),
        address_(FormatAddress(stream_.next_layer())) {}

  Task<Result<void>> Handshake() override {
    const auto [error] = co_await stream_.async_handshake(asio::ssl::stream_base::server, kAsValue);
    if (error) co_return Fail(ErrorKind::kUnauthenticated, "TLS handshake: " + error.message());
    co_return Ok();
  }

  PeerIdentity peer() const override {
    PeerIdentity peer = IdentityOf(const_cast<Tls&>(stream_).native_handle());
    peer.address = address_;
    return peer;
  }

  Task<Result<std::size_t>> Read(asio::mutable_buffer into) override {
    return ReadFrom(stream_, into);
  }
  Task<Result<void>> Write(std::string bytes) override {
    return WriteTo(stream_, std::move(bytes));
  }

  Task<void> Close() override {
    CancelReads(stream_.next_layer());
    // Fails if the peer goes on sending; then only the socket is left to be closed in order.
    [[maybe_unused]] const auto ended = co_await stream_.async_shutdown(kAsValue);
    co_await CloseSocket(stream_.next_layer());
  }

  void Abort() override { AbortSocket(stream_.next_layer()); }

 private:
  using Tls = asio::ssl::stream<tcp::socket>;

  const std::shared_ptr<asio::ssl::context> context_;  // the server may have a newer one by now
  Tls stream_;
  const std::string address_;
};

}  // namespace

std::unique_ptr<ByteStream> MakePlainStream(tcp::socket socket) {
  return std::make_unique<PlainByteStream>(std::move(socket));
}

std::unique_ptr<ByteStream> MakeTlsStream(tcp::socket socket,
                                          std::shared_ptr<asio::ssl::context> context) {
  return std::make_unique<TlsByteStream>(std::move(socket), std::move(context));
}

}  // namespace millwright::net
