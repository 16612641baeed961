// Makes one TLS connection: name, addresses, TCP, handshake.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "net/alarm.h"
#include "net/tls_client.h"

namespace millwright::net {

class TlsDial : public std::enable_shared_from_this<TlsDial> {
 public:
  struct Target {
    std::string host;
    std::uint16_t port = 0;
    std::string server_name;  // to ask for and to verify
    std::shared_ptr<TlsContext> context;
  };

  // Errors have no prefix that says what was being done.
  using Done = std::function<void(Result<std::shared_ptr<TlsStream>>)>;

  // `done` is called once and not from in here, unless cancelled before.
  static std::shared_ptr<TlsDial> Start(const Executor& executor, Clock& clock, Target target,
                                        Duration timeout, Done done);

  void Cancel();

 private:
  using Endpoints = std::vector<boost::asio::ip::tcp::endpoint>;

  TlsDial(const Executor& executor, Clock& clock, Target target, Duration timeout, Done done);

  void Resolve();
  void TryNext();
  void OnConnected(const boost::system::error_code& error);
  void Handshake();
  void OnTime();
  void CloseStream();
  void Finish(Result<std::shared_ptr<TlsStream>> outcome);

  // A handler that keeps what it runs on, and does nothing if we have gone on to something else
  // since.
  template <class Function>
  auto Step(Function function);

  // Fixed after construction.
  const Executor executor_;
  Clock& clock_;
  const Target target_;
  const SteadyTime deadline_;

  // State.
  Done done_;  // empty once it is over
  boost::asio::ip::tcp::resolver resolver_;
  Endpoints endpoints_;
  std::size_t next_ = 0;  // of the endpoints
  int step_ = 0;
  std::string trouble_;  // with the last endpoint
  std::shared_ptr<TlsStream> stream_;
  Alarm alarm_;
};

}  // namespace millwright::net
