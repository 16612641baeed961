// The machine controllers of a process with the clouds they use, wired together.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/dialects.h"
#include "cli/process.h"
#include "controllers/all/all_controllers.h"
#include "controllers/joiner/api_node_joiner.h"
#include "controllers/metrics/activity.h"
#include "controllers/metrics/queue_metrics.h"
#include "kube/events/recorder.h"
#include "providers/grpc/remote_provider.h"
#include "providers/local/local_cloud.h"
#include "providers/metered.h"
#include "providers/simulated/node_life.h"
#include "providers/simulated/simulated.h"

namespace millwright::cli {

struct FleetOptions {
  std::filesystem::path machines;  // where local machines are kept
  std::string component;           // who speaks in events
  std::string default_provider;    // serves classes whose own nobody serves; empty: none
  std::vector<std::unique_ptr<providers::grpc::RemoteProvider>> remote{};
  controllers::Settings settings;
  controllers::Loops loops;
  Metrics* metrics = nullptr;  // none: nothing is measured
};

class Fleet {
 public:
  // `control` and `target` outlive it; no target: machines join no cluster.
  Fleet(Process process, const DialectEntry& dialect, kube::Client& control, kube::Client* target,
        FleetOptions options);

  // What runs always, and what only a leader runs. Both until cancelled.
  Task<void> RunCaches();
  Task<void> RunLoops();

  controllers::AllControllers& controllers() { return controllers_; }

  // What metrics only know at the moment of a scrape.
  void BeforeScrape() { queue_metrics_.BeforeScrape(); }

 private:
  // A simulated cloud lives as long as its process, and machines longer: those that have an
  // instance get it back.
  void RestoreSimulated();
  void AddCloud(const std::string& name, providers::Cloud& cloud, Clock& clock, bool is_default);
  void Measure(Metrics& metrics);

  const std::unique_ptr<dialects::Dialect> dialect_;
  kube::Recorder events_;
  controllers::Surroundings surroundings_;

  providers::LocalCloud local_;
  std::vector<std::unique_ptr<providers::grpc::RemoteProvider>> remote_;
  providers::CloudEngine engine_;
  providers::SimulatedCloud simulated_;
  std::optional<controllers::ApiNodeJoiner> joiner_;
  std::optional<providers::NodeLife> nodes_;
  std::vector<std::unique_ptr<providers::MeteredCloud>> metered_;
  providers::CloudRegistry clouds_;
  const controllers::Loops loops_;

  controllers::QueueMetricsOfAll queue_metrics_;
  controllers::AllControllers controllers_;
  std::optional<controllers::Activity> activity_;  // none: nothing is measured
  TaskGroup tasks_;
};

// Makes the cluster know the dialect's kinds; those that are there are brought up to date.
Task<Result<void>> InstallCrds(kube::Client& client, const DialectEntry& dialect);

}  // namespace millwright::cli
