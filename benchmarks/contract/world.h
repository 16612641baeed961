// Management cluster, workload clusters and a simulated cloud in one process, without networks:
// what is left is the work of the loops and of the API server.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apiserver/server/embedded.h"
#include "apiserver/server/in_process.h"
#include "apiserver/store/memory_disk.h"
#include "benchmarks/contract/request_counts.h"
#include "benchmarks/run.h"
#include "controllers/contract/all/contract_controllers.h"
#include "controllers/joiner/api_node_joiner.h"
#include "controllers/supply/supply.h"
#include "kube/events/recorder.h"
#include "providers/simulated/node_life.h"
#include "providers/simulated/simulated.h"

namespace millwright::benchmarks {

// One API server with a client that counts.
class Plane {
 public:
  Plane(const Process& process, const apiserver::Pki& pki, RequestCounts& counts);

  Task<Result<void>> Start() { return server_->Start(); }
  Task<void> Close();

  net::Http& http() { return counted_; }
  kube::Client& client() { return client_; }
  kube::Client& uncounted() { return others_; }  // of users and kubelets

 private:
  apiserver::MemoryDisk disk_;
  std::unique_ptr<apiserver::EmbeddedServer> server_;
  apiserver::InProcessHttp inner_;
  CountingHttp counted_;
  kube::Client client_;
  kube::Client others_;
};

// Workload clusters are called c0, c1, ...; a kubeconfig is such a name, and so is the beginning of
// a machine's name.
class Workloads final : public controllers::contract::RemoteDialer, public providers::NodeJoiner {
 public:
  Workloads(const Process& process, RequestCounts& counts) : process_(process), counts_(counts) {}

  Task<Result<void>> Start(int count, const apiserver::Pki& pki);
  Task<void> Close();

  Result<std::unique_ptr<controllers::contract::RemoteConnection>> Dial(
      const std::string& kubeconfig) override;
  Task<Result<void>> Join(Node node) override;
  Task<Result<void>> SetReady(std::string name, bool ready, std::string reason) override;

 private:
  struct Workload {
    Workload(const Process& process, const apiserver::Pki& pki, RequestCounts& counts)
        : plane(process, pki, counts), joiner(process.executor, plane.uncounted(), process.clock) {}

    Plane plane;
    controllers::ApiNodeJoiner joiner;
  };
  Workload* Of(const std::string& name);

  Process process_;
  RequestCounts& counts_;
  std::vector<std::unique_ptr<Workload>> all_;
};

// The loops of one controller process.
class Loops {
 public:
  Loops(const Process& process, kube::Client& management, Workloads& workloads,
        const providers::CloudRegistry& clouds);

  void Run();
  Task<void> Close();
  const controllers::contract::Caches& caches() { return controllers_.caches(); }

 private:
  kube::Recorder events_;
  controllers::contract::InPlacePort in_place_;
  controllers::contract::Surroundings surroundings_;
  controllers::contract::ContractControllers controllers_;
  controllers::supply::Supply supply_;
  TaskGroup tasks_;
};

class World {
 public:
  explicit World(const Process& process);

  // The servers with their kinds; nothing runs yet.
  Task<Result<void>> Start(int clusters);
  // The loops and the cloud.
  void Run();
  // Everything that another controller process would have in memory.
  std::unique_ptr<Loops> MakeSecond();
  Task<void> Close();

  Plane& management() { return *management_; }
  const controllers::contract::Caches& caches() { return loops_->caches(); }

  RequestCounts counts;           // of the loops, at the management cluster
  RequestCounts workload_counts;  // and at the others

 private:
  Process process_;
  apiserver::Pki pki_;
  std::unique_ptr<Plane> management_;
  Workloads workloads_;
  providers::CloudEngine engine_;
  providers::SimulatedCloud cloud_;
  providers::CloudRegistry registry_;
  providers::NodeLife nodes_;
  std::unique_ptr<Loops> loops_;
  TaskGroup tasks_;
};

}  // namespace millwright::benchmarks
