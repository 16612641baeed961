#include "dialects/condition_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::dialects {
namespace {

using namespace std::chrono_literals;
using core::Condition;
using testing::ElementsAre;

const Condition kReady{"Ready", "True", WallTime(5s), "Fine", "all is well"};
const Condition kDisk{"DiskPressure", "False", WallTime(7s), "", ""};

TEST(ConditionList, GivesBackWhatItWasMadeFrom) {
  const ConditionList list{kReady, kDisk};
  EXPECT_THAT(list.list(), ElementsAre(kReady, kDisk));
  EXPECT_EQ(list.Find("DiskPressure"), kDisk);
  EXPECT_EQ(list.Find("Other"), std::nullopt);
  EXPECT_FALSE(list.empty());
}

TEST(ConditionList, AnEmptyOneIsLikeNone) {
  EXPECT_EQ(ConditionList(std::vector<Condition>()), ConditionList());
  EXPECT_TRUE(ConditionList().empty());
  EXPECT_TRUE(ConditionList().list().empty());
}

TEST(ConditionList, ATimeMakesADifference) {
  Condition later = kReady;
  later.since += 1s;
  EXPECT_EQ(ConditionList{kReady}, ConditionList{kReady});
  EXPECT_NE(ConditionList{kReady}, ConditionList{later});
}

TEST(ConditionPool, ListsThatDifferInTheirTimesAreWhatTheyWere) {
  ConditionPool pool;
  Condition later = kReady;
  later.since += 1s;
  const ConditionList a = pool.Share({kReady});
  const ConditionList b = pool.Share({later});
  EXPECT_THAT(a.list(), ElementsAre(kReady));
  EXPECT_THAT(b.list(), ElementsAre(later));
  EXPECT_EQ(a, ConditionList{kReady});
  EXPECT_EQ(pool.Share({}), ConditionList());
}

}  // namespace
}  // namespace millwright::dialects
