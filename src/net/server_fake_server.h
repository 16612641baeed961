// A real server on a free port with a fake handler and a clock that stands still, for tests.
#pragma once

#include <memory>
#include <utility>

#include "base/log_capture.h"
#include "base/task_group.h"
#include "net/server.h"
#include "net/server_fake_handler.h"
#include "net/server_raw_client.h"
#include "net/testing/manual_clock.h"

namespace millwright::net {

class ServerFixture {
 public:
  ~ServerFixture() {
    // Stopping again and again cuts what does not end by itself.
    loop_.RunUntil([this] {
      tasks_.Cancel();
      return tasks_.size() == 0;
    });
  }

  void Start(ServerOptions options = {}) {
    options.log = log_.For("net.server");
    server_ = Server::Listen(loop_.executor(), clock_, std::move(options), handler_).value();
    tasks_.Spawn([this] { return Run(); });
  }

  // Once: gracefully. Twice: at once.
  void Stop() { tasks_.Cancel(); }

  std::uint16_t port() const { return server_->port(); }

  TestLoop loop_;
  ManualClock clock_;
  CapturingSink sink_;
  Log log_{sink_, clock_};
  FakeHandler handler_{loop_.executor()};
  std::unique_ptr<Server> server_;
  bool stopped_ = false;
  TaskGroup tasks_{loop_.executor()};

 private:
  Task<void> Run() {
    co_await server_->Run();
    stopped_ = true;
  }
};

}  // namespace millwright::net
