#include "tests/faults/stream_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::faults {
namespace {

TEST(StreamText, LinesAreCutAtTheirEnds) {
  EXPECT_THAT(WholeLines("a\n\nb"), testing::ElementsAre("a\n", "\n"));
  EXPECT_THAT(WholeLines(""), testing::IsEmpty());
}

TEST(StreamText, EachLineComesTwiceAndHalfOnesWait) {
  std::string tail;
  EXPECT_EQ(EachLineTwice("a\nb\nc", tail), "a\na\nb\nb\n");
  EXPECT_EQ(tail, "c");
  EXPECT_EQ(EachLineTwice("d\n", tail), "cd\ncd\n");
  EXPECT_EQ(tail, "");
}

}  // namespace
}  // namespace millwright::faults
