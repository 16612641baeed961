// A handler for tests, with something of everything that handlers do.
#pragma once

#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/signal.h"
#include "net/server_handler.h"

namespace millwright::net {

class FakeHandler final : public Handler {
 public:
  explicit FakeHandler(const Executor& executor) : changed_(executor) {}

  // By target: "/throw", "/wait" (until Release), "/cut", "/none", "/close", "/big" (a million
  // bytes),
  // "/stream" (two pieces), "/watch" (events until End or cancelled), "/broken" (a stream that
  // fails), "/throwing-stream"; all others get method and body back.
  Task<ServerResponse> Handle(ServerRequest request) override {
    const std::string& target = request.http.target;
    requests.push_back(request);
    if (target == "/throw") throw std::runtime_error("on purpose");
    if (target == "/wait") co_return co_await WaitForRelease();
    if (target == "/cut") co_return ServerResponse{.http = {}, .cut = true};
    if (target == "/none") co_return Text(204, "must not be sent");
    if (target == "/big") co_return Text(200, std::string(1'000'000, 'x'));
    if (target == "/close") {
      auto response = Text(200, "bye");
      response.http.headers.Add("Connection", "close");
      co_return response;
    }
    auto response = Text(200, "");
    if (target == "/stream") response.stream = TwoPieces;
    if (target == "/broken") response.stream = Broken;
    if (target == "/throwing-stream") response.stream = Throwing;
    if (target == "/watch") response.stream = [this](BodyWriter& out) { return Watch(out); };
    if (!response.stream) response.http.body = request.http.method + ":" + request.http.body;
    co_return response;
  }

  void Release() {
    released_ = true;
    changed_.NotifyAll();
  }
  void Emit(std::string event) {
    events_.push_back(std::move(event));
    changed_.NotifyAll();
  }
  void End() {
    ended_ = true;
    changed_.NotifyAll();
  }

  std::vector<ServerRequest> requests;
  int waiting = 0;   // requests in "/wait"
  int watchers = 0;  // streams in "/watch"
  bool wait_was_cancelled = false;
  std::vector<ErrorKind> write_errors;

 private:
  static ServerResponse Text(int status, std::string body) {
    return {.http = {.status = status, .headers = {}, .body = std::move(body)}};
  }

  Task<ServerResponse> WaitForRelease() {
    ++waiting;
    Wake why = Wake::kDone;
    while (!released_ && why == Wake::kDone) why = co_await changed_.Wait();
    wait_was_cancelled = why == Wake::kCancelled;
    --waiting;
    co_return Text(200, "released");
  }

  static Task<Result<void>> TwoPieces(BodyWriter& out) {
    CO_CHECK(co_await out.Write("one,"));
    CO_CHECK(co_await out.Write(""));
    co_return co_await out.Write("two");
  }

  static Task<Result<void>> Broken(BodyWriter& out) {
    CO_CHECK(co_await out.Write("half"));
    co_return Fail(ErrorKind::kInternal, "the other half is lost");
  }

  static Task<Result<void>> Throwing(BodyWriter& out) {
    CO_CHECK(co_await out.Write("half"));
    throw std::runtime_error("on purpose");
  }

  Task<Result<void>> Watch(BodyWriter& out) {
    ++watchers;
    Wake why = Wake::kDone;
    while (why == Wake::kDone && !ended_) {
      while (!events_.empty()) {
        std::string event = std::move(events_.front());
        events_.pop_front();
        const auto written = co_await out.Write(std::move(event));
        if (!written) write_errors.push_back(written.error().kind());
      }
      if (!ended_) why = co_await changed_.Wait();
    }
    --watchers;
    co_return Ok();
  }

  bool released_ = false;
  bool ended_ = false;
  std::deque<std::string> events_;
  Signal changed_;
};

}  // namespace millwright::net
