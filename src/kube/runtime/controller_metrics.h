// Metrics of queues and controllers under the names that client-go and controller-runtime gave
// them, so that existing dashboards and alerts go on working.
#pragma once

#include <string>
#include <string_view>

#include "base/metrics.h"
#include "kube/runtime/controller.h"
#include "kube/workqueue/queue_observer.h"

namespace millwright::kube {

// The names of a queue's metrics; each has the label "name".
struct QueueMetricNames {
  std::string_view depth;
  std::string_view adds;
  std::string_view queue_duration;
  std::string_view work_duration;
  std::string_view unfinished;
  std::string_view longest_running;
  std::string_view retries;
};

inline constexpr QueueMetricNames kClientGoQueueNames{"workqueue_depth",
                                                      "workqueue_adds_total",
                                                      "workqueue_queue_duration_seconds",
                                                      "workqueue_work_duration_seconds",
                                                      "workqueue_unfinished_work_seconds",
                                                      "workqueue_longest_running_processor_seconds",
                                                      "workqueue_retries_total"};

class QueueMetrics final : public QueueObserver {
 public:
  QueueMetrics(Metrics& metrics, const std::string& name,
               const QueueMetricNames& names = kClientGoQueueNames);

  void OnAdd(std::size_t depth) override;
  void OnGet(std::size_t depth, Duration waited) override;
  void OnDone(Duration worked) override;
  void OnRetry() override;

  // Known only at the moment of a scrape.
  void SetUnfinished(Duration sum, Duration longest);

 private:
  prometheus::Gauge& depth_;
  prometheus::Counter& adds_;
  prometheus::Histogram& queue_duration_;
  prometheus::Histogram& work_duration_;
  prometheus::Gauge& unfinished_;
  prometheus::Gauge& longest_running_;
  prometheus::Counter& retries_;
};

class ControllerMetrics final : public ControllerObserver {
 public:
  ControllerMetrics(Metrics& metrics, const std::string& name, std::size_t workers);

  void OnStart(std::size_t active) override;
  void OnEnd(std::size_t active, const Result<Requeue>& result, Duration took) override;

 private:
  prometheus::Counter& success_;
  prometheus::Counter& error_;
  prometheus::Counter& requeue_after_;
  prometheus::Counter& errors_;
  prometheus::Histogram& time_;
  prometheus::Gauge& active_;
};

}  // namespace millwright::kube
