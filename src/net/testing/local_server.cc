#include "net/testing/local_server.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <charconv>

namespace millwright::net {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

constexpr auto kAsValues = asio::as_tuple(asio::use_awaitable);

void CloseSocket(tcp::socket& socket, bool hard) {
  boost::system::error_code ignored;
  if (hard) socket.set_option(asio::socket_base::linger(true, 0), ignored);
  socket.close(ignored);
}

template <class Stream>
class StreamConnection : public LocalConnection {
 public:
  explicit StreamConnection(Stream stream) : stream_(std::move(stream)) {}

  Task<std::string> ReadSome() override {
    std::string bytes(16384, '\0');
    const auto [error, size] = co_await stream_.async_read_some(asio::buffer(bytes), kAsValues);
    bytes.resize(error ? 0 : size);
    co_return bytes;
  }

  Task<bool> Write(std::string bytes) override {
    const auto [error, size] = co_await asio::async_write(stream_, asio::buffer(bytes), kAsValues);
    co_return !error;
  }

 protected:
  Stream stream_;
};

class PlainConnection final : public StreamConnection<tcp::socket> {
 public:
  using StreamConnection::StreamConnection;

  void Close(bool hard) override { CloseSocket(stream_, hard); }
  std::string peer_name() const override { return ""; }
  std::string asked_name() const override { return ""; }
  std::string protocol() const override { return ""; }
};

using TlsStream = asio::ssl::stream<tcp::socket>;

class TlsConnection final : public StreamConnection<TlsStream> {
 public:
  using StreamConnection::StreamConnection;

  Task<bool> Handshake() {
    const auto [error] = co_await stream_.async_handshake(TlsStream::server, kAsValues);
    co_return !error;
  }

  void Close(bool hard) override { CloseSocket(stream_.next_layer(), hard); }

  std::string peer_name() const override {
    X509* certificate = SSL_get0_peer_certificate(ssl());
    if (certificate == nullptr) return "";
    std::array<char, 256> name{};
    X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name.data(),
                              static_cast<int>(name.size()));
    return name.data();
  }

  std::string asked_name() const override {
    const char* name = SSL_get_servername(ssl(), TLSEXT_NAMETYPE_host_name);
    return name == nullptr ? "" : name;
  }

  std::string protocol() const override {
    const unsigned char* name = nullptr;
    unsigned int size = 0;
    SSL_get0_alpn_selected(ssl(), &name, &size);
    return {reinterpret_cast<const char*>(name), size};
  }

 private:
  SSL* ssl() const { return const_cast<TlsStream&>(stream_).native_handle(); }
};

// Chooses the first of ours that the client offers.
int ChooseProtocol(SSL*, const unsigned char** chosen, unsigned char* chosen_size,
                   const unsigned char* offered, unsigned int offered_size, void* ours) {
  const auto* list = static_cast<const std::string*>(ours);
  const auto* bytes = reinterpret_cast<const unsigned char*>(list->data());
  unsigned char* found = nullptr;
  const int result = SSL_select_next_proto(
      &found, chosen_size, bytes, static_cast<unsigned int>(list->size()), offered, offered_size);
  *chosen = found;
  return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

}  // namespace

struct LocalServer::TlsContext {
  explicit TlsContext(const Tls& tls) {
    context.use_certificate_chain(asio::buffer(tls.identity.cert_pem));
    context.use_private_key(asio::buffer(tls.identity.key_pem.Reveal()), asio::ssl::context::pem);
    if (!tls.client_ca_pem.empty()) {
      context.add_certificate_authority(asio::buffer(tls.client_ca_pem));
      context.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
    }
    for (const auto& protocol : tls.protocols) {
      protocols += static_cast<char>(protocol.size());
      protocols += protocol;
    }
    if (!protocols.empty()) {
      SSL_CTX_set_alpn_select_cb(context.native_handle(), ChooseProtocol, &protocols);
    }
  }

  asio::ssl::context context{asio::ssl::context::tls_server};
  std::string protocols;  // as they are on the wire
};

