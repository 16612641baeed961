#include "base/text.h"

#include <gtest/gtest.h>

#include <map>

namespace millwright {
namespace {

TEST(TextTest, CopiesShareTheirBytes) {
  const Text one = "a text that is longer than a pointer";
  const Text copy = one;  // NOLINT(performance-unnecessary-copy-initialization): that is the point
  EXPECT_EQ(one.view().data(), copy.view().data());
  EXPECT_EQ(one.users(), 2u);
  EXPECT_EQ(sizeof(Text), sizeof(void*));
}

TEST(TextTest, ACopyOutlivesTheFirst) {
  Text copy;
  {
    const Text one = "still there";
    copy = one;
  }
  EXPECT_EQ(copy, "still there");
  EXPECT_EQ(copy.users(), 1u);
  const Text moved = std::move(copy);
  EXPECT_EQ(moved.users(), 1u);
}

TEST(TextTest, NoTextIsAnEmptyOne) {
  EXPECT_EQ(Text(), Text(""));
  EXPECT_TRUE(Text("").empty());
  EXPECT_EQ(Text().view(), "");
  EXPECT_EQ(Text().users(), 0u);
}

TEST(TextTest, ComparesByContentWithAnyText) {
  EXPECT_EQ(Text("a"), Text(std::string("a")));
  EXPECT_NE(Text("a"), "b");
  EXPECT_LT(Text("a"), Text("b"));
  EXPECT_EQ(Text("a"), std::string("a"));
  EXPECT_EQ("a", Text("a"));
}

TEST(TextTest, IsFoundWithoutMakingOne) {
  std::map<Text, int, std::less<>> numbers{{"one", 1}};
  EXPECT_EQ(numbers.find(std::string_view("one"))->second, 1);
}

TEST(TextTest, IsWrittenAsItIs) { EXPECT_EQ(fmt::format("<{}>", Text("x")), "<x>"); }

}  // namespace
}  // namespace millwright
