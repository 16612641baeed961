// A server whose every byte is in the test's hands, on the test's own event loop.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/task_group.h"
#include "net/http.h"
#include "net/testing/test_certificates.h"

namespace millwright::net {

// One accepted connection, over TLS or not. What fails at the peer's side is an end, not an error.
class LocalConnection {
 public:
  virtual ~LocalConnection() = default;

  // The next bytes; empty when the peer has gone.
  virtual Task<std::string> ReadSome() = 0;

  // False when the peer has gone.
  virtual Task<bool> Write(std::string bytes) = 0;

  // Closes without a word. `hard`: with a TCP reset.
  virtual void Close(bool hard) = 0;

  // What the peer showed and asked for in the TLS handshake; empty without.
  virtual std::string peer_name() const = 0;
  virtual std::string asked_name() const = 0;
  virtual std::string protocol() const = 0;

  // Exactly so many bytes, or fewer if the peer goes.
  Task<std::string> ReadExactly(std::size_t size);

  // Up to and with the delimiter; empty when the peer has gone.
  Task<std::string> ReadThrough(std::string delimiter);

  // A whole HTTP/1.1 request with a Content-Length or no body. The target is as it was sent.
  Task<std::optional<HttpRequest>> ReadRequest();

  // A whole HTTP/1.1 answer with a Content-Length.
  Task<bool> Answer(HttpResponse response);

  int number = 0;  // in the order of acceptance, from 1

 private:
  std::string unread_;
};

class LocalServer {
 public:
  using Connection = std::shared_ptr<LocalConnection>;
  using Handler = std::function<Task<void>(Connection)>;

  struct Tls {
    TestIdentity identity;
    std::string client_ca_pem{};  // set: a client certificate of this authority is required
    std::vector<std::string> protocols{};  // ALPN, best first
  };

  // Accepts on a free port of 127.0.0.1 and runs the handler for each connection; when the handler
  // is done, the connection is closed.
  LocalServer(const Executor& executor, Handler handler, std::optional<Tls> tls = std::nullopt);
  ~LocalServer();

  std::string url() const { return (tls_ ? "https://" : "http://") + address(); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  int port() const { return port_; }
  int accepted() const { return accepted_; }

  // Closes everything and waits for the handlers.
  Task<void> Stop();

 private:
  struct TlsContext;

  Task<void> Accept();
  Task<void> Serve(boost::asio::ip::tcp::socket socket, int number);
  Task<Connection> Handshake(boost::asio::ip::tcp::socket socket);

  const Handler handler_;
  std::unique_ptr<TlsContext> tls_;
  boost::asio::ip::tcp::acceptor acceptor_;
  int port_ = 0;
  int accepted_ = 0;
  bool stopping_ = false;
  std::list<std::weak_ptr<LocalConnection>> connections_;
  TaskGroup tasks_;
};

}  // namespace millwright::net
