// The clouds of a process: machines of this computer, simulated ones, and those
// of providers in processes of their own.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/process.h"
#include "controllers/joiner/api_node_joiner.h"
#include "providers/grpc/remote_provider.h"
#include "providers/local/local_cloud.h"
#include "providers/metered.h"
#include "providers/simulated/node_life.h"
#include "providers/simulated/simulated.h"

namespace millwright::cli {

struct CloudsOptions {
  std::filesystem::path machines;  // where local machines are kept
  std::vector<std::unique_ptr<providers::grpc::RemoteProvider>> remote{};
  std::string default_provider;  // serves classes whose own nobody serves; empty: none
  // Where nodes of simulated machines appear; null: nowhere.
  kube::Client* joins = nullptr;
  // Told of every call; empty: nobody is.
  std::function<void(const providers::CloudCallReport&)> observe{};
};

class Clouds {
 public:
  Clouds(Process process, CloudsOptions options);

  const providers::CloudRegistry& registry() const { return registry_; }
  // A simulated cloud lives as long as its process, and machines longer: those
  // that have an instance get it back.
  providers::SimulatedCloud& simulated() { return simulated_; }

  // What clouds do by themselves, until cancelled.
  Task<void> Run();

 private:
  void Add(const std::string& name, providers::Cloud& cloud, Clock& clock,
           const CloudsOptions& options);

  providers::LocalCloud local_;
  std::vector<std::unique_ptr<providers::grpc::RemoteProvider>> remote_;
  providers::CloudEngine engine_;
  providers::SimulatedCloud simulated_;
  std::optional<controllers::ApiNodeJoiner> joiner_;
  std::optional<providers::NodeLife> nodes_;
  std::vector<std::unique_ptr<providers::MeteredCloud>> metered_;
  providers::CloudRegistry registry_;
  TaskGroup tasks_;
};

}  // namespace millwright::cli
