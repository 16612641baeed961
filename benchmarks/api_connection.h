// One HTTP/1.1 connection over TLS to an API server, as plain as a load generator can have it: it
// must never be what is measured.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/task.h"

namespace millwright::benchmarks {

// Where a kubeconfig leads, with the client's certificate loaded.
struct ApiAddress {
  explicit ApiAddress(const std::string& kubeconfig);

  boost::asio::ip::tcp::endpoint endpoint;
  boost::asio::ssl::context tls{boost::asio::ssl::context::tls_client};
};

struct ApiRequest {
  std::string method;
  std::string target;
  std::string content_type;
  std::string body;
};

class ApiConnection {
 public:
  // Failures are thrown: there is nothing to do but to stop measuring.
  static Task<std::unique_ptr<ApiConnection>> Open(Executor executor, ApiAddress& address);

  ApiConnection(const Executor& executor, ApiAddress& address);

  // The answer's body; throws if the server did not do it.
  Task<std::string> Ask(const ApiRequest& request);

  // Hands over pieces of an answer as they come, until the callback says that it has enough.
  Task<void> Follow(std::string target, std::function<bool(std::string_view)> piece);

 private:
  Task<void> Send(const ApiRequest& request);

  boost::asio::ssl::stream<boost::asio::ip::tcp::socket> stream_;
  boost::beast::flat_buffer buffer_;
};

}  // namespace millwright::benchmarks
