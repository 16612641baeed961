// A connection with a fake client and a fake handler, for tests in virtual time.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "net/server_connection.h"
#include "net/server_fake_handler.h"
#include "net/server_fake_stream.h"

namespace millwright::net {

// One connection over a fake stream, in virtual time.
class ConnectionFixture {
 public:
  ConnectionFixture() {
    tasks_.Spawn([this] { return watchdog_.Run(); });
    tasks_.Spawn([this] { return Serve(); });
    world_.Settle();
  }

  ~ConnectionFixture() {
    connection_.Cut();
    tasks_.Cancel();
    world_.Settle();
  }

  // Sends, lets everybody do what can be done, and returns what came back, without the date.
  std::string Exchange(std::string_view bytes) {
    client_->Send(bytes);
    return Receive();
  }

  std::string Receive() {
    static constexpr std::string_view kDate = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";
    world_.Settle();
    std::string text = client_->Receive();
    for (auto at = text.find(kDate); at != std::string::npos; at = text.find(kDate)) {
      text.erase(at, kDate.size());
    }
    return text;
  }

  Executor executor() { return process_.executor(); }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  CapturingSink sink_;
  Log log_{sink_, clock_, LogLevels{LogLevel::kDebug, {}}};
  const Logger logger_ = log_.For("net.server");
  const ServerLimits limits_{.body_bytes = 10};
  Watchdog watchdog_{executor(), clock_};
  Signal idle_{executor()};
  FakeHandler handler_{executor()};
  std::shared_ptr<FakeClient> client_ = std::make_shared<FakeClient>(executor());
  ServerConnection connection_{
      ConnectionContext{executor(), handler_, clock_, watchdog_, limits_, logger_, idle_},
      std::make_unique<FakeStream>(client_)};
  bool ended_ = false;
  TaskGroup tasks_{executor()};

 private:
  Task<void> Serve() {
    co_await connection_.Serve();
    ended_ = true;
  }
};

}  // namespace millwright::net
