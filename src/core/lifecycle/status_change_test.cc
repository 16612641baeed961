#include "core/lifecycle/status_change.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;

const std::string kLong =
    "Cloud provider message - the quota for this type is used up in all zones of the region; "
    "request "
    "id: ";

ShownStatus Saying(std::string description, Duration ago = 1min, std::string stage = "") {
  return {
      .description = std::move(description), .described_at = kNow - ago, .stage = std::move(stage)};
}

struct Case {
  const char* name;
  ShownStatus shown;
  ShownStatus next;
  bool worth;
};

const Case kCases[] = {
    {"Gardener_13_067_TheSameAgain", Saying("no"), Saying("no"), false},
    {"Gardener_13_067_TheSameAfterAnHour", Saying("no", 1h), Saying("no", 0s), true},
    {"Gardener_13_067_OnlyTheRequestDiffersInALongText", Saying(kLong + "0a1b2c3d-4e5f-6a7b"),
     Saying(kLong + "9f8e7d6c-5b4a-3c2d"), false},
    {"Gardener_13_067_OnlyTheRequestDiffersInAShortText", Saying("no quota, request 1234"),
     Saying("no quota, request 9876"), false},
    {"AnotherTextIsAnotherTruth", Saying("no quota left"), Saying("the image does not exist"),
     true},
    {"Gardener_13_067_AnotherStage", Saying("Initiate node drain", 1min, "drain"),
     Saying("Initiate VM deletion", 0s, "instance"), true},
    {"B_04_AStageIsWrittenHoweverAlikeTheTexts", Saying("Initiate VM deletion", 1min, "drain"),
     Saying("Initiate VM deletion", 0s, "instance"), true},
};

class StatusTest : public ::testing::TestWithParam<Case> {};

TEST_P(StatusTest, IsWorthAWriteOrNot) {
  EXPECT_EQ(IsWorthWriting(GetParam().shown, GetParam().next, kNow), GetParam().worth);
}

INSTANTIATE_TEST_SUITE_P(All, StatusTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Status, AnythingElseThatChangedIsWorthAWrite) {
  ShownStatus next = Saying("no");
  next.rest = "Failed";
  EXPECT_TRUE(IsWorthWriting(Saying("no"), next, kNow));
}

RC_GTEST_PROP(TextSimilarity, IsTheSameBothWaysAndWholeForEqualTexts, ()) {
  const std::string a = *rc::gen::string<std::string>();
  const std::string b = *rc::gen::string<std::string>();
  RC_ASSERT(Similarity(a, b) == Similarity(b, a));
  RC_ASSERT(Similarity(a, a) == 1);
  RC_ASSERT(a == b || Similarity(a, b) < 1);
}

}  // namespace
}  // namespace millwright::core
