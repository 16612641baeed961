// Requests to a real server over HTTP/1.1, by libcurl.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "net/client_options.h"
#include "net/http.h"

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
  using Options = ClientOptions;

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

  explicit CurlHttp(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // Shared with the requests under way, which may outlive this object.
  std::shared_ptr<State> state_;
};

}  // namespace millwright::net
