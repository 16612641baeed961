#include "controllers/contract/metrics/loop_metrics.h"

namespace millwright::controllers::contract {

namespace {

constexpr MetricInfo kTotal{"capi_reconcile_total",
                            "Looks at an object by controller and result.",
                            {"controller", "result"}};
constexpr MetricInfo kTime{
    "capi_reconcile_time_seconds", "Seconds per look.", {"controller"}, MetricKind::kHistogram};

}  // namespace

// What controller-runtime counts, and the same once more in Cluster API's words. Upstream the
// latter leave out looks that came too early; we do not look then.
class LoopMetrics::Work final : public kube::ControllerObserver {
 public:
  Work(Metrics& metrics, const std::string& name, std::size_t workers)
      : runtime_(metrics, name, workers),
        success_(metrics.Counter(kTotal).With({name, "success"})),
        error_(metrics.Counter(kTotal).With({name, "error"})),
        requeue_after_(metrics.Counter(kTotal).With({name, "requeue_after"})),
        time_(metrics.Histogram(kTime, kReconcileTimeBuckets).With({name})) {
    metrics.Counter(kTotal).With({name, "requeue"});  // dashboards add it up; it stays 0
  }

  void OnStart(std::size_t active) override { runtime_.OnStart(active); }
  void OnEnd(std::size_t active, const Result<kube::Requeue>& result, Duration took) override {
    runtime_.OnEnd(active, result, took);
    time_.Observe(std::chrono::duration<double>(took).count());
    (!result ? error_ : result->after() ? requeue_after_ : success_).Increment();
  }

 private:
  kube::ControllerMetrics runtime_;
  prometheus::Counter& success_;
  prometheus::Counter& error_;
  prometheus::Counter& requeue_after_;
  prometheus::Histogram& time_;
};

struct LoopMetrics::Observed {
  kube::Controller* controller;
  std::unique_ptr<kube::QueueMetrics> queue;
  std::unique_ptr<Work> work;
};

LoopMetrics::LoopMetrics() = default;
LoopMetrics::~LoopMetrics() = default;

void LoopMetrics::Observe(Metrics& metrics, kube::Controller& controller) {
  Observed& observed = observed_.emplace_back(
      &controller, std::make_unique<kube::QueueMetrics>(metrics, controller.name()),
      std::make_unique<Work>(metrics, controller.name(), controller.workers()));
  controller.Observe(observed.queue.get(), observed.work.get());
}

void LoopMetrics::BeforeScrape() {
  for (const Observed& observed : observed_) {
    const auto [sum, longest] = observed.controller->queue().Unfinished();
    observed.queue->SetUnfinished(sum, longest);
  }
}

}  // namespace millwright::controllers::contract
