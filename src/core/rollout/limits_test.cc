#include "core/rollout/limits.h"

#include <gtest/gtest.h>

namespace millwright::core {
namespace {

struct Case {
  const char* name;
  int replicas;
  Strategy strategy;
  Amount surge;
  Amount unavailable;
  Limits want;
};

const Case kCases[] = {
    {"Capi_12_138_SurgeRoundsUpUnavailabilityDown",
     10,
     Strategy::kRollingUpdate,
     Amount::Percent(39),
     Amount::Percent(39),
     {4, 3}},
    {"Capi_12_138_TwoZerosLeaveOneUnavailable",
     10,
     Strategy::kRollingUpdate,
     Amount::Percent(0),
     Amount::Percent(0),
     {0, 1}},
    {"Gardener_13_125_NoMoreUnavailableThanThereAre",
     5,
     Strategy::kRollingUpdate,
     Amount::Of(1),
     Amount::Of(10),
     {1, 5}},
    {"Gardener_13_125_NothingOfNothing",
     0,
     Strategy::kRollingUpdate,
     Amount::Of(0),
     Amount::Of(2),
     {0, 0}},
    {"Gardener_13_125_RecreateHasNoLimits",
     5,
     Strategy::kRecreate,
     Amount::Of(2),
     Amount::Of(2),
     {0, 0}},
    {"Gardener_13_125_ManualInPlaceHasNoSurge",
     5,
     Strategy::kInPlaceManual,
     Amount::Of(3),
     Amount::Of(2),
     {0, 2}},
    {"Gardener_13_125_AutomaticInPlaceHasBoth",
     5,
     Strategy::kInPlaceAuto,
     Amount::Of(3),
     Amount::Of(2),
     {3, 2}},
    {"SmallPercentagesDoNotStandStill",
     3,
     Strategy::kRollingUpdate,
     Amount::Of(0),
     Amount::Percent(10),
     {0, 1}},
};

class LimitsTest : public testing::TestWithParam<Case> {};

TEST_P(LimitsTest, Resolves) {
  const Case& c = GetParam();
  EXPECT_EQ(ResolveLimits({.replicas = c.replicas,
                           .strategy = c.strategy,
                           .max_surge = c.surge,
                           .max_unavailable = c.unavailable}),
            c.want);
}

INSTANTIATE_TEST_SUITE_P(All, LimitsTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::core
