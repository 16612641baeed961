#include "controllers/metrics/rest_client.h"

namespace millwright::controllers {

namespace {

constexpr MetricInfo kRequests{"rest_client_requests_total",
                               "Requests to API servers by code, method and host.",
                               {"code", "method", "host"}};
// Upstream's second label is the address of the server, without what varies.
constexpr MetricInfo kLatency{"rest_client_request_latency_seconds",
                              "Seconds until an API server answered.",
                              {"verb", "url"},
                              MetricKind::kHistogram};

}  // namespace

kube::RequestObserver CountRequests(Metrics& metrics, std::string host) {
  auto requests = metrics.Counter(kRequests);
  auto latency = metrics.Histogram(kLatency, kRestClientLatencyBuckets);
  return [requests, latency, host = std::move(host)](const kube::RequestReport& report) mutable {
    const std::string code = report.status == 0 ? "<error>" : std::to_string(report.status);
    requests.With({code, report.method, host}).Increment();
    latency.With({report.method, host}).Observe(std::chrono::duration<double>(report.took).count());
  };
}

}  // namespace millwright::controllers
