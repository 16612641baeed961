// Connections to workload clusters as upstream's ClusterCache shows them, made when somebody asks:
// a cluster that is gone is gone from the next scrape.
#pragma once

#include <prometheus/collectable.h>

#include <vector>

#include "controllers/contract/remote/remote_clusters.h"

namespace millwright::controllers::contract {

class ClusterGauges final : public prometheus::Collectable {
 public:
  // It outlives this.
  explicit ClusterGauges(const RemoteClusters& remotes) : remotes_(remotes) {}

  // NOLINTNEXTLINE(readability-identifier-naming): the library's name
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const RemoteClusters& remotes_;
};

}  // namespace millwright::controllers::contract
