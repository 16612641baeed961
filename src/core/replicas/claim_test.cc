#include "core/replicas/claim.h"

#include <gtest/gtest.h>

#include <string>

namespace millwright::core {
namespace {

using Owner = ClaimFacts::Owner;

struct Case {
  const char* name;
  ClaimFacts facts;
  Claim released;  // where strays are set free
  Claim kept;      // where they are just not counted
};

const Case kCases[] = {
    {"Gardener_13_104_AnOrphanWeSelectIsAdopted",
     {Owner::kNobody, true},
     Claim::kAdopt,
     Claim::kAdopt},
    {"AnOrphanWeDoNotSelectIsNotOurs", {Owner::kNobody, false}, Claim::kIgnore, Claim::kIgnore},
    {"NothingThatIsGoingIsAdopted", {Owner::kNobody, true, true}, Claim::kIgnore, Claim::kIgnore},
    {"NorByOneThatIsGoing", {Owner::kNobody, true, false, true}, Claim::kIgnore, Claim::kIgnore},
    {"OursIsOurs", {Owner::kUs, true}, Claim::kCount, Claim::kCount},
    {"AlsoWhenItIsGoing", {Owner::kUs, true, true}, Claim::kCount, Claim::kCount},
    {"Gardener_13_104_OursWithoutTheLabelIsReleased",
     {Owner::kUs, false},
     Claim::kRelease,
     Claim::kIgnore},
    {"ButNotWhenWeAreGoing", {Owner::kUs, false, false, true}, Claim::kIgnore, Claim::kIgnore},
    {"Capi_12_108_OthersAreLeftAlone",
     {Owner::kSomebodyElse, true},
     Claim::kIgnore,
     Claim::kIgnore},
};

class ClaimTest : public testing::TestWithParam<Case> {};

TEST_P(ClaimTest, Decides) {
  EXPECT_EQ(DecideClaim(GetParam().facts, true), GetParam().released);
  EXPECT_EQ(DecideClaim(GetParam().facts, false), GetParam().kept);
}

INSTANTIATE_TEST_SUITE_P(All, ClaimTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::core
