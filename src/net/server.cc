#include "net/server.h"

#include <fcntl.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/v6_only.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include "net/server_connection.h"
#include "net/server_stream.h"

namespace millwright::net {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

// After a failure to accept, mostly for want of descriptors: trying again at once would only spin.
constexpr Duration kAcceptPause = std::chrono::milliseconds(100);

// A peer that vanished without a word is noticed after two and a half minutes, as in Go.
constexpr int kProbeSeconds = 15;

// Asio does not ask for it, and programs that we start have no business with our sockets.
void CloseOnExec(int descriptor) { fcntl(descriptor, F_SETFD, FD_CLOEXEC); }

void Configure(tcp::socket& socket) {
  CloseOnExec(socket.native_handle());
  error_code ignored;  // a peer that is gone already shows at the first read
  socket.set_option(tcp::no_delay(true), ignored);
  socket.set_option(asio::socket_base::keep_alive(true), ignored);
  for (const int option : {TCP_KEEPIDLE, TCP_KEEPINTVL}) {
    setsockopt(socket.native_handle(), IPPROTO_TCP, option, &kProbeSeconds, sizeof kProbeSeconds);
  }
}

Result<tcp::acceptor> Bind(const Executor& executor, const std::string& address,
                           std::uint16_t port) {
  error_code error;
  const tcp::endpoint endpoint(asio::ip::make_address(address, error), port);
  if (error) return Fail(ErrorKind::kInvalid, "not an IP address: \"" + address + "\"");
  tcp::acceptor acceptor(executor);
  acceptor.open(endpoint.protocol(), error);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error && endpoint.address().is_v6()) {
    acceptor.set_option(asio::ip::v6_only(false), error);
  }
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return Fail(ErrorKind::kUnavailable, "cannot listen on " + address + " port " +
                                             std::to_string(port) + ": " + error.message());
  }
  CloseOnExec(acceptor.native_handle());
  return acceptor;
}

}  // namespace

Result<std::unique_ptr<Server>> Server::Listen(const Executor& executor, Clock& clock,
                                               ServerOptions options, Handler& handler) {
  std::unique_ptr<TlsServer> tls;
  if (options.tls) {
    TRY(tls, TlsServer::Create(*std::exchange(options.tls, std::nullopt), clock, options.log));
  }
  TRY(Acceptor acceptor, Bind(executor, options.address, options.port));
  return std::unique_ptr<Server>(
      new Server(std::move(acceptor), std::move(tls), clock, std::move(options), handler));
}

Server::Server(Acceptor acceptor, std::unique_ptr<TlsServer> tls, Clock& clock,
               ServerOptions options, Handler& handler)
    : options_(std::move(options)),
      tls_(std::move(tls)),
      clock_(clock),
      handler_(handler),
      acceptor_(std::move(acceptor)),
      port_(acceptor_.local_endpoint().port()),
      watchdog_(acceptor_.get_executor(), clock),
      connections_changed_(acceptor_.get_executor()),
      watching_(acceptor_.get_executor()),
      serving_(acceptor_.get_executor()) {}

Server::~Server() = default;

Task<void> Server::Run() {
  watching_.Spawn([this] { return watchdog_.Run(); });
  co_await Accept();
  error_code ignored;
  acceptor_.close(ignored);
  co_await IgnoreCancellation();
  co_await Drain();
  watching_.Cancel();
  co_await watching_.Join();
}

Task<void> Server::Accept() {
  while (true) {
    if (connections_.size() >= options_.limits.connections) co_await WaitForRoom();
    // What is started now would not be told of a cancellation that has been.
    if (co_await IsCancelled()) co_return;
    auto accepted = co_await acceptor_.async_accept(asio::as_tuple(asio::use_awaitable));
    auto& [error, socket] = accepted;
    if (!error) {
      Start(std::move(socket));
      continue;
    }
    if (co_await IsCancelled()) co_return;
    options_.log.Warning("cannot accept connections", {{"error", error.message()}});
    co_await SleepFor(clock_, kAcceptPause);
  }
}

Task<void> Server::WaitForRoom() {
  // Nobody is closed for a client that is not there.
  [[maybe_unused]] const auto came =
      co_await acceptor_.async_wait(Acceptor::wait_read, asio::as_tuple(asio::use_awaitable));
  Wake why = Wake::kDone;
  while (connections_.size() >= options_.limits.connections && why == Wake::kDone) {
    CloseLongestIdle();
    why = co_await connections_changed_.Wait();
  }
}

void Server::CloseLongestIdle() {
  ServerConnection* longest = nullptr;
  for (const auto& [id, connection] : connections_) {
    if (!connection->is_idle()) continue;
    if (longest == nullptr || connection->idle_since() < longest->idle_since()) {
      longest = connection.get();
    }
  }
  if (longest != nullptr) longest->Cut();
}

void Server::Start(Socket socket) {
  Configure(socket);
  auto stream = tls_ != nullptr ? MakeTlsStream(std::move(socket), tls_->Current())
                                : MakePlainStream(std::move(socket));
  const ConnectionContext context{.executor = acceptor_.get_executor(),
                                  .handler = handler_,
                                  .clock = clock_,
                                  .watchdog = watchdog_,
                                  .limits = options_.limits,
                                  .log = options_.log,
                                  .idle = connections_changed_};
  const ConnectionId id = next_++;
  connections_.emplace(id, std::make_unique<ServerConnection>(context, std::move(stream)));
  serving_.Spawn([this, id] { return Serve(id); });
}

Task<void> Server::Serve(ConnectionId id) {
  co_await connections_.at(id)->Serve();
  connections_.erase(id);
  connections_changed_.NotifyAll();
}

Task<void> Server::Drain() {
  const SteadyTime deadline = clock_.Elapsed() + options_.limits.stop_time;
  for (const auto& [id, connection] : connections_) connection->Drain();
  Wake why = Wake::kDone;
  while (!connections_.empty() && why == Wake::kDone) {
    why = co_await connections_changed_.WaitUntil(clock_, deadline);
  }
  if (!connections_.empty()) {
    options_.log.Warning("cutting connections that did not end in time",
                         {{"connections", connections_.size()}});
  }
  for (const auto& [id, connection] : connections_) connection->Cut();
  serving_.Cancel();
  co_await serving_.Join();
}

}  // namespace millwright::net
