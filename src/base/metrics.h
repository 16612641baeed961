// Metrics: a thin layer on prometheus-cpp that keeps names, help and labels in tables.
//
//   inline constexpr MetricInfo kRetries = {.name = "workqueue_retries_total",
//                                           .help = "Retries handled by workqueue.",
//                                           .labels = {"name"}};
//   auto retries = metrics.Counter(kRetries);
//   retries.With({"machine"}).Increment();
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>

#include <array>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace millwright {

enum class MetricKind { kCounter, kGauge, kHistogram };

// Names of labels, fit for a constant table.
class LabelNames {
 public:
  constexpr LabelNames() = default;
  constexpr LabelNames(std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) names_.at(size_++) = name;
  }

  constexpr auto begin() const { return names_.begin(); }
  constexpr auto end() const { return names_.begin() + size_; }
  constexpr std::size_t size() const { return static_cast<std::size_t>(size_); }

 private:
  // apiserver_request_total, the widest of all, has nine.
  std::array<std::string_view, 10> names_{};
  std::ptrdiff_t size_ = 0;
};

// One metric as the documentation lists it.
struct MetricInfo {
  std::string_view name;
  std::string_view help;
  LabelNames labels = {};
  MetricKind kind = MetricKind::kCounter;
};

// All series of one metric. A light value; the series live as long as the Metrics.
template <class T>
class MetricSeries {
 public:
  MetricSeries(prometheus::Family<T>& family, LabelNames labels, std::vector<double> buckets)
      : family_(&family), labels_(labels), buckets_(std::move(buckets)) {}

  // The series with these values of the labels, in the order of the table; made when first asked
  // for. Looks it up each time: where it counts, keep the reference.
  T& With(std::initializer_list<std::string_view> values = {});

  // Ends a series, such as that of a thing that is gone.
  void Remove(std::initializer_list<std::string_view> values);

 private:
  prometheus::Family<T>* family_;
  LabelNames labels_;
  std::vector<double> buckets_;  // of histograms
};

// All metrics of a process. Series may be changed from any thread.
class Metrics {
 public:
  Metrics() = default;
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Declaring a metric again gives the same one, so that two work queues can share theirs.
  MetricSeries<prometheus::Counter> Counter(const MetricInfo& info);
  MetricSeries<prometheus::Gauge> Gauge(const MetricInfo& info);
  MetricSeries<prometheus::Histogram> Histogram(const MetricInfo& info,
                                                std::span<const double> buckets);

  // Adds a source that is asked at each scrape.
  void Add(std::unique_ptr<prometheus::Collectable> source);

  // The text format, sorted by name and labels.
  std::string Serialize() const;

  // Everything declared so far, for the documentation.
  const std::vector<MetricInfo>& declared() const { return declared_; }

 private:
  void Note(const MetricInfo& info, MetricKind kind);

  prometheus::Registry registry_;
  std::vector<std::unique_ptr<prometheus::Collectable>> sources_;
  std::vector<MetricInfo> declared_;
};

// Content-Type of what Serialize returns.
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// start, start * factor, ... as Go's prometheus.ExponentialBuckets.
template <std::size_t kCount>
constexpr std::array<double, kCount> ExponentialBuckets(double start, double factor) {
  std::array<double, kCount> buckets{};
  for (double& bucket : buckets) {
    bucket = start;
    start *= factor;
  }
  return buckets;
}

// Those of the Go clients, so that dashboards made for them work.
inline constexpr auto kWorkqueueBuckets = ExponentialBuckets<12>(10e-9, 10);
inline constexpr auto kRestClientLatencyBuckets =
    std::to_array<double>({0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0});
inline constexpr auto kReconcileTimeBuckets = std::to_array<double>(
    {0.005, 0.01, 0.025, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
     0.7,   0.8,  0.9,   1.0,  1.25, 1.5,  1.75, 2.0,  2.5, 3.0,  3.5, 4.0,  4.5, 5,
     6,     7,    8,     9,    10,   15,   20,   25,   30,  40,   50,  60});
inline constexpr auto kDefaultBuckets =
    std::to_array<double>({.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10});

}  // namespace millwright
