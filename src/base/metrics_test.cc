#include "base/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/metrics_process.h"

namespace millwright {
namespace {

using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

constexpr MetricInfo kAdds = {
    .name = "workqueue_adds_total", .help = "Adds handled.", .labels = {"name"}};
constexpr MetricInfo kDepth = {.name = "depth", .help = "Depth.", .kind = MetricKind::kGauge};
constexpr MetricInfo kLatency = {
    .name = "latency", .help = "Latency.", .labels = {"b", "a"}, .kind = MetricKind::kHistogram};

TEST(MetricsTest, SerializesInAFixedOrder) {
  Metrics metrics;
  auto adds = metrics.Counter(kAdds);
  adds.With({"z"}).Increment();
  adds.With({"a"}).Increment(2);
  metrics.Gauge(kDepth).With().Set(7);
  EXPECT_EQ(metrics.Serialize(),
            "# HELP depth Depth.\n"
            "# TYPE depth gauge\n"
            "depth 7\n"
            "# HELP workqueue_adds_total Adds handled.\n"
            "# TYPE workqueue_adds_total counter\n"
            "workqueue_adds_total{name=\"a\"} 2\n"
            "workqueue_adds_total{name=\"z\"} 1\n");
}

TEST(MetricsTest, LabelsKeepTheOrderOfTheTable) {
  Metrics metrics;
  const double buckets[] = {1, 5};
  metrics.Histogram(kLatency, buckets).With({"of b", "of a"}).Observe(3);
  const std::string text = metrics.Serialize();
  EXPECT_THAT(text, HasSubstr("latency_bucket{a=\"of a\",b=\"of b\",le=\"1\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("latency_bucket{a=\"of a\",b=\"of b\",le=\"5\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("latency_sum{a=\"of a\",b=\"of b\"} 3\n"));
}

TEST(MetricsTest, DeclaredTwiceIsTheSame) {
  Metrics metrics;
  metrics.Counter(kAdds).With({"a"}).Increment();
  metrics.Counter(kAdds).With({"a"}).Increment();
  EXPECT_THAT(metrics.Serialize(), HasSubstr("{name=\"a\"} 2\n"));
  EXPECT_THAT(metrics.declared(), ElementsAre(Field(&MetricInfo::name, "workqueue_adds_total")));
}

TEST(MetricsTest, RemovedSeriesAreGone) {
  Metrics metrics;
  auto adds = metrics.Counter(kAdds);
  adds.With({"a"}).Increment();
  adds.With({"b"}).Increment();
  adds.Remove({"a"});
  adds.Remove({"never there"});
  EXPECT_THAT(metrics.Serialize(), Not(HasSubstr("\"a\"")));
  EXPECT_THAT(metrics.Serialize(), HasSubstr("\"b\""));
}

TEST(MetricsTest, BucketsOfTheWorkQueueAreThoseOfGo) {
  EXPECT_EQ(kWorkqueueBuckets.size(), 12U);
  EXPECT_DOUBLE_EQ(kWorkqueueBuckets.front(), 1e-8);
  EXPECT_DOUBLE_EQ(kWorkqueueBuckets.back(), 1e3);
}

TEST(ParseProcessStatTest, ReadsRealText) {
  const auto stat = ParseProcessStat(
      "1234 (mill) R 1 (x) S 1 1234 1234 0 -1 4194560 2157 0 3 0 51 17 0 0 20 0 4 0 9914 "
      "123456789 2222 18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0 0\n");
  ASSERT_TRUE(stat.has_value());
  EXPECT_EQ(*stat, (ProcessStat{51, 17, 9914, 123456789, 2222}));
}

TEST(ParseProcessStatTest, RefusesWhatIsNotOne) {
  EXPECT_FALSE(ParseProcessStat("").has_value());
  EXPECT_FALSE(ParseProcessStat("1 (x) S 1 2 3").has_value());
  EXPECT_FALSE(
      ParseProcessStat("1 (x) S 1 1 1 0 -1 4 2 0 3 0 a 17 0 0 20 0 4 0 9 1 2").has_value());
}

TEST(ParseBootTimeTest, FindsItsLine) {
  EXPECT_EQ(ParseBootTime("cpu  1 2 3\nctxt 4\nbtime 1767225600\nprocesses 5\n").value(),
            1767225600U);
  EXPECT_EQ(ParseBootTime("btime 7").value(), 7U);
  EXPECT_FALSE(ParseBootTime("cpu 1\nnot_btime 7\n").has_value());
  EXPECT_FALSE(ParseBootTime("btime x\n").has_value());
}

TEST(ProcessCollectorTest, SpeaksOfThisProcess) {
  Metrics metrics;
  metrics.Add(std::make_unique<ProcessCollector>());
  const std::string text = metrics.Serialize();
  for (const MetricInfo& info : kProcessMetrics) {
    EXPECT_THAT(text, HasSubstr("\n" + std::string(info.name) + " "));
  }
  EXPECT_THAT(text, HasSubstr("# TYPE process_cpu_seconds_total counter"));
  EXPECT_THAT(text, Not(HasSubstr("process_open_fds 0\n")));
}

}  // namespace
}  // namespace millwright
