// Requests to a real server, over the best protocol that it and the way to it allow.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "net/client_options.h"
#include "net/http.h"

namespace millwright::net {

// HTTP/2 (Http2Client) to an https server without a proxy between; HTTP/1.1 (CurlHttp) to all
// others, and to one that turns out to speak nothing newer.
//
// May be destroyed while requests run: they end as kCancelled.
class HttpClient final : public Http {
 public:
  using Options = ClientOptions;

  // kInvalid for an address, proxy or TLS configuration that cannot work.
  static Result<std::unique_ptr<HttpClient>> Create(const Executor& executor, Clock& clock,
                                                    Options options);
  ~HttpClient() override;
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  Task<Result<HttpResponse>> Send(HttpRequest request) override;
  Task<Result<HttpStream>> Open(HttpRequest request) override;

  // What begins from now on uses new connections; what runs ends on the old ones. If the
  // configuration is kInvalid the one before stays.
  Result<void> SetTls(TlsConfig tls);

  // Connections begun so far, also those that then failed.
  std::uint64_t connections_opened() const;

 private:
  struct State;

  explicit HttpClient(std::shared_ptr<State> state) : state_(std::move(state)) {}

  // Shared with the requests under way, which may outlive this object.
  std::shared_ptr<State> state_;
};

}  // namespace millwright::net
