// What a client of a real server needs to know.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/secret.h"
#include "base/task.h"
#include "base/time.h"
#include "net/tls_config.h"

namespace millwright::net {

// The value of the Authorization field ("Bearer ..."), asked for with each request so that tokens
// can rotate. An empty one sends no field; an error is the request's.
using Authorization = std::function<Task<Result<SecretText>>()>;

struct ClientOptions {
  std::string base_url{};  // "https://host:6443", with a path if all targets share it; or nothing
  TlsConfig tls{};
  // http, https, socks5 or socks5h. None: HTTPS_PROXY and its like decide, and NO_PROXY. Empty:
  // none whatever the environment says.
  std::optional<std::string> proxy{};
  Authorization authorization{};
  std::string user_agent = "millwright";
  Duration timeout = std::chrono::seconds(30);
  Duration connect_timeout = std::chrono::seconds(10);  // name, TCP, proxy and TLS together
  std::size_t max_connections = 32;                     // for calls; streams come on top
  std::size_t max_answer = std::size_t{512} << 20U;     // of a whole body
  std::size_t max_unread = std::size_t{1} << 20U;       // of a stream, before it is made to wait
};

}  // namespace millwright::net
