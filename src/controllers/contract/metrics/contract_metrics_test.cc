// Metrics as a scrape sees them.
#include <gmock/gmock.h>

#include "controllers/contract/machine/machine_controller.h"
#include "controllers/contract/metrics/cluster_gauges.h"
#include "controllers/contract/metrics/loop_metrics.h"
#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct WithMetrics {
  Metrics metrics_;
  LoopMetrics loops_;
};

class ContractMetricsTest : protected WithMetrics, public ContractFixture {
 protected:
  ContractMetricsTest()
      : ContractFixture([this](ContractParts parts) { return Loops(parts, metrics_, loops_); }) {}

  static Task<void> Loops(ContractParts parts, Metrics& metrics, LoopMetrics& loops) {
    MachineController machines(parts.surroundings, parts.caches, parts.externals, parts.remotes);
    loops.Observe(metrics, machines.controller());
    metrics.Add(std::make_unique<ClusterGauges>(parts.remotes));
    if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
    co_await machines.Run();
  }

  std::string Scrape() {
    loops_.BeforeScrape();
    return metrics_.Serialize();
  }
};

TEST_F(ContractMetricsTest, loops_are_counted_in_both_words) {
  AddCluster();
  AddRunningMachine();
  EXPECT_THAT(
      Scrape(),
      AllOf(HasSubstr("capi_reconcile_total{controller=\"machine\",result=\"success\"}"),
            HasSubstr("capi_reconcile_total{controller=\"machine\",result=\"requeue\"} 0"),
            HasSubstr("capi_reconcile_time_seconds_bucket{controller=\"machine\",le=\"60\"}"),
            HasSubstr("controller_runtime_reconcile_total{controller=\"machine\","),
            HasSubstr("controller_runtime_max_concurrent_reconciles{controller=\"machine\"} 100"),
            HasSubstr("workqueue_depth{name=\"machine\"} 0"),
            HasSubstr("workqueue_adds_total{name=\"machine\"}"), Not(HasSubstr("mcm_"))));
}

TEST_F(ContractMetricsTest, connections_are_shown_while_their_clusters_are_there) {
  const std::string labels = "{cluster_name=\"c\",cluster_namespace=\"ns\"";
  AddCluster();
  Pass(30s);
  EXPECT_THAT(Scrape(), AllOf(HasSubstr("capi_cluster_cache_connection_up" + labels + "} 1"),
                              HasSubstr("capi_cluster_cache_healthcheck" + labels + "} 1"),
                              HasSubstr("capi_cluster_cache_healthchecks_total" + labels +
                                        ",status=\"error\"} 0")));
  workload_->down = true;
  Pass(120s);
  EXPECT_THAT(Scrape(), AllOf(HasSubstr("capi_cluster_cache_connection_up" + labels + "} 0"),
                              HasSubstr("capi_cluster_cache_healthcheck" + labels + "} 0"),
                              Not(HasSubstr(labels + ",status=\"error\"} 0"))));
  Delete(fmt::format("{}/c", kCluster));
  Pass(1s);
  EXPECT_THAT(Scrape(), Not(HasSubstr("cluster_name=\"c\"")));
}

}  // namespace
}  // namespace millwright::controllers::contract
