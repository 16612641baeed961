// What the tests of the HTTP clients share: an event loop, servers on it, and time that stands
// still.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/signal.h"
#include "base/task_group.h"
#include "net/testing/local_server.h"
#include "net/testing/manual_clock.h"

namespace millwright::net {

// Something that happens once, for others to wait for.
class Gate {
 public:
  explicit Gate(const Executor& executor) : changed_(executor) {}

  void Open() {
    open_ = true;
    changed_.NotifyAll();
  }

  // Also ends if the waiting task is cancelled.
  Task<void> Wait() {
    Wake why = Wake::kDone;
    while (!open_ && why != Wake::kCancelled) why = co_await changed_.Wait();
  }

  bool is_open() const { return open_; }

 private:
  bool open_ = false;
  Signal changed_;
};

class NetFixture : public testing::Test {
 protected:
  using Connection = LocalServer::Connection;
  using Answers = std::function<HttpResponse(const HttpRequest&, const LocalConnection&)>;

  // Not in the destructor: what the servers run uses members of derived fixtures, gone by then.
  void TearDown() override {
    for (const auto& server : servers_) Run(server->Stop());
  }

  Executor executor() { return io_.get_executor(); }

  template <class T>
  T Run(Task<T> task) {
    std::optional<T> outcome;
    boost::asio::co_spawn(io_, std::move(task), [&](const std::exception_ptr& error, T value) {
      if (error) std::rethrow_exception(error);
      outcome = std::move(value);
    });
    RunUntil([&] { return outcome.has_value(); });
    return *std::move(outcome);
  }

  void Run(Task<void> task) {
    bool done = false;
    boost::asio::co_spawn(io_, std::move(task), [&](const std::exception_ptr& error) {
      if (error) std::rethrow_exception(error);
      done = true;
    });
    RunUntil([&] { return done; });
  }

  void RunUntil(const std::function<bool()>& condition) {
    io_.restart();
    while (!condition()) {
      if (io_.run_one() == 0) throw std::runtime_error("the loop came to rest too early");
    }
  }

  // Everything that can move has moved, of both ends: they share the loop.
  void Settle() {
    io_.restart();
    while (io_.poll() > 0) {
    }
  }

  LocalServer& Serve(LocalServer::Handler handler,
                     std::optional<LocalServer::Tls> tls = std::nullopt) {
    servers_.push_back(
        std::make_unique<LocalServer>(executor(), std::move(handler), std::move(tls)));
    return *servers_.back();
  }

  // Answers every request on every connection, until the client goes.
  LocalServer& ServeAnswers(Answers answers, std::optional<LocalServer::Tls> tls = std::nullopt) {
    auto shared = std::make_shared<Answers>(std::move(answers));
    return Serve([shared](Connection connection) { return AnswerAll(connection, shared); },
                 std::move(tls));
  }

  static Task<void> AnswerAll(Connection connection, std::shared_ptr<Answers> answers) {
    while (true) {
      const auto request = co_await connection->ReadRequest();
      if (!request) co_return;
      co_await connection->Answer((*answers)(*request, *connection));
    }
  }

  using Outcome = std::shared_ptr<std::optional<Result<HttpResponse>>>;

  // Starts a request in a task that can be cancelled.
  Outcome Start(Http& http, HttpRequest request) {
    auto outcome = std::make_shared<std::optional<Result<HttpResponse>>>();
    tasks_.Spawn([&http, outcome, request = std::move(request)] {
      return KeepOutcome(http.Send(request), outcome);
    });
    return outcome;
  }

  template <class T>
  static Task<void> KeepOutcome(Task<Result<T>> task,
                                std::shared_ptr<std::optional<Result<T>>> outcome) {
    outcome->emplace(co_await std::move(task));
  }

  // Keeps something alive until the loop goes, as the frames of a program do that leaves.
  template <class T>
  static Task<void> Own(std::shared_ptr<T>) {
    co_await UntilCancelled();
  }

  boost::asio::io_context io_{1};
  ManualClock clock_;
  std::vector<std::unique_ptr<LocalServer>> servers_;
  TaskGroup tasks_{executor()};
};

inline HttpResponse Text(std::string body) {
  return HttpResponse{.status = 200, .headers = {}, .body = std::move(body)};
}

inline HttpRequest Get(std::string target) {
  HttpRequest request;
  request.target = std::move(target);
  return request;
}

inline HttpRequest Post(std::string target, std::string body) {
  HttpRequest request;
  request.method = "POST";
  request.target = std::move(target);
  request.body = std::move(body);
  return request;
}

}  // namespace millwright::net
