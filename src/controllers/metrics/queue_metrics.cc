#include "controllers/metrics/queue_metrics.h"

namespace millwright::controllers {

namespace {

// Our loops that upstream has under another name.
std::string UpstreamName(const std::string& loop) {
  if (loop == "overshoot-set") return "machinesafetyovershooting";
  return loop == "orphans" ? "machinesafetyorphanvms" : loop;
}

}  // namespace

void QueueMetricsOfAll::Observe(Metrics& metrics, kube::Controller& controller) {
  Observed& observed = observed_.emplace_back(
      &controller,
      std::make_unique<kube::QueueMetrics>(metrics, UpstreamName(controller.name()),
                                           kMcmQueueNames),
      std::make_unique<kube::ControllerMetrics>(metrics, controller.name(), controller.workers()));
  controller.Observe(observed.queue.get(), observed.work.get());
}

void QueueMetricsOfAll::BeforeScrape() {
  for (const Observed& observed : observed_) {
    const auto [sum, longest] = observed.controller->queue().Unfinished();
    observed.queue->SetUnfinished(sum, longest);
  }
}

}  // namespace millwright::controllers
