// For tests: the contract loops in virtual time between embedded API servers, one for the
// management cluster, one for the cluster that machines join, and another such if a test wants it.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/json.hpp>

#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "base/log_capture.h"
#include "base/virtual/world.h"
#include "controllers/contract/external/externals.h"
#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/shared/caches.h"
#include "controllers/contract/testing/dev_provider.h"
#include "controllers/contract/testing/fake_dialer.h"
#include "controllers/contract/testing/recording_http.h"

namespace millwright::controllers::contract {

// What the loops of a test are made from.
struct ContractParts {
  Surroundings& surroundings;
  Caches& caches;
  Externals& externals;
  RemoteClusters& remotes;
  TaskGroup& tasks;
};

class ContractServers : public testing::Test {
 protected:
  // Makes the loops, runs them, and waits until it is cancelled.
  using MakeLoops = std::function<Task<void>(ContractParts)>;

  explicit ContractServers(MakeLoops loops, Settings settings = {}, InPlacePort* in_place = nullptr,
                           bool two_workloads = false)
      : process_(world_), clock_(process_), log_(sink_, clock_), two_workloads_(two_workloads) {
    if (in_place != nullptr) in_place_ = in_place;
    boost::asio::co_spawn(process_.executor(), Main(*this, std::move(loops), std::move(settings)),
                          [](const std::exception_ptr& error) {
                            if (error) std::rethrow_exception(error);
                          });
    EXPECT_TRUE(world_.RunUntil([this] { return ready_; }));
    world_.Advance(std::chrono::seconds(1));  // all kinds are served by now
  }

  void TearDown() override {
    if (!HasFailure()) return;
    for (const std::string& line : sink_.lines()) std::cerr << line << "\n";
    for (const std::string& request : management_->requests) std::cerr << request << "\n";
  }

  static std::unique_ptr<apiserver::EmbeddedServer> Open(ContractServers& self,
                                                         apiserver::MemoryDisk& disk) {
    return apiserver::EmbeddedServer::Open(
               {.executor = self.process_.executor(),
                .clock = self.clock_,
                .random = self.random_,
                .disk = disk,
                .pki = apiserver::MakePki({}, self.clock_.Now(), self.random_),
                .nodes = std::nullopt})
        .value();
  }

  // The root frame owns all that the process is made of; at the end of a test it crashes.
  static Task<void> Main(ContractServers& self, MakeLoops loops, Settings settings) {
    const Executor executor = self.process_.executor();
    apiserver::MemoryDisk disk("management");
    apiserver::MemoryDisk workload_disk("workload");
    const auto server = Open(self, disk);
    const auto workload = Open(self, workload_disk);
    (co_await server->Start()).value();
    (co_await workload->Start()).value();
    apiserver::InProcessHttp http(executor, server->handler(), apiserver::TrustedPeer("test"));
    apiserver::InProcessHttp workload_http(executor, workload->handler(),
                                           apiserver::TrustedPeer("test"));
    RecordingHttp recorded(http, self.clock_);
    RecordingHttp recorded_workload(workload_http, self.clock_);
    self.http_ = &http;
    self.workload_http_ = &workload_http;
    self.management_ = &recorded;
    self.workload_ = &recorded_workload;
    co_await Define(self);
    apiserver::MemoryDisk second_disk("second");
    std::unique_ptr<apiserver::EmbeddedServer> second;
    std::optional<apiserver::InProcessHttp> second_http;
    if (self.two_workloads_) {
      second = Open(self, second_disk);
      (co_await second->Start()).value();
      second_http.emplace(executor, second->handler(), apiserver::TrustedPeer("test"));
      self.second_http_ = &*second_http;
    }

    kube::Client client(recorded, "manager");
    FakeDialer dialer(recorded_workload);
    self.dialer_ = &dialer;
    dialer.second = self.second_http_;
    kube::Recorder events(executor, client, self.clock_, {},
                          {.component = "machine-controller", .instance = "test"});
    Surroundings surroundings{.executor = executor,
                              .clock = self.clock_,
                              .random = self.random_,
                              .log = self.log_,
                              .management = client,
                              .events = events,
                              .dialer = dialer,
                              .in_place = *self.in_place_,
                              .settings = std::move(settings)};
    Caches caches(surroundings);
    Externals externals(surroundings, caches);
    RemoteClusters remotes(surroundings, caches);
    self.remotes_ = &remotes;
    self.caches_ = &caches;
    TaskGroup tasks(executor);
    // Loops listen before the caches run.
    tasks.Spawn([&] { return loops({surroundings, caches, externals, remotes, tasks}); });
    tasks.Spawn([&] { return events.Run(); });
    tasks.Spawn([&] { return caches.Run(); });
    if (co_await caches.WaitSynced() == Wake::kCancelled) co_return;
    tasks.Spawn([&] { return externals.Run(); });
    tasks.Spawn([&] { return remotes.Run(); });
    self.ready_ = true;
    co_await UntilCancelled();
  }

  static Task<void> Define(ContractServers& self) {
    const auto post = [&self](std::string target, std::string body) {
      return self.http_->Send({.method = "POST",
                               .target = std::move(target),
                               .headers = {{"Content-Type", "application/json"}},
                               .body = std::move(body)});
    };
    for (const boost::json::object& definition : Definitions()) {
      const auto answer = co_await post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                                        boost::json::serialize(definition));
      EXPECT_EQ(answer.value().status, 201) << answer->body;
    }
    const auto space = co_await post("/api/v1/namespaces", R"({"metadata":{"name":"ns"}})");
    EXPECT_EQ(space.value().status, 201);
  }

  VirtualWorld world_;
  VirtualProcess process_;
  VirtualClock clock_;
  SeededRandom random_{1};
  CapturingSink sink_;
  Log log_;
  const bool two_workloads_;
  InPlacePort no_in_place_;
  InPlacePort* in_place_ = &no_in_place_;
  net::Http* http_ = nullptr;           // as somebody else
  net::Http* workload_http_ = nullptr;  // the same, of the other cluster
  net::Http* second_http_ = nullptr;    // and of a third, if there is one
  RecordingHttp* management_ = nullptr;
  RecordingHttp* workload_ = nullptr;
  FakeDialer* dialer_ = nullptr;
  RemoteClusters* remotes_ = nullptr;
  Caches* caches_ = nullptr;
  bool ready_ = false;
};

}  // namespace millwright::controllers::contract
