#include "apiserver/housekeeping/budget.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

struct Case {
  const char* name;
  const char* spec;
  int ready;
  int unready;
  int ending;
  int wished;
  std::int64_t expected;
  std::int64_t desired;
  std::int64_t healthy;
  std::int64_t allowed;
};

class BudgetTest : public testing::TestWithParam<Case> {};

TEST_P(BudgetTest, Allows) {
  const Case& c = GetParam();
  std::vector<BudgetPod> pods;
  for (int i = 0; i < c.ready; ++i)
    pods.push_back({.name = "r" + std::to_string(i), .ready = true});
  for (int i = 0; i < c.unready; ++i) pods.push_back({.name = "u" + std::to_string(i)});
  for (int i = 0; i < c.ending; ++i) {
    pods.push_back({.name = "e" + std::to_string(i), .ready = true, .ending = true});
  }
  const auto status = ComputeBudget(json::parse(c.spec), pods, c.wished, {}, {});
  EXPECT_EQ(status.expected, c.expected);
  EXPECT_EQ(status.desired, c.desired);
  EXPECT_EQ(status.healthy, c.healthy);
  EXPECT_EQ(status.allowed, c.allowed);
}

INSTANTIATE_TEST_SUITE_P(
    All, BudgetTest,
    testing::Values(
        Case{"MinNumber", R"({"minAvailable":2})", 3, 0, 0, 0, 3, 2, 3, 1},
        Case{"MinNumberNotReached", R"({"minAvailable":5})", 3, 0, 0, 0, 3, 5, 3, 0},
        Case{"MinPercentRoundsUp", R"({"minAvailable":"50%"})", 3, 0, 0, 3, 3, 2, 3, 1},
        Case{"MaxNumber", R"({"maxUnavailable":1})", 3, 0, 0, 3, 3, 2, 3, 1},
        Case{"MaxNumberWithUnready", R"({"maxUnavailable":1})", 2, 1, 0, 3, 3, 2, 2, 0},
        Case{"MaxPercentRoundsUp", R"({"maxUnavailable":"30%"})", 4, 0, 0, 4, 4, 2, 4, 2},
        Case{"EndingPodsAreNotHealthy", R"({"minAvailable":1})", 1, 0, 1, 0, 2, 1, 1, 0},
        Case{"NoPods", R"({"minAvailable":0})", 0, 0, 0, 0, 0, 0, 0, 0},
        Case{"MoreUnavailableThanThere", R"({"maxUnavailable":9})", 2, 0, 0, 2, 2, 0, 2, 2}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(BudgetTest, CountsEvictedPodsAsGoneForTwoMinutes) {
  const WallTime start{};
  const std::map<std::string, WallTime> disrupted = {{"a", start}};
  const std::vector<BudgetPod> pods = {{.name = "a", .ready = true}, {.name = "b", .ready = true}};
  const auto spec = json::parse(R"({"minAvailable":1})");
  const auto soon = ComputeBudget(spec, pods, 0, disrupted, start + std::chrono::seconds(119));
  EXPECT_EQ(soon.healthy, 1);
  EXPECT_EQ(soon.disrupted.size(), 1u);
  const auto later = ComputeBudget(spec, pods, 0, disrupted, start + std::chrono::minutes(2));
  EXPECT_EQ(later.healthy, 2);
  EXPECT_TRUE(later.disrupted.empty());
}

}  // namespace
}  // namespace millwright::apiserver
