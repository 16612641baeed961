// Cluster API's loops in a simulated process, with our own provider's beside them. The cluster that
// machines join is the one that they are declared in, behind the same faulty network.
#include "base/task_group.h"
#include "controllers/contract/all/contract_controllers.h"
#include "controllers/supply/supply.h"
#include "kube/events/recorder.h"
#include "tests/sim/words.h"

namespace millwright::sim {

namespace contract = controllers::contract;

namespace {

class SameCluster final : public contract::RemoteConnection {
 public:
  explicit SameCluster(net::Http& http) : http_(http), client_(http, "machine-controller") {}

  kube::Client& client() override { return client_; }
  net::Http& http() override { return http_; }

 private:
  net::Http& http_;
  kube::Client client_;
};

class SameClusterDialer final : public contract::RemoteDialer {
 public:
  explicit SameClusterDialer(net::Http& http) : http_(http) {}

  Result<std::unique_ptr<contract::RemoteConnection>> Dial(const std::string& kubeconfig) override {
    if (kubeconfig != kSecret) return Fail(ErrorKind::kInvalid, "this is no kubeconfig");
    return std::make_unique<SameCluster>(http_);
  }

 private:
  net::Http& http_;
};

}  // namespace

Task<void> RunCapi(Station& station) {
  kube::Recorder events(station.executor, station.client, station.clock, station.log.For("events"),
                        {.component = "machine-controller"});
  SameClusterDialer dialer(station.http);
  contract::InPlacePort nobody;
  contract::Surroundings surroundings{.executor = station.executor,
                                      .clock = station.clock,
                                      .random = station.random,
                                      .log = station.log,
                                      .management = station.client,
                                      .events = events,
                                      .dialer = dialer,
                                      .in_place = nobody,
                                      .settings = {}};
  contract::ContractControllers all(surroundings);
  controllers::supply::Supply supply(surroundings, all.caches(), all.externals(), all.remotes(),
                                     station.clouds);
  TaskGroup tasks(station.executor);
  tasks.Spawn([&] { return events.Run(); });
  tasks.Spawn([&] { return all.RunCaches(); });
  tasks.Spawn([&] { return supply.RunCaches(); });
  tasks.Spawn([&] { return all.RunLoops(); });
  tasks.Spawn([&] { return supply.RunLoops(); });
  co_await UntilCancelled();
}

}  // namespace millwright::sim
