// Which connection takes which exchange, and how many there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "net/client_options.h"
#include "net/endpoint.h"
#include "net/http2_connection.h"
#include "net/http2_exchange.h"
#include "net/tls_dial.h"
#include "net/unix_dial.h"

namespace millwright::net {

// As few connections as the number of streams that the server allows on one; calls and long-lived
// streams share them. Exchanges wait here until there is room. At most one connection is being made
// at a time: those who wait for it often find room elsewhere before.
class Http2Pool final : public Http2Connection::Owner {
 public:
  struct Settings {
    Endpoint endpoint;
    std::string
        unix_socket{};  // its path: connections go there, without TLS; empty: to the endpoint
    Duration connect_timeout{};
    std::size_t max_connections = 0;  // on account of calls
    std::size_t stream_window = 0;
    Http2Connection::Liveness liveness{};
  };

  Http2Pool(const Executor& executor, Clock& clock, Settings settings, TlsConfig tls,
            std::shared_ptr<TlsContext> context);
  ~Http2Pool() override;
  Http2Pool(const Http2Pool&) = delete;
  Http2Pool& operator=(const Http2Pool&) = delete;

  // The exchange must stay until it ends or Forget.
  void Start(Http2Exchange& exchange);

  // Of one that waits.
  void Forget(Http2Exchange& exchange);

  // For new connections; what is on the old ones ends there.
  void SetTls(TlsConfig tls, std::shared_ptr<TlsContext> context);
  const TlsConfig& tls() const { return tls_; }

  // Ends everything; what is started later ends at once.
  void Close();

  std::uint64_t connections_opened() const { return opened_; }
  std::size_t connections_open() const { return connections_.size(); }

 private:
  using ConnectionPtr = std::shared_ptr<Http2Connection>;

  void OnChange() override;
  bool CanSpare(const Http2Connection& connection) override;

  void PlaceWaiting();
  Http2Connection* PlaceFor(const Http2Exchange& exchange) const;
  bool HasUsable() const;
  bool MayDial() const;
  void Dial();
  void CancelDial();
  bool is_dialling() const { return dial_ || unix_dial_; }
  void OnDialled(Result<std::shared_ptr<TlsStream>> outcome);
  void OnUnixDialled(Result<std::shared_ptr<UnixSocket>> outcome);
  void Use(ByteStream stream);
  void OnDialFailed(const Error& why);
  void OnNotHttp2();
  std::vector<Http2Exchange*> TakeWaiting();

  // Fixed after construction.
  const Executor executor_;
  Clock& clock_;
  const Settings settings_;

  // State.
  TlsConfig tls_;
  std::shared_ptr<TlsContext> context_;
  std::deque<Http2Exchange*> waiting_;
  std::vector<ConnectionPtr> connections_;  // oldest first
  std::shared_ptr<TlsDial> dial_;
  std::shared_ptr<UnixDial> unix_dial_;
  SteadyTime dial_after_{};  // not before, after a failure
  std::size_t max_streams_;  // of one connection, as last heard
  std::uint64_t opened_ = 0;
  bool closed_ = false;
  Alarm dial_again_;
};

}  // namespace millwright::net
