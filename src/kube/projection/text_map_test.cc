#include "kube/projection/text_map.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace millwright::kube {
namespace {

TEST(TextMapTest, FindsWhatIsThere) {
  const TextMap map{{"b", "2"}, {"a", "1"}, {"empty", ""}};
  EXPECT_EQ(map.At("a"), "1");
  EXPECT_EQ(map.Get("b"), "2");
  EXPECT_TRUE(map.contains("empty"));
  EXPECT_EQ(map.Find("c"), nullptr);
  EXPECT_EQ(map.Get("c"), std::nullopt);
  EXPECT_EQ(map.size(), 3u);
}

TEST(TextMapTest, OfEqualKeysTheLastOneCounts) {
  TextMap map{{"a", "1"}, {"a", "2"}};
  EXPECT_EQ(map.At("a"), "2");
  EXPECT_EQ(map.size(), 1u);
  map.Set("a", "3");
  map.Set("b", "4");
  EXPECT_EQ(map, (TextMap{{"b", "4"}, {"a", "3"}}));
}

class TextMapPoolTest : public ::testing::Test {
 protected:
  TextMap NodeOf(int number) {
    return pool_.Make({{texts_.Share("zone"), texts_.Share("b")},
                       {texts_.Share("host"), texts_.Share(fmt::format("node-{}", number))},
                       {texts_.Share("arch"), texts_.Share("amd64")}});
  }

  TextPool texts_;
  TextMapPool pool_{texts_};
};

TEST_F(TextMapPoolTest, MapsAreWhatTheyAreHoweverMuchIsShared) {
  std::vector<TextMap> nodes;
  for (int i = 0; i < 100; ++i) nodes.push_back(NodeOf(i));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(nodes[i], NodeOf(i));
    EXPECT_NE(nodes[i], NodeOf(i + 1));
    EXPECT_EQ(nodes[i].At("zone"), "b");
    EXPECT_EQ(nodes[i].At("host"), fmt::format("node-{}", i));
    EXPECT_EQ(
        nodes[i].entries(),
        (TextMap{{"arch", "amd64"}, {"host", fmt::format("node-{}", i)}, {"zone", "b"}}.entries()));
  }
}

TEST_F(TextMapPoolTest, WhatManyHaveIsThereOnce) {
  std::vector<TextMap> nodes;
  for (int i = 0; i < 100; ++i) nodes.push_back(NodeOf(i));
  // The texts have no user more for each further node: the list that has them is shared.
  const std::uint32_t users = texts_.Share("amd64").users();
  for (int i = 100; i < 200; ++i) nodes.push_back(NodeOf(i));
  EXPECT_EQ(texts_.Share("amd64").users(), users);
}

TEST_F(TextMapPoolTest, SelectorsMatchThem) {
  std::vector<TextMap> nodes;
  for (int i = 0; i < 100; ++i) nodes.push_back(NodeOf(i));
  const auto selector = ParseLabelSelector("zone=b,host in (node-7,node-99),!other,arch");
  ASSERT_TRUE(selector);
  EXPECT_TRUE(Matches(*selector, nodes[99]));
  EXPECT_TRUE(Matches(*selector, nodes[7]));
  EXPECT_FALSE(Matches(*selector, nodes[8]));
  EXPECT_FALSE(Matches(LabelSelector::Nothing(), nodes[7]));
}

}  // namespace
}  // namespace millwright::kube
