#include "controllers/metrics/families.h"

#include <cassert>

namespace millwright::controllers {

Family::Family(const MetricInfo& info, prometheus::MetricType type) : labels_(info.labels) {
  family_.name = info.name;
  family_.help = info.help;
  family_.type = type;
}

void Family::Add(std::initializer_list<std::string_view> values, double value) {
  assert(values.size() == labels_.size());
  prometheus::ClientMetric& metric = family_.metric.emplace_back();
  (family_.type == prometheus::MetricType::Gauge ? metric.gauge.value : metric.counter.value) =
      value;
  const auto* at = values.begin();
  for (const std::string_view name : labels_) {
    metric.label.push_back({std::string(name), std::string(*at++)});
  }
}

std::string UnixSeconds(WallTime time) {
  return std::to_string(
      std::chrono::duration_cast<std::chrono::seconds>(time.time_since_epoch()).count());
}

}  // namespace millwright::controllers
