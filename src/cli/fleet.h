// The machine controllers of a process with the clouds they use, wired together.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/clouds.h"
#include "cli/dialects.h"
#include "cli/process.h"
#include "controllers/all/all_controllers.h"
#include "controllers/metrics/activity.h"
#include "controllers/metrics/queue_metrics.h"
#include "kube/events/recorder.h"

namespace millwright::cli {

struct FleetOptions {
  std::string component;  // who speaks in events
  CloudsOptions clouds;
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
  CloudsOptions JoinedTo(kube::Client* target, FleetOptions&& options);
  void RestoreSimulated();
  void Measure(Metrics& metrics);

  const std::unique_ptr<dialects::Dialect> dialect_;
  kube::Recorder events_;
  controllers::Surroundings surroundings_;

  Clouds clouds_;
  const controllers::Loops loops_;

  controllers::QueueMetricsOfAll queue_metrics_;
  controllers::AllControllers controllers_;
  std::optional<controllers::Activity> activity_;  // none: nothing is measured
  TaskGroup tasks_;
};

// Makes the cluster know the dialect's kinds; those that are there are brought up to date.
Task<Result<void>> InstallCrds(kube::Client& client, const DialectEntry& dialect);

}  // namespace millwright::cli
