// Machines, sets and deployments as gauges, under the names that Gardener's dashboards know.
//
// Computed from the caches when somebody asks: an event costs nothing, and what is gone is gone
// from the next scrape.
#pragma once

#include <prometheus/collectable.h>

#include <functional>
#include <vector>

#include "controllers/all/all_controllers.h"

namespace millwright::controllers {

// The numbers under which phases are shown.
double PhaseNumber(core::Phase phase);

// "True" 1, "False" 0, anything else 2.
double ConditionNumber(std::string_view status);

class MachineGauges final : public prometheus::Collectable {
 public:
  // `frozen`: machines are left alone because an API server is away. The caches outlive this.
  MachineGauges(const Caches& caches, Loops loops, std::function<bool()> frozen)
      : caches_(caches), loops_(loops), frozen_(std::move(frozen)) {}

  // NOLINTNEXTLINE(readability-identifier-naming): the library's name
  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const Caches& caches_;
  const Loops loops_;
  const std::function<bool()> frozen_;
};

std::vector<prometheus::MetricFamily> CollectMachines(const Caches& caches, bool frozen);
std::vector<prometheus::MetricFamily> CollectSets(const Caches& caches);
std::vector<prometheus::MetricFamily> CollectDeployments(const Caches& caches);

}  // namespace millwright::controllers
