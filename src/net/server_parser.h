// Turns bytes into one request at a time. Pure; the grammar is Beast's.
#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

#include "net/http.h"
#include "net/server_limits.h"

namespace millwright::net {

// A request that the server answers by itself before it closes the connection.
struct Rejection {
  int status = 0;  // 0: nobody is left to answer to
  std::string_view reason;
};

struct IncomingRequest {
  HttpRequest http;
  bool http_1_0 = false;
  bool keep_alive = false;
};

// Good for one request.
class RequestParser {
 public:
  explicit RequestParser(const ServerLimits& limits);
  ~RequestParser();
  RequestParser(RequestParser&&) noexcept;
  RequestParser& operator=(RequestParser&&) noexcept;

  // Takes what it can use off the front of `bytes`; what it leaves comes again, with more behind
  // it. Stops at the end of the request. Not to be called after a rejection.
  std::expected<void, Rejection> Feed(std::string& bytes);

  // Some of the request has come.
  bool has_begun() const;
  bool is_header_done() const;
  bool is_done() const;

  // True from the end of the head on if the client wants to hear "100 Continue" before the body.
  bool expects_continue() const;

  // REQUIRES: is_done().
  IncomingRequest Take();

 private:
  struct State;

  std::expected<void, Rejection> AfterHead(std::size_t used, std::size_t left);
  std::expected<void, Rejection> FinishHead();

  std::unique_ptr<State> state_;
};

}  // namespace millwright::net
