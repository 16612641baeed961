// The controllers of machines on contracts, and our own kinds that keep them,
// wired together.
#pragma once

#include <memory>

#include "cli/clouds.h"
#include "controllers/contract/all/contract_controllers.h"
#include "controllers/contract/metrics/loop_metrics.h"
#include "controllers/supply/supply.h"
#include "kube/events/recorder.h"

namespace millwright::cli {

struct ContractFleetOptions {
  std::string component;  // who speaks in events
  controllers::contract::Settings settings;
  CloudsOptions clouds;
  bool supply = false;         // our own kinds are there, and are served
  Metrics* metrics = nullptr;  // none: nothing is measured
};

class ContractFleet {
 public:
  // `management` and `dialer` outlive it.
  ContractFleet(Process process, kube::Client& management,
                controllers::contract::RemoteDialer& dialer, ContractFleetOptions options);

  // What runs always, and what only a leader runs. Both until cancelled.
  Task<void> RunCaches();
  Task<void> RunLoops();

  const controllers::contract::Settings& settings() const { return surroundings_.settings; }
  const controllers::contract::Caches& caches() const { return controllers_.caches(); }
  void BeforeScrape() { loop_metrics_.BeforeScrape(); }

 private:
  void RestoreSimulated();

  kube::Recorder events_;
  controllers::contract::InPlacePort in_place_;  // nobody registered an extension
  controllers::contract::Surroundings surroundings_;
  Clouds clouds_;
  controllers::contract::LoopMetrics loop_metrics_;
  controllers::contract::ContractControllers controllers_;
  std::optional<controllers::supply::Supply> supply_;
  TaskGroup caches_;
  TaskGroup loops_;
};

}  // namespace millwright::cli
