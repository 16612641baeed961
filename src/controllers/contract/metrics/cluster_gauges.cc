#include "controllers/contract/metrics/cluster_gauges.h"

#include "controllers/metrics/families.h"

namespace millwright::controllers::contract {

namespace {

constexpr MetricInfo kUp{"capi_cluster_cache_connection_up",
                         "Whether there is a connection to the cluster: 1, or 0.",
                         {"cluster_name", "cluster_namespace"}};
constexpr MetricInfo kWell{"capi_cluster_cache_healthcheck",
                           "Whether the cluster answered last time: 1, or 0.",
                           {"cluster_name", "cluster_namespace"}};
constexpr MetricInfo kProbes{"capi_cluster_cache_healthchecks_total",
                             "How often the cluster was asked whether it is there.",
                             {"cluster_name", "cluster_namespace", "status"}};

}  // namespace

std::vector<prometheus::MetricFamily> ClusterGauges::Collect() const {
  GaugeFamily up(kUp);
  GaugeFamily well(kWell);
  CounterFamily probes(kProbes);
  for (const LinkReport& link : remotes_.Report()) {
    const auto& [name_space, name] = link.cluster;
    up.Add({name, name_space}, link.connected ? 1 : 0);
    const bool answered = link.health.last_success && link.health.failures == 0;
    well.Add({name, name_space}, answered ? 1 : 0);
    probes.Add({name, name_space, "success"}, static_cast<double>(link.succeeded));
    probes.Add({name, name_space, "error"}, static_cast<double>(link.failed));
  }
  std::vector<prometheus::MetricFamily> all;
  for (Family* family :
       {static_cast<Family*>(&up), static_cast<Family*>(&well), static_cast<Family*>(&probes)}) {
    all.push_back(std::move(*family).Take());
  }
  return all;
}

}  // namespace millwright::controllers::contract
