// A client that sends and receives bytes, and an event loop that tests turn by hand.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/write.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/task.h"

namespace millwright::net {

// A real event loop. Nothing depends on how fast it is; whoever waits in vain gets an exception
// instead of waiting for ever.
class TestLoop {
 public:
  Executor executor() { return io_.get_executor(); }

  void RunUntil(const std::function<bool()>& condition) {
    while (!condition()) {
      if (io_.run_one_for(std::chrono::seconds(60)) == 0) throw std::runtime_error("test is stuck");
    }
  }

  template <class T>
  T Await(Task<T> task) {
    std::optional<T> outcome;
    boost::asio::co_spawn(io_, std::move(task), [&](const std::exception_ptr& error, T value) {
      if (error) std::rethrow_exception(error);
      outcome = std::move(value);
    });
    RunUntil([&] { return outcome.has_value(); });
    return *std::move(outcome);
  }

 private:
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      io_.get_executor()};
};

// One connection to 127.0.0.1, with TLS if there is a context for it.
class RawClient {
 public:
  RawClient(TestLoop& loop, std::uint16_t port, boost::asio::ssl::context* tls = nullptr)
      : loop_(loop), port_(port), socket_(loop.executor()) {
    if (tls != nullptr) tls_ = std::make_unique<Tls>(socket_, *tls);
  }

  // False if the server does not want us.
  bool Connect() { return loop_.Await(ConnectTask()); }
  bool Send(std::string bytes) { return loop_.Await(SendTask(std::move(bytes))); }

  // Up to and with the delimiter, or all there is if the server hangs up before.
  std::string ReadThrough(std::string delimiter) {
    return loop_.Await(ReadTask(std::move(delimiter)));
  }
  std::string ReadToEnd() { return ReadThrough({}); }

  std::string Exchange(std::string bytes, std::string delimiter) {
    return Send(std::move(bytes)) ? ReadThrough(std::move(delimiter)) : "cannot send";
  }

  // `hard`: with a TCP reset.
  void Close(bool hard = false) {
    if (hard) socket_.set_option(boost::asio::socket_base::linger(true, 0));
    socket_.close();
  }

  SSL* ssl() { return tls_->native_handle(); }

 private:
  using Tls = boost::asio::ssl::stream<boost::asio::ip::tcp::socket&>;
  static constexpr auto kAsValue = boost::asio::as_tuple(boost::asio::use_awaitable);

  Task<bool> ConnectTask() {
    namespace ip = boost::asio::ip;
    const ip::tcp::endpoint endpoint(ip::address_v4::loopback(), port_);
    const auto connected = co_await socket_.async_connect(endpoint, kAsValue);
    if (std::get<0>(connected)) co_return false;
    if (tls_ == nullptr) co_return true;
    const auto shaken = co_await tls_->async_handshake(Tls::client, kAsValue);
    co_return !std::get<0>(shaken);
  }

  Task<bool> SendTask(std::string bytes) {
    const auto buffer = boost::asio::buffer(bytes);
    const auto sent = tls_ != nullptr
                          ? co_await boost::asio::async_write(*tls_, buffer, kAsValue)
                          : co_await boost::asio::async_write(socket_, buffer, kAsValue);
    co_return !std::get<0>(sent);
  }

  Task<std::string> ReadTask(std::string delimiter) {
    std::array<char, 8192> area;
    while (delimiter.empty() || !unread_.contains(delimiter)) {
      const auto buffer = boost::asio::buffer(area);
      const auto read = tls_ != nullptr ? co_await tls_->async_read_some(buffer, kAsValue)
                                        : co_await socket_.async_read_some(buffer, kAsValue);
      if (std::get<0>(read)) co_return std::exchange(unread_, {});
      unread_.append(area.data(), std::get<1>(read));
    }
    const std::size_t end = unread_.find(delimiter) + delimiter.size();
    std::string found = unread_.substr(0, end);
    unread_.erase(0, end);
    co_return found;
  }

  TestLoop& loop_;
  const std::uint16_t port_;
  boost::asio::ip::tcp::socket socket_;
  std::unique_ptr<Tls> tls_;
  std::string unread_;
};

}  // namespace millwright::net
