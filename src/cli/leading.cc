#include "cli/leading.h"

namespace millwright::cli {

namespace {

// Under client-go's name.
constexpr MetricInfo kLeading{"leader_election_master_status",
                              "1 while this process holds the lease and works, else 0.",
                              {"name"},
                              MetricKind::kGauge};

// Runs while all leases are ours.
Task<void> Lead(MetricSeries<prometheus::Gauge> leading, std::vector<kube::ElectorOptions> leases) {
  for (const auto& lease : leases) leading.With({lease.lease.name}).Set(1);
  co_await UntilCancelled();
  for (const auto& lease : leases) leading.With({lease.lease.name}).Set(0);
}

}  // namespace

void ShowLeading(kube::Manager& manager, Metrics& metrics, const ControllerPlan& plan) {
  auto leading = metrics.Gauge(kLeading);
  for (const auto& lease : plan.leases) leading.With({lease.lease.name}).Set(0);
  manager.AddForLeader("leading",
                       [leading, leases = plan.leases] { return Lead(leading, leases); });
}

}  // namespace millwright::cli