Task<std::string> LocalConnection::ReadExactly(std::size_t size) {
  while (unread_.size() < size) {
    const std::string more = co_await ReadSome();
    if (more.empty()) break;
    unread_ += more;
  }
  std::string bytes = unread_.substr(0, size);
  unread_.erase(0, bytes.size());
  co_return bytes;
}

Task<std::string> LocalConnection::ReadThrough(std::string delimiter) {
  while (!unread_.contains(delimiter)) {
    const std::string more = co_await ReadSome();
    if (more.empty()) co_return "";
    unread_ += more;
  }
  std::string bytes = unread_.substr(0, unread_.find(delimiter) + delimiter.size());
  unread_.erase(0, bytes.size());
  co_return bytes;
}

Task<std::optional<HttpRequest>> LocalConnection::ReadRequest() {
  std::string head = co_await ReadThrough("\r\n\r\n");
  if (head.empty()) co_return std::nullopt;
  HttpRequest request;
  std::size_t from = head.find("\r\n") + 2;
  const std::string first = head.substr(0, from - 2);
  request.method = first.substr(0, first.find(' '));
  request.target = first.substr(first.find(' ') + 1, first.rfind(' ') - first.find(' ') - 1);
  while (from < head.size() - 2) {
    const std::size_t end = head.find("\r\n", from);
    const std::string line = head.substr(from, end - from);
    const std::size_t colon = line.find(':');
    const std::size_t value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    request.headers.Add(line.substr(0, colon), line.substr(value));
    from = end + 2;
  }
  std::size_t size = 0;
  const std::string length(request.headers.Find("Content-Length").value_or("0"));
  std::from_chars(length.data(), length.data() + length.size(), size);
  request.body = co_await ReadExactly(size);
  co_return request;
}

Task<bool> LocalConnection::Answer(HttpResponse response) {
  std::string text = "HTTP/1.1 " + std::to_string(response.status) + " Text\r\n";
  for (const auto& [name, value] : response.headers) text += name + ": " + value + "\r\n";
  text += "Content-Length: " + std::to_string(response.body.size()) + "\r\n\r\n";
  return Write(text + response.body);
}

LocalServer::LocalServer(const Executor& executor, Handler handler, std::optional<Tls> tls)
    : handler_(std::move(handler)),
      tls_(tls ? std::make_unique<TlsContext>(*tls) : nullptr),
      acceptor_(executor, tcp::endpoint(asio::ip::address_v4::loopback(), 0)),
      port_(acceptor_.local_endpoint().port()),
      tasks_(executor) {
  tasks_.Spawn([this] { return Accept(); });
}

LocalServer::~LocalServer() = default;

Task<void> LocalServer::Accept() {
  while (!stopping_) {
    auto [error, socket] = co_await acceptor_.async_accept(kAsValues);
    if (error) co_return;
    const int number = ++accepted_;
    auto shared = std::make_shared<tcp::socket>(std::move(socket));
    tasks_.Spawn([this, shared, number] { return Serve(std::move(*shared), number); });
  }
}

Task<LocalServer::Connection> LocalServer::Handshake(tcp::socket socket) {
  if (!tls_) {
    auto plain = std::make_shared<PlainConnection>(std::move(socket));
    connections_.push_back(plain);
    co_return plain;
  }
  auto connection = std::make_shared<TlsConnection>(TlsStream(std::move(socket), tls_->context));
  connections_.push_back(connection);
  const bool ok = co_await connection->Handshake();
  if (!ok) co_return nullptr;
  co_return connection;
}

Task<void> LocalServer::Serve(tcp::socket socket, int number) {
  socket.set_option(tcp::no_delay(true));
  const Connection connection = co_await Handshake(std::move(socket));
  if (!connection) co_return;
  connection->number = number;
  co_await handler_(connection);
  connection->Close(false);
}

Task<void> LocalServer::Stop() {
  stopping_ = true;
  boost::system::error_code ignored;
  acceptor_.close(ignored);
  for (const auto& some : connections_) {
    const auto connection = some.lock();
    if (connection) connection->Close(false);
  }
  // Those who wait for something of the test's are told that it will not come.
  tasks_.Cancel();
  co_await tasks_.Join();
}

}  // namespace millwright::net
