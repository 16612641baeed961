#include "apiserver/housekeeping/deadlines.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

SteadyTime At(int seconds) { return SteadyTime(std::chrono::seconds(seconds)); }

TEST(DeadlinesTest, TheEarliestComesFirst) {
  Deadlines deadlines;
  EXPECT_EQ(deadlines.Next(), kNever);
  deadlines.Set("a", At(3));
  deadlines.Set("b", At(1));
  EXPECT_EQ(deadlines.Next(), At(1));
  EXPECT_EQ(deadlines.TakeDue(At(0)), std::nullopt);
  EXPECT_EQ(deadlines.TakeDue(At(5)), "b");
  EXPECT_EQ(deadlines.TakeDue(At(5)), "a");
  EXPECT_EQ(deadlines.TakeDue(At(5)), std::nullopt);
}

TEST(DeadlinesTest, ANewWishReplacesTheOld) {
  Deadlines deadlines;
  deadlines.Set("a", At(1));
  deadlines.Set("a", At(9));
  EXPECT_EQ(deadlines.size(), 1u);
  EXPECT_EQ(deadlines.TakeDue(At(5)), std::nullopt);
  deadlines.Erase("a");
  deadlines.Erase("never there");
  EXPECT_EQ(deadlines.Next(), kNever);
}

TEST(DeadlinesTest, NeverDoesNotCome) {
  Deadlines deadlines;
  EXPECT_EQ(deadlines.TakeDue(kNever), std::nullopt);
}

}  // namespace
}  // namespace millwright::apiserver
