#include "controllers/contract/set/set_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/names.h"
#include "dialects/capi/naming.h"

namespace millwright::controllers::contract {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::StartsWith;

dialects::capi::SetRecord Set(std::uint32_t floor = 0) {
  dialects::capi::SetRecord set;
  set.meta.key = {"default", "web-x"};
  set.meta.uid = Uid("set-1");
  if (floor > 0) {
    set.annotations[std::string(dialects::capi::annotations::kState)] =
        dialects::capi::NameFloorNote(floor);
  }
  return set;
}

std::vector<std::string> NamesOf(const dialects::capi::SetRecord& set, int count,
                                 const std::set<std::string_view>& taken = {}) {
  return NewMachineNames(set, dialects::capi::NameFloorOf(set), taken, count).value();
}

TEST(SetNames, WhoDecidesAlikeChoosesAlike) {
  EXPECT_EQ(NamesOf(Set(), 3), NamesOf(Set(), 3));
  EXPECT_THAT(NamesOf(Set(), 3), Each(StartsWith("web-x-")));
  auto other = Set();
  other.meta.uid = Uid("set-2");
  EXPECT_NE(NamesOf(other, 1), NamesOf(Set(), 1));
}

TEST(SetNames, WhoSeesAPartOfABatchPlansTheRestOfIt) {
  const auto all = NamesOf(Set(), 3);
  EXPECT_THAT(NamesOf(Set(), 2, {all[1]}), ElementsAre(all[0], all[2]));
}

TEST(SetNames, NamesOfTheDeadAreNotUsedAgain) {
  const auto all = NamesOf(Set(), 4);
  const std::uint32_t floor = FloorAbove(Set(), {all[1]}, 3);
  EXPECT_EQ(floor, 2u);
  EXPECT_THAT(NamesOf(Set(floor), 1, {all[2]}), ElementsAre(all[3]));
}

TEST(SetNames, NamesThatSomebodyElseGaveRaiseNothing) {
  EXPECT_EQ(FloorAbove(Set(5), {"mine"}, 3), 5u);
  EXPECT_EQ(FloorAbove(Set(5), {NamesOf(Set(), 1).front()}, 3), 5u);
}

TEST(SetNames, ATemplateOfNamesThatMakesNoSenseIsTold) {
  auto set = Set();
  set.spec.naming = "x";
  EXPECT_FALSE(NewMachineNames(set, 0, {}, 1));
  EXPECT_EQ(FloorAbove(set, {"x"}, 1), 0u);
}

}  // namespace
}  // namespace millwright::controllers::contract
