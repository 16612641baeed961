// For tests: the embedded server in virtual time, asked as a client would ask it.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>

#include <string>
#include <utility>
#include <vector>

#include <boost/json.hpp>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "base/virtual/world.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

class EmbeddedFixture : public testing::Test {
 protected:
  explicit EmbeddedFixture(DialWebhook dial = {}) : process_(world_), clock_(process_) {
    boost::asio::co_spawn(process_.executor(), Main(*this, std::move(dial)),
                          [](const std::exception_ptr&) {});
    world_.RunUntil([this] { return http_ != nullptr; });
  }

  // The root frame owns all that the process is made of.
  static Task<void> Main(EmbeddedFixture& self, DialWebhook dial) {
    MemoryDisk disk("test");
    auto server = EmbeddedServer::Open({.executor = self.process_.executor(),
                                        .clock = self.clock_,
                                        .random = self.random_,
                                        .disk = disk,
                                        .pki = MakePki({}, self.clock_.Now(), self.random_),
                                        .dial_webhook = std::move(dial)})
                      .value();
    (co_await server->Start()).value();
    InProcessHttp http(self.process_.executor(), server->handler(), TrustedPeer("test"));
    self.http_ = &http;
    co_await UntilCancelled();
  }

  struct Reply {
    int status;
    boost::json::value body;
    std::vector<std::string> warnings;

    std::string_view At(std::string_view path) const { return kube::GetString(body, path); }
  };

  Reply Ask(std::string method, std::string target, std::string body = "",
            std::string content_type = "application/json") {
    net::HttpRequest request{.method = std::move(method),
                             .target = std::move(target),
                             .headers = {{"Content-Type", content_type}},
                             .body = std::move(body)};
    const auto answer = *RunTask(process_, http_->Send(std::move(request)));
    Reply reply{.status = answer.value().status,
                .body = boost::json::parse(answer.value().body),
                .warnings = {}};
    for (const auto& [name, value] : answer.value().headers) {
      if (name == "Warning") reply.warnings.push_back(value);
    }
    return reply;
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  SeededRandom random_{1};
  InProcessHttp* http_ = nullptr;
};

}  // namespace millwright::apiserver
