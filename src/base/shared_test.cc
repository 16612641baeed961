#include "base/shared.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace millwright {
namespace {

using Words = std::vector<std::string>;

TEST(SharedTest, EqualValuesOfAPoolAreOne) {
  SharedPool<Words> pool;
  const Shared<Words> a = pool.Share({"x", "y"});
  const Shared<Words> b = pool.Share({"x", "y"});
  EXPECT_EQ(&*a, &*b);
  EXPECT_EQ(pool.size(), 1u);
}

TEST(SharedTest, ComparesByContent) {
  EXPECT_EQ(Shared<Words>({"x"}), Shared<Words>({"x"}));
  EXPECT_NE(Shared<Words>({"x"}), Shared<Words>({"y"}));
  EXPECT_NE(Shared<Words>(Words()), Shared<Words>());
}

TEST(SharedTest, NoneReadsAsTheDefault) {
  EXPECT_FALSE(Shared<Words>());
  EXPECT_TRUE(Shared<Words>().get().empty());
}

TEST(SharedTest, WhatNobodyUsesGoesAsMoreComes) {
  SharedPool<int> pool;
  const Shared<int> kept = pool.Share(-1);
  for (int i = 0; i < 1000; ++i) pool.Share(i);
  EXPECT_LE(pool.size(), 65u);
  EXPECT_EQ(&*pool.Share(-1), &*kept);
}

}  // namespace
}  // namespace millwright
