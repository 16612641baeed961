// Places to crash at differ, are the same for a seed, and are all there when several share them.
#include "tests/sim/crash_plans.h"

#include <gtest/gtest.h>

#include <set>

namespace millwright::sim {
namespace {

std::vector<std::string> Texts(const std::vector<FaultPlan>& plans) {
  std::vector<std::string> texts;
  for (const FaultPlan& plan : plans) texts.push_back(plan.ToString());
  return texts;
}

TEST(CrashPlans, TriplesAreDifferentAndTheSameForASeed) {
  const Stretch stretch{.first_point = 2, .end_point = 12};
  const auto triples = Texts(RandomPlans(stretch, 3, 300, 7));
  EXPECT_EQ(std::set(triples.begin(), triples.end()).size(), 300u);
  EXPECT_EQ(Texts(RandomPlans(stretch, 3, 300, 7)), triples);
  EXPECT_NE(Texts(RandomPlans(stretch, 3, 300, 8)), triples);
  EXPECT_EQ(RandomPlans({.end_point = 3}, 3, 300, 1).size(), 8u) << "there are no more";
  EXPECT_EQ(RandomPlans({.end_point = 4}, 2, 300, 1).size(), 24u);
  EXPECT_TRUE(RandomPlans({.end_point = 2}, 3, 300, 1).empty());
}

TEST(CrashPlans, SharesMakeTheWhole) {
  const auto all = Steps({.first_step = 10, .end_step = 31}, 2);
  ASSERT_EQ(all.size(), 11u);
  std::multiset<std::string> together;
  for (std::uint64_t part = 1; part <= 3; ++part) {
    for (const std::string& text : Texts(ShareOf(all, {.part = part, .of = 3}))) {
      together.insert(text);
    }
  }
  const auto texts = Texts(all);
  EXPECT_EQ(together, std::multiset<std::string>(texts.begin(), texts.end()));
}

TEST(CrashPlans, ASharesTextIsRead) {
  EXPECT_EQ(ReadShare("2/8")->part, 2u);
  EXPECT_EQ(ReadShare("2/8")->of, 8u);
  for (const char* bad : {"", "2", "0/8", "9/8", "a/b", "2/", "1/2x"}) {
    EXPECT_FALSE(ReadShare(bad)) << bad;
  }
}

}  // namespace
}  // namespace millwright::sim
