// Work queues under the names that Gardener's dashboards know.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "kube/runtime/controller_metrics.h"

namespace millwright::controllers {

inline constexpr kube::QueueMetricNames kMcmQueueNames{
    "mcm_workqueue_depth",
    "mcm_workqueue_adds_total",
    "mcm_workqueue_queue_duration_seconds",
    "mcm_workqueue_work_duration_seconds",
    "mcm_workqueue_unfinished_work_seconds",
    "mcm_workqueue_longest_running_processor_seconds",
    "mcm_workqueue_retries_total"};

// Observes controllers from before they run until they are gone, so declare it before them.
class QueueMetricsOfAll {
 public:
  void Observe(Metrics& metrics, kube::Controller& controller);

  // What is only known at the moment of a scrape.
  void BeforeScrape();

 private:
  struct Observed {
    kube::Controller* controller;
    std::unique_ptr<kube::QueueMetrics> queue;
    std::unique_ptr<kube::ControllerMetrics> work;
  };

  std::vector<Observed> observed_;
};

}  // namespace millwright::controllers
