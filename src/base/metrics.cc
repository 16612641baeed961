#include "base/metrics.h"

#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cassert>
#include <iterator>
#include <map>
#include <type_traits>
#include <utility>

namespace millwright {

namespace {

prometheus::Labels JoinLabels(const LabelNames& names,
                              std::initializer_list<std::string_view> values) {
  assert(names.size() == values.size());
  prometheus::Labels labels;
  const auto* value = values.begin();
  for (const std::string_view name : names) {
    if (value == values.end()) break;
    labels.emplace(name, *value++);
  }
  return labels;
}

}  // namespace

template <class T>
T& MetricSeries<T>::With(std::initializer_list<std::string_view> values) {
  if constexpr (std::is_same_v<T, prometheus::Histogram>) {
    return family_->Add(JoinLabels(labels_, values), buckets_);
  } else {
    return family_->Add(JoinLabels(labels_, values));
  }
}

template <class T>
void MetricSeries<T>::Remove(std::initializer_list<std::string_view> values) {
  if (family_->Has(JoinLabels(labels_, values))) family_->Remove(&With(values));
}

template class MetricSeries<prometheus::Counter>;
template class MetricSeries<prometheus::Gauge>;
template class MetricSeries<prometheus::Histogram>;

MetricSeries<prometheus::Counter> Metrics::Counter(const MetricInfo& info) {
  Note(info, MetricKind::kCounter);
  auto& family = prometheus::BuildCounter()
                     .Name(std::string(info.name))
                     .Help(std::string(info.help))
                     .Register(registry_);
  return {family, info.labels, {}};
}

MetricSeries<prometheus::Gauge> Metrics::Gauge(const MetricInfo& info) {
  Note(info, MetricKind::kGauge);
  auto& family = prometheus::BuildGauge()
                     .Name(std::string(info.name))
                     .Help(std::string(info.help))
                     .Register(registry_);
  return {family, info.labels, {}};
}

MetricSeries<prometheus::Histogram> Metrics::Histogram(const MetricInfo& info,
                                                       std::span<const double> buckets) {
  Note(info, MetricKind::kHistogram);
  auto& family = prometheus::BuildHistogram()
                     .Name(std::string(info.name))
                     .Help(std::string(info.help))
                     .Register(registry_);
  return {family, info.labels, {buckets.begin(), buckets.end()}};
}

void Metrics::Note(const MetricInfo& info, MetricKind kind) {
  assert(info.kind == kind);
  if (std::ranges::find(declared_, info.name, &MetricInfo::name) != declared_.end()) return;
  declared_.push_back(info);
  declared_.back().kind = kind;
}

void Metrics::Add(std::unique_ptr<prometheus::Collectable> source) {
  sources_.push_back(std::move(source));
}

std::string Metrics::Serialize() const {
  auto families = registry_.Collect();
  for (const auto& source : sources_)
    std::ranges::move(source->Collect(), std::back_inserter(families));
  std::ranges::sort(families, {}, &prometheus::MetricFamily::name);
  for (prometheus::MetricFamily& family : families) {
    // The registry keeps series by hash.
    std::ranges::sort(family.metric,
                      [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace millwright
