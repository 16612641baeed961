// Puts series into families as Prometheus wants them, at the moment of a scrape.
#pragma once

#include <prometheus/metric_family.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/metrics.h"
#include "base/time.h"

namespace millwright::controllers {

// All series of one metric.
class Family {
 public:
  // The values of the labels, in the order of the table.
  void Add(std::initializer_list<std::string_view> values, double value);

  prometheus::MetricFamily Take() && { return std::move(family_); }

 protected:
  Family(const MetricInfo& info, prometheus::MetricType type);

 private:
  LabelNames labels_;
  prometheus::MetricFamily family_;
};

class GaugeFamily : public Family {
 public:
  explicit GaugeFamily(const MetricInfo& info) : Family(info, prometheus::MetricType::Gauge) {}
};

// Of what is counted elsewhere.
class CounterFamily : public Family {
 public:
  explicit CounterFamily(const MetricInfo& info) : Family(info, prometheus::MetricType::Counter) {}
};

// As createdAt is written.
std::string UnixSeconds(WallTime time);

}  // namespace millwright::controllers
