#include "kube/projection/text_pool.h"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

namespace millwright::kube {
namespace {

TEST(TextPoolTest, KeepsEqualTextsOnce) {
  TextPool pool;
  const SharedText a = pool.Share("zone=b");
  const SharedText b = pool.Share(std::string("zone=") + "b");
  EXPECT_EQ(a.view().data(), b.view().data());
  EXPECT_EQ(a, b);
  EXPECT_EQ(pool.size(), 1u);
}

TEST(TextPoolTest, NoTextIsTheSameAsAnEmptyOne) {
  TextPool pool;
  EXPECT_EQ(pool.Share(""), SharedText());
  EXPECT_TRUE(SharedText().empty());
  EXPECT_EQ(pool.size(), 0u);
}

TEST(TextPoolTest, TextsCompareByContentAcrossPools) {
  TextPool one;
  TextPool other;
  EXPECT_EQ(one.Share("x"), other.Share("x"));
  EXPECT_NE(one.Share("x"), other.Share("y"));
}

TEST(TextPoolTest, ATextOutlivesItsPool) {
  std::optional<TextPool> pool(std::in_place);
  const SharedText text = pool->Share("still there");
  pool.reset();
  EXPECT_EQ(text.view(), "still there");
}

TEST(TextPoolTest, WhatNobodyUsesGoesAsMoreComes) {
  TextPool pool;
  const SharedText kept = pool.Share("kept");
  for (int i = 0; i < 10'000; ++i) pool.Share(std::to_string(i));
  EXPECT_LE(pool.size(), 65u);
  EXPECT_EQ(pool.Share("kept").view().data(), kept.view().data());
}

TEST(TextPoolTest, WhatIsUsedStaysHoweverMuchThereIs) {
  TextPool pool;
  std::vector<SharedText> used;
  for (int i = 0; i < 1000; ++i) used.push_back(pool.Share(std::to_string(i)));
  EXPECT_EQ(pool.size(), 1000u);
  EXPECT_EQ(pool.Share("999").view().data(), used.back().view().data());
}

}  // namespace
}  // namespace millwright::kube
