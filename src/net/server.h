// The HTTP/1.1 server: accepts connections, with TLS or without, and has a handler answer requests.
//
// All of it, the handler included, runs on the executor's one thread. HTTP/1.1 only: that is what
// our clients (kubectl, client-go, Prometheus, kube-apiserver calling webhooks) speak when told to.
#pragma once

#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/result.h"
#include "base/signal.h"
#include "base/task.h"
#include "base/task_group.h"
#include "net/server_handler.h"
#include "net/server_limits.h"
#include "net/server_watchdog.h"
#include "net/tls_server.h"

namespace millwright::net {

struct ServerOptions {
  std::string address = "127.0.0.1";  // "::" is every address of both families
  std::uint16_t port = 0;             // 0: any free one
  std::optional<TlsSource> tls;       // none: plain HTTP
  ServerLimits limits;
  Logger log;
};

class ServerConnection;

class Server {
 public:
  // From here on clients can connect; Run serves them. kInvalid for options that cannot work,
  // kUnavailable for an address that cannot be had. The handler must outlive the server.
  static Result<std::unique_ptr<Server>> Listen(const Executor& executor, Clock& clock,
                                                ServerOptions options, Handler& handler);
  ~Server();

  // Serves until the calling task is cancelled, then stops gracefully: no new connections, idle
  // ones are closed, streams are cancelled, and requests in flight may finish within
  // ServerLimits::stop_time. What is left then, or at a second cancellation, is cut.
  Task<void> Run();

  std::uint16_t port() const { return port_; }
  std::size_t connections() const { return connections_.size(); }

 private:
  using Acceptor = boost::asio::ip::tcp::acceptor;
  using Socket = boost::asio::ip::tcp::socket;
  using ConnectionId = std::uint64_t;

  Server(Acceptor acceptor, std::unique_ptr<TlsServer> tls, Clock& clock, ServerOptions options,
         Handler& handler);

  Task<void> Accept();
  Task<void> WaitForRoom();
  void CloseLongestIdle();
  void Start(Socket socket);
  Task<void> Serve(ConnectionId id);
  Task<void> Drain();

  // Fixed after construction.
  const ServerOptions options_;
  const std::unique_ptr<TlsServer> tls_;
  Clock& clock_;
  Handler& handler_;

  // State.
  Acceptor acceptor_;
  const std::uint16_t port_;
  Watchdog watchdog_;
  std::map<ConnectionId, std::unique_ptr<ServerConnection>> connections_;
  ConnectionId next_ = 1;
  Signal connections_changed_;  // one ended or became idle

  // Background work.
  TaskGroup watching_;
  TaskGroup serving_;
};

}  // namespace millwright::net
