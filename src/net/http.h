// HTTP as values, and the port through which requests leave this process.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/task.h"
#include "base/time.h"

namespace millwright::net {

// Header fields in the order they came; names compare without regard to case.
class Headers {
 public:
  Headers() = default;
  Headers(std::initializer_list<std::pair<std::string, std::string>> fields) : fields_(fields) {}

  void Add(std::string name, std::string value) {
    fields_.emplace_back(std::move(name), std::move(value));
  }
  void Set(std::string name, std::string value);

  // The first field of that name.
  std::optional<std::string_view> Find(std::string_view name) const;

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }
  bool empty() const { return fields_.empty(); }

  friend bool operator==(const Headers&, const Headers&) = default;

 private:
  std::vector<std::pair<std::string, std::string>> fields_;
};

struct HttpRequest {
  std::string method = "GET";
  std::string target;  // path and query ("/api/v1/nodes?limit=1"), or a whole URL where the port
                       // has no base
  Headers headers;
  std::string body;
  // For the whole exchange; for a stream, until the answer's head has come. None: the port's
  // default.
  std::optional<Duration> timeout;
};

struct HttpResponse {
  int status = 0;
  Headers headers;
  std::string body;
};

// The rest of an answer, piece by piece. Destroying it ends the exchange.
class BodyReader {
 public:
  virtual ~BodyReader() = default;

  // The next bytes as they arrive; empty at the end. A connection cut half-way is kUnavailable.
  virtual Task<Result<std::string>> Read() = 0;
};

struct HttpStream {
  int status = 0;
  Headers headers;
  std::unique_ptr<BodyReader> body;
};

// Sends requests to one place. Implementations: HttpClient (a real server), the embedded API
// server in process, a played-back script in tests. An HTTP error status is an answer, not an
// Error; an Error means that there was no answer: kUnavailable if the request surely had no effect,
// kInDoubt if it may have had one, kUnauthenticated for a TLS identity that was refused, kInvalid
// for a request or address that cannot be sent, kCancelled.
class Http {
 public:
  virtual ~Http() = default;

  virtual Task<Result<HttpResponse>> Send(HttpRequest request) = 0;
  virtual Task<Result<HttpStream>> Open(HttpRequest request) = 0;
};

}  // namespace millwright::net
