// What is counted as it happens: calls to clouds, and how long machines take.
#pragma once

#include <string>

#include "base/metrics.h"
#include "controllers/shared/caches.h"
#include "providers/metered.h"

namespace millwright::controllers {

// The word for a call in labels.
std::string_view OperationName(providers::CloudCall call);

class Activity {
 public:
  // Before the caches run: it listens to machines. All outlive this.
  Activity(Metrics& metrics, const Surroundings& surroundings, Caches& caches);

  void OnCloudCall(const providers::CloudCallReport& report);

 private:
  using Gauges = MetricSeries<prometheus::Gauge>;
  using Counters = MetricSeries<prometheus::Counter>;
  using Histograms = MetricSeries<prometheus::Histogram>;

  // Whose series a machine's times belong to.
  struct Place {
    std::string namespace_;
    std::string deployment;
    std::string instance_type;
    std::string zone;
  };

  void OnMachine(const dialects::MachineRecord* before, const dialects::MachineRecord* after);
  // None: it belongs to no deployment.
  std::optional<Place> PlaceOf(const dialects::MachineRecord& machine) const;
  static void Set(Gauges& gauges, const Place& place, Duration took);

  const Surroundings& surroundings_;
  Caches& caches_;

  Counters requests_;
  Counters failed_requests_;
  Histograms request_duration_;
  Histograms driver_duration_;
  Counters driver_failed_;

  Gauges create_;
  Gauges initialize_;
  Gauges join_;
  Gauges remove_;
  Gauges drain_;
  Counters failed_join_;
  prometheus::Counter& stale_;
};

}  // namespace millwright::controllers
