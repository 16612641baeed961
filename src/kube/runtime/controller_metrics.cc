#include "kube/runtime/controller_metrics.h"

namespace millwright::kube {

namespace {

constexpr MetricInfo kDepth{"workqueue_depth", "Keys that wait in the queue.", {"name"}};
constexpr MetricInfo kAdds{"workqueue_adds_total", "Keys added to the queue.", {"name"}};
constexpr MetricInfo kQueueDuration{
    "workqueue_queue_duration_seconds", "Seconds a key waits before it is worked on.", {"name"}};
constexpr MetricInfo kWorkDuration{
    "workqueue_work_duration_seconds", "Seconds it takes to work on a key.", {"name"}};
constexpr MetricInfo kUnfinished{
    "workqueue_unfinished_work_seconds",
    "Seconds of work in progress that work_duration has not seen yet; growth means stuck keys.",
    {"name"}};
constexpr MetricInfo kLongest{"workqueue_longest_running_processor_seconds",
                              "Seconds for which the oldest key has been worked on.",
                              {"name"}};
constexpr MetricInfo kRetries{
    "workqueue_retries_total", "Keys queued again after a failure.", {"name"}};
constexpr MetricInfo kReconciles{"controller_runtime_reconcile_total",
                                 "Reconciliations by controller and result.",
                                 {"controller", "result"}};
constexpr MetricInfo kErrors{
    "controller_runtime_reconcile_errors_total", "Reconciliations that failed.", {"controller"}};
constexpr MetricInfo kTime{
    "controller_runtime_reconcile_time_seconds", "Seconds per reconciliation.", {"controller"}};
constexpr MetricInfo kActive{
    "controller_runtime_active_workers", "Keys in flight.", {"controller"}};
constexpr MetricInfo kWorkers{"controller_runtime_max_concurrent_reconciles",
                              "How many keys may be in flight at once.",
                              {"controller"}};

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

QueueMetrics::QueueMetrics(Metrics& metrics, const std::string& name)
    : depth_(metrics.Gauge(kDepth).With({name})),
      adds_(metrics.Counter(kAdds).With({name})),
      queue_duration_(metrics.Histogram(kQueueDuration, kWorkqueueBuckets).With({name})),
      work_duration_(metrics.Histogram(kWorkDuration, kWorkqueueBuckets).With({name})),
      unfinished_(metrics.Gauge(kUnfinished).With({name})),
      longest_running_(metrics.Gauge(kLongest).With({name})),
      retries_(metrics.Counter(kRetries).With({name})) {}

void QueueMetrics::OnAdd(std::size_t depth) {
  adds_.Increment();
  depth_.Set(static_cast<double>(depth));
}

void QueueMetrics::OnGet(std::size_t depth, Duration waited) {
  depth_.Set(static_cast<double>(depth));
  queue_duration_.Observe(Seconds(waited));
}

void QueueMetrics::OnDone(Duration worked) { work_duration_.Observe(Seconds(worked)); }

void QueueMetrics::OnRetry() { retries_.Increment(); }

void QueueMetrics::SetUnfinished(Duration sum, Duration longest) {
  unfinished_.Set(Seconds(sum));
  longest_running_.Set(Seconds(longest));
}

ControllerMetrics::ControllerMetrics(Metrics& metrics, const std::string& name, std::size_t workers)
    : success_(metrics.Counter(kReconciles).With({name, "success"})),
      error_(metrics.Counter(kReconciles).With({name, "error"})),
      requeue_after_(metrics.Counter(kReconciles).With({name, "requeue_after"})),
      errors_(metrics.Counter(kErrors).With({name})),
      time_(metrics.Histogram(kTime, kReconcileTimeBuckets).With({name})),
      active_(metrics.Gauge(kActive).With({name})) {
  metrics.Gauge(kWorkers).With({name}).Set(static_cast<double>(workers));
}

void ControllerMetrics::OnStart(std::size_t active) { active_.Set(static_cast<double>(active)); }

void ControllerMetrics::OnEnd(std::size_t active, const Result<Requeue>& result, Duration took) {
  active_.Set(static_cast<double>(active));
  time_.Observe(Seconds(took));
  if (!result) {
    error_.Increment();
    errors_.Increment();
  } else if (result->after()) {
    requeue_after_.Increment();
  } else {
    success_.Increment();
  }
}

}  // namespace millwright::kube
