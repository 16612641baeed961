// Requests to a real server over HTTP/2, by nghttp2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "net/client_options.h"
#include "net/http.h"

namespace millwright::net {

// Carried by the error, which is kUnavailable, of a request that the server would take over
// HTTP/1.1 only.
class NeedsHttp11 final : public ErrorDetail {};

// How servers other than those of Kubernetes are treated.
struct Http2Manners {
  // Path of a UNIX socket on which the server speaks HTTP/2 at once. Then the base address and what
  // the options say about TLS are not used.
  std::string unix_socket{};
  // A connection on which nothing has come for so long is asked for a sign of life, or closed if
  // nothing runs on it and idle ones are not kept.
  Duration quiet = std::chrono::seconds(30);
  bool keep_idle = true;
};

// Only for https without a proxy, and for UNIX sockets. An answer's trailers follow its headers if
// the request says "TE: trailers". Redirects are answers. A request that surely had no effect is
// sent once more on another connection, and so is one that only reads if a connection dies that has
// worked before.
//
// May be destroyed while requests run: they end as kCancelled.
class Http2Client final : public Http {
 public:
  using Options = ClientOptions;

  // kInvalid for an address or TLS configuration that cannot work.
  static Result<std::unique_ptr<Http2Client>> Create(const Executor& executor, Clock& clock,
                                                     Options options, Http2Manners manners = {});
  ~Http2Client() override;
  Http2Client(const Http2Client&) = delete;
  Http2Client& operator=(const Http2Client&) = delete;

  Task<Result<HttpResponse>> Send(HttpRequest request) override;
  Task<Result<HttpStream>> Open(HttpRequest request) override;

  // What begins from now on uses new connections; what runs ends on the old ones. If the
  // configuration is kInvalid the one before stays.
  Result<void> SetTls(TlsConfig tls);

  // Connections begun so far, also those that then failed.
  std::uint64_t connections_opened() const;
  std::size_t connections_open() const;

 private:
  struct State;

  explicit Http2Client(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // Shared with the requests under way, which may outlive this object.
  std::shared_ptr<State> state_;
};

}  // namespace millwright::net
