#include "core/replicas/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace millwright::core {
namespace {

const Uid kSet("2f1c0b9e-0000-4000-8000-000000000001");

bool None(const std::string&) { return false; }

std::vector<std::string> Names(std::vector<std::string> seen, std::uint32_t floor, int count) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::find(seen, name) != seen.end();
  };
  return NextNames(kSet, "set-", is_taken, floor, count).names;
}

TEST(Names, AreTheSameForWhoeverDecidesTheSame) {
  EXPECT_EQ(Names({}, 0, 3), Names({}, 0, 3));
  EXPECT_NE(Names({}, 0, 3), NextNames(Uid("another"), "set-", None, 0, 3).names);
}

TEST(Names, SomebodyWhoSeesPartOfABatchGoesOnWithTheRest) {
  const std::vector<std::string> batch = Names({}, 7, 3);
  EXPECT_THAT(Names({batch[2]}, 7, 2), testing::ElementsAre(batch[0], batch[1]));
  EXPECT_THAT(Names({batch[0]}, 7, 2), testing::ElementsAre(batch[1], batch[2]));
}

TEST(Names, OfTheDeadAreNotUsedAgain) {
  const FreshNames first = NextNames(kSet, "set-", None, 0, 3);
  const FreshNames second = NextNames(kSet, "set-", None, first.next_floor, 3);
  for (const std::string& name : second.names) {
    EXPECT_EQ(std::ranges::find(first.names, name), first.names.end());
  }
}

TEST(Names, StrangersKeepTheirs) {
  const std::string stranger = Names({}, 0, 1)[0];
  EXPECT_NE(Names({stranger}, 0, 1)[0], stranger);
}

TEST(Names, AllOfManyDiffer) {
  const std::vector<std::string> names = Names({}, 0, 20000);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
}

RC_GTEST_PROP(NameSequences, GoForthAndBack, ()) {
  const NameSequence sequence(Uid(*rc::gen::string<std::string>()));
  const auto serial = *rc::gen::inRange<std::uint32_t>(0, 14'348'907);
  const std::string suffix = sequence.Suffix(serial);
  RC_ASSERT(suffix.size() == 5u);
  RC_ASSERT(sequence.SerialOf(suffix) == serial);
}

TEST(NameSequences, OtherFormsAreNotOurs) {
  const NameSequence sequence(kSet);
  for (const char* suffix : {"", "abcde", "bbbb", "bbbbbb", "BBBBB"}) {
    EXPECT_EQ(sequence.SerialOf(suffix), std::nullopt) << suffix;
  }
}

}  // namespace
}  // namespace millwright::core
