// Calls of webhooks under the names that controller-runtime gave them.
#pragma once

#include "base/clock.h"
#include "base/metrics.h"
#include "net/server_handler.h"

namespace millwright::admission {

// In front of the handler that answers. All outlive it.
class MeteredWebhooks final : public net::Handler {
 public:
  MeteredWebhooks(net::Handler& webhooks, Metrics& metrics, const Clock& clock);

  Task<net::ServerResponse> Handle(net::ServerRequest request) override;

 private:
  net::Handler& webhooks_;
  const Clock& clock_;
  MetricSeries<prometheus::Counter> requests_;
  MetricSeries<prometheus::Histogram> latency_;
  MetricSeries<prometheus::Gauge> in_flight_;
};

}  // namespace millwright::admission
