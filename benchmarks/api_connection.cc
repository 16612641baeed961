#include "benchmarks/api_connection.h"

#include <fmt/format.h>

#include <boost/asio/write.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/read.hpp>

#include <stdexcept>

#include "kube/connect/connection.h"

namespace millwright::benchmarks {

namespace asio = boost::asio;
namespace http = boost::beast::http;

namespace {

constexpr std::uint64_t kLargestAnswer = std::uint64_t{1} << 30;

}  // namespace

ApiAddress::ApiAddress(const std::string& kubeconfig) {
  const auto config =
      kube::LoadClientConfig({.kubeconfig = kubeconfig}, kube::SurroundingsOfThisProcess());
  if (!config) throw std::runtime_error(config.error().message());
  const std::string& server = config->server;
  const auto colon = server.rfind(':');
  endpoint = {asio::ip::make_address("127.0.0.1"),
              static_cast<std::uint16_t>(std::stoi(server.substr(colon + 1)))};
  tls.use_certificate_chain(asio::buffer(config->tls.client_cert.pem));
  tls.use_private_key(asio::buffer(config->tls.client_key.pem.Reveal()), asio::ssl::context::pem);
}

ApiConnection::ApiConnection(const Executor& executor, ApiAddress& address)
    : stream_(executor, address.tls) {}

Task<std::unique_ptr<ApiConnection>> ApiConnection::Open(Executor executor, ApiAddress& address) {
  auto connection = std::make_unique<ApiConnection>(executor, address);
  auto& stream = connection->stream_;
  co_await stream.next_layer().async_connect(address.endpoint, asio::use_awaitable);
  stream.next_layer().set_option(asio::ip::tcp::no_delay(true));
  co_await stream.async_handshake(asio::ssl::stream_base::client, asio::use_awaitable);
  co_return connection;
}

Task<void> ApiConnection::Send(const ApiRequest& request) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\nHost: api\r\nAccept: application/json\r\n",
                                 request.method, request.target);
  if (!request.body.empty()) {
    text += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", request.content_type,
                        request.body.size());
  }
  text += "\r\n";
  text += request.body;
  co_await asio::async_write(stream_, asio::buffer(text), asio::use_awaitable);
}

Task<std::string> ApiConnection::Ask(const ApiRequest& request) {
  co_await Send(request);
  http::response_parser<http::string_body> parser;
  parser.body_limit(kLargestAnswer);
  co_await http::async_read(stream_, buffer_, parser, asio::use_awaitable);
  if (parser.get().result_int() >= 300) {
    throw std::runtime_error(request.method + " " + request.target + ": " + parser.get().body());
  }
  co_return std::move(parser.get().body());
}

Task<void> ApiConnection::Follow(std::string target, std::function<bool(std::string_view)> piece) {
  const ApiRequest request{.method = "GET", .target = std::move(target)};
  co_await Send(request);
  http::response_parser<http::buffer_body> parser;
  parser.body_limit(boost::none);
  co_await http::async_read_header(stream_, buffer_, parser, asio::use_awaitable);
  char bytes[16384];
  while (!parser.is_done()) {
    parser.get().body() = {.data = bytes, .size = sizeof bytes};
    boost::system::error_code error;
    co_await http::async_read_some(stream_, buffer_, parser,
                                   asio::redirect_error(asio::use_awaitable, error));
    if (error && error != http::error::need_buffer) throw boost::system::system_error(error);
    const std::size_t size = sizeof bytes - parser.get().body().size;
    if (size > 0 && !piece({bytes, size})) co_return;
  }
}

}  // namespace millwright::benchmarks
