#include "kube/runtime/controller_metrics.h"

namespace millwright::kube {

namespace {

constexpr std::string_view kDepthHelp = "Keys that wait in the queue.";
constexpr std::string_view kAddsHelp = "Keys added to the queue.";
constexpr std::string_view kQueueHelp = "Seconds a key waits before it is worked on.";
constexpr std::string_view kWorkHelp = "Seconds it takes to work on a key.";
constexpr std::string_view kUnfinishedHelp =
    "Seconds of work in progress that work_duration has not seen yet; growth means stuck keys.";
constexpr std::string_view kLongestHelp = "Seconds for which the oldest key has been worked on.";
constexpr std::string_view kRetriesHelp = "Keys queued again after a failure.";

constexpr MetricInfo kReconciles{"controller_runtime_reconcile_total",
                                 "Reconciliations by controller and result.",
                                 {"controller", "result"}};
constexpr MetricInfo kErrors{
    "controller_runtime_reconcile_errors_total", "Reconciliations that failed.", {"controller"}};
constexpr MetricInfo kTime{"controller_runtime_reconcile_time_seconds",
                           "Seconds per reconciliation.",
                           {"controller"},
                           MetricKind::kHistogram};
constexpr MetricInfo kActive{
    "controller_runtime_active_workers", "Keys in flight.", {"controller"}, MetricKind::kGauge};
constexpr MetricInfo kWorkers{"controller_runtime_max_concurrent_reconciles",
                              "How many keys may be in flight at once.",
                              {"controller"},
                              MetricKind::kGauge};

constexpr LabelNames kName{"name"};

auto Gauge(Metrics& metrics, std::string_view name, std::string_view help) {
  return metrics.Gauge({name, help, kName, MetricKind::kGauge});
}

auto Counter(Metrics& metrics, std::string_view name, std::string_view help) {
  return metrics.Counter({name, help, kName});
}

auto Histogram(Metrics& metrics, std::string_view name, std::string_view help) {
  return metrics.Histogram({name, help, kName, MetricKind::kHistogram}, kWorkqueueBuckets);
}

double Seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

QueueMetrics::QueueMetrics(Metrics& metrics, const std::string& name, const QueueMetricNames& names)
    : depth_(Gauge(metrics, names.depth, kDepthHelp).With({name})),
      adds_(Counter(metrics, names.adds, kAddsHelp).With({name})),
      queue_duration_(Histogram(metrics, names.queue_duration, kQueueHelp).With({name})),
      work_duration_(Histogram(metrics, names.work_duration, kWorkHelp).With({name})),
      unfinished_(Gauge(metrics, names.unfinished, kUnfinishedHelp).With({name})),
      longest_running_(Gauge(metrics, names.longest_running, kLongestHelp).With({name})),
      retries_(Counter(metrics, names.retries, kRetriesHelp).With({name})) {}

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
