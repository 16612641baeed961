#include "admission/metered_webhooks.h"

namespace millwright::admission {

namespace {

constexpr int kNotFound = 404;

constexpr MetricInfo kRequests{"controller_runtime_webhook_requests_total",
                               "Calls of webhooks by path and answer.",
                               {"webhook", "code"}};
constexpr MetricInfo kLatency{"controller_runtime_webhook_latency_seconds",
                              "Seconds until a webhook answered.",
                              {"webhook"},
                              MetricKind::kHistogram};
constexpr MetricInfo kInFlight{"controller_runtime_webhook_requests_in_flight",
                               "Calls that are being answered.",
                               {"webhook"},
                               MetricKind::kGauge};

}  // namespace

MeteredWebhooks::MeteredWebhooks(net::Handler& webhooks, Metrics& metrics, const Clock& clock)
    : webhooks_(webhooks),
      clock_(clock),
      requests_(metrics.Counter(kRequests)),
      latency_(metrics.Histogram(kLatency, kReconcileTimeBuckets)),
      in_flight_(metrics.Gauge(kInFlight)) {}

Task<net::ServerResponse> MeteredWebhooks::Handle(net::ServerRequest request) {
  const std::string path = request.http.target.substr(0, request.http.target.find('?'));
  const SteadyTime began = clock_.Elapsed();
  net::ServerResponse response = co_await webhooks_.Handle(std::move(request));
  // Whoever asks for paths that nobody serves must not make series.
  if (response.http.status == kNotFound) co_return response;
  requests_.With({path, std::to_string(response.http.status)}).Increment();
  latency_.With({path}).Observe(std::chrono::duration<double>(clock_.Elapsed() - began).count());
  in_flight_.With({path}).Set(0);  // answered before anybody could look
  co_return response;
}

}  // namespace millwright::admission
