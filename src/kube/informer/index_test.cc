#include "kube/informer/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

namespace millwright::kube {
namespace {

using testing::IsEmpty;
using testing::UnorderedElementsAre;

struct Thing {
  Meta meta;
  std::vector<std::string> colors;

  friend bool operator==(const Thing&, const Thing&) = default;
};

Thing Make(std::string name, std::vector<std::string> colors) {
  Thing thing;
  thing.meta.key.name = std::move(name);
  thing.colors = std::move(colors);
  return thing;
}

class IndexTest : public testing::Test {
 protected:
  std::vector<std::string> Names(std::string_view color) const {
    std::vector<std::string> names;
    for (const Thing* thing : by_color_.Find(color)) names.push_back(thing->meta.key.name);
    EXPECT_EQ(names.size(), by_color_.Find(color).size());
    return names;
  }

  Index<Thing> by_color_{[](const Thing& thing, Index<Thing>::Keys& keys) {
    for (const std::string& color : thing.colors) keys.emplace_back(color);
  }};
};

TEST_F(IndexTest, FindsOneAndMany) {
  const Thing a = Make("a", {"red", "blue"});
  const Thing b = Make("b", {"red"});
  by_color_.Insert(a);
  by_color_.Insert(b);
  EXPECT_THAT(Names("red"), UnorderedElementsAre("a", "b"));
  EXPECT_THAT(Names("blue"), UnorderedElementsAre("a"));
  EXPECT_THAT(Names("tan"), IsEmpty());
}

TEST_F(IndexTest, AnyOfManyCanGo) {
  std::vector<Thing> things;
  for (int i = 0; i < 100; ++i) things.push_back(Make(std::to_string(i), {"red"}));
  for (const Thing& thing : things) by_color_.Insert(thing);
  std::set<std::string> left;
  for (std::size_t i = 0; i < things.size(); ++i) {
    if (i % 3 == 0) {
      by_color_.Erase(things[i]);
    } else {
      left.insert(things[i].meta.key.name);
    }
  }
  EXPECT_THAT(Names("red"), testing::UnorderedElementsAreArray(left));
  for (const Thing& thing : things) by_color_.Erase(thing);
  EXPECT_THAT(Names("red"), IsEmpty());
}

TEST_F(IndexTest, AKeyThatIsNamedTwiceCountsOnce) {
  const Thing a = Make("a", {"red", "red"});
  by_color_.Insert(a);
  EXPECT_THAT(Names("red"), UnorderedElementsAre("a"));
  by_color_.Erase(a);
  EXPECT_THAT(Names("red"), IsEmpty());
}

TEST_F(IndexTest, FollowsAnObjectToAnotherKey) {
  const Thing before = Make("a", {"red"});
  const Thing b = Make("b", {"red"});
  Thing a = before;
  by_color_.Insert(a);
  by_color_.Insert(b);
  a.colors = {"blue"};
  ASSERT_FALSE(a == before);
  by_color_.Update(before, a);
  EXPECT_THAT(Names("red"), UnorderedElementsAre("b"));
  EXPECT_THAT(Names("blue"), UnorderedElementsAre("a"));
}

}  // namespace
}  // namespace millwright::kube
