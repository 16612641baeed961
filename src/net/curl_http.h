// Requests to a real server over HTTP/1.1, by libcurl.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/secret.h"
#include "net/http.h"
#include "net/tls_config.h"

namespace millwright::net {

// Never HTTP/2: what libcurl 7.88 (Debian 12) has of it loses the last bytes of answers, mixes up
// requests when a socket is full and lets one paused stream stop all others.
//
// Calls take turns on connections that are kept open; each stream has one of its own, so that a
// slow reader holds up nobody else. Redirects are answers. A request is never sent twice unless
// that is safe.
//
// May be destroyed while requests run: they end as kCancelled.
class CurlHttp final : public Http {
 public:
  // The value of the Authorization field ("Bearer ..."), asked for with each request so that tokens
  // can rotate. An empty one sends no field; an error is the request's.
  using Authorization = std::function<Task<Result<SecretText>>()>;

  struct Options {
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

  // kInvalid for an address, proxy or TLS configuration that cannot work.
  static Result<std::unique_ptr<CurlHttp>> Create(const Executor& executor, Clock& clock,
                                                  Options options);
  ~CurlHttp() override;
  CurlHttp(const CurlHttp&) = delete;
  CurlHttp& operator=(const CurlHttp&) = delete;

  Task<Result<HttpResponse>> Send(HttpRequest request) override;
  Task<Result<HttpStream>> Open(HttpRequest request) override;

  // What begins from now on uses new connections; what runs ends on the old ones. If the
  // configuration is kInvalid the one before stays.
  Result<void> SetTls(TlsConfig tls);

  // Sockets opened so far, also those whose connection then failed.
  std::uint64_t connections_opened() const;

 private:
  struct State;
  class Reader;

  explicit CurlHttp(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // Shared with the requests under way, which may outlive this object.
  std::shared_ptr<State> state_;
};

}  // namespace millwright::net
