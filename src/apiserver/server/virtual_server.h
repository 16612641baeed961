// For tests: the embedded server in a simulated process, asked as a client would ask it.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/json.hpp>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/simulated_disk.h"
#include "base/virtual/world.h"
#include "kube/api/json_text.h"

namespace millwright::apiserver {

class VirtualServer {
 public:
  using Adjust = std::function<void(EmbeddedServer::Parts&)>;

  struct Reply {
    int status;
    boost::json::value body;

    std::string_view At(std::string_view path) const { return kube::GetString(body, path); }
  };

  explicit VirtualServer(Adjust adjust = {}) : process_(world_), clock_(process_) {
    boost::asio::co_spawn(process_.executor(), Main(*this, std::move(adjust)),
                          [](const std::exception_ptr&) {});
    world_.RunUntil([this] { return server_ != nullptr; });
  }

  // As somebody of system:masters.
  Reply Ask(std::string method, std::string target, std::string body = "",
            std::string content_type = "application/json") {
    return AskAs(TrustedPeer("test"), std::move(method), std::move(target), std::move(body),
                 std::move(content_type));
  }

  Reply AskAs(net::PeerIdentity peer, std::string method, std::string target, std::string body = "",
              std::string content_type = "application/json") {
    net::HttpRequest request{.method = std::move(method),
                             .target = std::move(target),
                             .headers = {{"Content-Type", content_type}},
                             .body = std::move(body)};
    const auto answer = *RunTask(process_, Send(*this, std::move(peer), std::move(request)));
    EXPECT_TRUE(answer) << answer.error().message();
    boost::system::error_code not_json;
    boost::json::value parsed = boost::json::parse(answer->body, not_json);
    return {answer->status, not_json ? boost::json::value(answer->body) : std::move(parsed)};
  }

  Reply Merge(std::string target, std::string body) {
    return Ask("PATCH", std::move(target), std::move(body), "application/merge-patch+json");
  }

  // Of an answer that may be a stream; that is not read.
  int StatusOf(std::string target) {
    return *RunTask(
        process_,
        Head(*this, {.method = "GET", .target = std::move(target), .headers = {}, .body = {}}));
  }

  void Pass(Duration time) { world_.Advance(time); }
  std::string Now() const { return FormatTime(clock_.Now()); }
  std::string NowMicro() const { return FormatMicroTime(clock_.Now()); }
  EmbeddedServer& server() { return *server_; }

  bool disk_full = false;

 private:
  // The root frame owns all that the process is made of.
  static Task<void> Main(VirtualServer& self, Adjust adjust) {
    Platter platter("test");
    SimulatedDisk disk(platter, self.clock_, [&self](std::uint64_t) {
      CommitFate fate;
      if (self.disk_full) fate.error = Error(ErrorKind::kUnavailable, "disk full");
      return fate;
    });
    EmbeddedServer::Parts parts{.executor = self.process_.executor(),
                                .clock = self.clock_,
                                .random = self.random_,
                                .disk = disk,
                                .pki = MakePki({}, self.clock_.Now(), self.random_)};
    if (adjust) adjust(parts);
    auto server = EmbeddedServer::Open(std::move(parts)).value();
    (co_await server->Start()).value();
    self.server_ = server.get();
    co_await UntilCancelled();
  }

  static Task<Result<net::HttpResponse>> Send(VirtualServer& self, net::PeerIdentity peer,
                                              net::HttpRequest request) {
    InProcessHttp http(self.process_.executor(), self.server_->handler(), std::move(peer));
    auto answer = co_await http.Send(std::move(request));
    co_await http.Close();
    co_return answer;
  }

  static Task<int> Head(VirtualServer& self, net::HttpRequest request) {
    const auto answer = co_await self.server_->handler().Handle(
        {.http = std::move(request), .peer = TrustedPeer("test")});
    co_return answer.http.status;
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  SeededRandom random_{1};
  EmbeddedServer* server_ = nullptr;
};

}  // namespace millwright::apiserver
