// For tests: a way to a server that can be looked at and broken.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "net/http.h"

namespace millwright::controllers::contract {

// Remembers what was asked, and can cut the line or refuse.
class RecordingHttp final : public net::Http {
 public:
  RecordingHttp(net::Http& inner, Clock& clock) : inner_(inner), clock_(clock) {}

  Task<Result<net::HttpResponse>> Send(net::HttpRequest request) override {
    requests.push_back(request.method + " " + request.target);
    if (down) co_return co_await Hang<net::HttpResponse>(request);
    if (unauthenticated) {
      co_return net::HttpResponse{.status = 401, .headers = {}, .body = "{}"};
    }
    if (refuses && refuses(request)) {
      co_return Fail(ErrorKind::kUnavailable, "refused by the test");
    }
    if (const std::optional<int> status = answers ? answers(request) : std::nullopt) {
      const std::string reason = *status == 409 ? "Conflict" : "";
      co_return net::HttpResponse{
          .status = *status,
          .headers = {},
          .body = fmt::format(R"({{"kind":"Status","reason":"{}","code":{}}})", reason, *status)};
    }
    // The embedded server has nothing at its root.
    if (request.target == "/")
      co_return net::HttpResponse{.status = 200, .headers = {}, .body = ""};
    co_return co_await inner_.Send(std::move(request));
  }
  Task<Result<net::HttpStream>> Open(net::HttpRequest request) override {
    requests.push_back(request.method + " " + request.target);
    if (down) co_return co_await Hang<net::HttpStream>(request);
    if (refuses && refuses(request)) {
      co_return Fail(ErrorKind::kUnavailable, "refused by the test");
    }
    co_return co_await inner_.Open(std::move(request));
  }

  int Count(const std::string& beginning) const {
    return static_cast<int>(std::ranges::count_if(
        requests, [&](const std::string& request) { return request.starts_with(beginning); }));
  }

  std::vector<std::string> requests;
  bool down = false;  // nobody answers
  bool unauthenticated = false;
  std::function<bool(const net::HttpRequest&)> refuses;
  std::function<std::optional<int>(const net::HttpRequest&)> answers;  // in place of the server

 private:
  template <class T>
  Task<Result<T>> Hang(const net::HttpRequest& request) {
    co_await SleepFor(clock_, request.timeout.value_or(std::chrono::seconds(10)));
    co_return Fail(ErrorKind::kUnavailable, "nobody answers");
  }

  net::Http& inner_;
  Clock& clock_;
};

}  // namespace millwright::controllers::contract
