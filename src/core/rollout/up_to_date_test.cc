#include "core/rollout/up_to_date.h"

#include <gtest/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;

struct Case {
  const char* name;
  UpToDateView view;
  UpToDate want;
};

const Case kCases[] = {
    {"Plainly", {}, UpToDate::kYes},
    {"Capi_12_127_AnotherTemplate",
     {.template_differences = {"spec.version"}},
     UpToDate::kOtherTemplate},
    {"Capi_12_071_ARolloutIsDue",
     {.rollout_after = kNow - 1h, .set_created = kNow - 2h},
     UpToDate::kRolloutDue},
    {"Capi_12_071_MadeAtThatTime",
     {.rollout_after = kNow - 1h, .set_created = kNow - 1h},
     UpToDate::kYes},
    {"NotDueYet", {.rollout_after = kNow + 1h, .set_created = kNow - 2h}, UpToDate::kYes},
    {"Updating", {.updating = true}, UpToDate::kUpdating},
    {"Capi_12_072_TheNodeIsOfAnotherVersion",
     {.wished_version = "v1.31.0", .node_version = "v1.30.0"},
     UpToDate::kOtherVersion},
    {"NoWishForAVersionIsMetByAny", {.node_version = "v1.30.0"}, UpToDate::kYes},
    {"ANodeThatIsNotThereYet", {.wished_version = "v1.31.0"}, UpToDate::kYes},
};

class UpToDateTest : public ::testing::TestWithParam<Case> {};

TEST_P(UpToDateTest, IsJudged) { EXPECT_EQ(JudgeUpToDate(GetParam().view, kNow), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(All, UpToDateTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Outdated, Capi_12_043_ByRevision) {
  EXPECT_TRUE(IsOutdated(1, 2));
  EXPECT_FALSE(IsOutdated(2, 2));
  EXPECT_FALSE(IsOutdated(0, 0));
}

}  // namespace
}  // namespace millwright::core
