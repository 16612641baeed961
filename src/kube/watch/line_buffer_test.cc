#include "kube/watch/line_buffer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace millwright::kube {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> TakeLines(LineBuffer& buffer) {
  std::vector<std::string> lines;
  while (const auto line = buffer.Next()) {
    // What simdjson reads past a line's end must be ours.
    EXPECT_GE(line->capacity(), line->size() + simdjson::SIMDJSON_PADDING);
    lines.emplace_back(line->data(), line->size());
  }
  return lines;
}

std::vector<std::string> After(LineBuffer& buffer, std::string_view bytes) {
  EXPECT_TRUE(buffer.Append(bytes));
  return TakeLines(buffer);
}

struct CutCase {
  const char* name;
  std::string bytes;
  std::vector<std::string> lines;
  bool tail;
};

class LineBufferTest : public testing::TestWithParam<CutCase> {};

TEST_P(LineBufferTest, CutsLines) {
  LineBuffer buffer;
  EXPECT_EQ(After(buffer, GetParam().bytes), GetParam().lines);
  EXPECT_EQ(buffer.HasTail(), GetParam().tail);
}

INSTANTIATE_TEST_SUITE_P(
    All, LineBufferTest,
    testing::Values(CutCase{"Nothing", "", {}, false}, CutCase{"ALine", "a\n", {"a"}, false},
                    CutCase{"NoEndYet", "a", {}, true},
                    CutCase{"SeveralAndATail", "a\nb\nc", {"a", "b"}, true},
                    CutCase{"EmptyLinesAreKeptFromYou", "\n\na\n\n", {"a"}, false},
                    CutCase{"ZeroBytes", std::string("a\0b\n", 4), {std::string("a\0b", 3)}, false},
                    CutCase{"LongerThanAnyPadding",
                            std::string(5000, 'x') + "\n",
                            {std::string(5000, 'x')},
                            false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(LineBufferTest, ALineMayComeInPieces) {
  LineBuffer buffer;
  EXPECT_THAT(After(buffer, "one"), IsEmpty());
  EXPECT_TRUE(buffer.HasTail());
  EXPECT_THAT(After(buffer, " and two\nthr"), ElementsAre("one and two"));
  EXPECT_THAT(After(buffer, "ee"), IsEmpty());
  EXPECT_THAT(After(buffer, "\n"), ElementsAre("three"));
  EXPECT_FALSE(buffer.HasTail());
}

TEST(LineBufferTest, LinesThatNobodyTookAreStillThere) {
  LineBuffer buffer;
  ASSERT_TRUE(buffer.Append("a\nb\n"));
  EXPECT_EQ(std::string_view(*buffer.Next()), "a");
  ASSERT_TRUE(buffer.Append("c\n"));
  EXPECT_THAT(TakeLines(buffer), ElementsAre("b", "c"));
}

TEST(LineBufferTest, ALineWithoutEndIsRefusedAtTheLimit) {
  LineBuffer buffer;
  const std::string piece(LineBuffer::kMaxLine / 2, 'x');
  ASSERT_TRUE(buffer.Append(piece));
  EXPECT_FALSE(buffer.Next());
  ASSERT_TRUE(buffer.Append(piece));
  EXPECT_FALSE(buffer.Next());
  const auto refused = buffer.Append("x");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kInvalid);
}

TEST(LineBufferTest, ManyLinesTogetherMayBeLargerThanOne) {
  LineBuffer buffer;
  std::string lines;
  while (lines.size() <= LineBuffer::kMaxLine) lines += std::string(1 << 20, 'x') + "\n";
  EXPECT_TRUE(buffer.Append(lines));
}

RC_GTEST_PROP(LineBufferProperty, HowBytesArriveDoesNotMatter,
              (const std::vector<std::string>& pieces)) {
  std::string all;
  std::vector<std::string> lines;
  LineBuffer in_pieces;
  for (const std::string& piece : pieces) {
    // Letters and line ends alone, so that there are many of both.
    std::string bytes;
    for (const char c : piece) bytes += (c & 3) == 0 ? '\n' : c == '\n' ? 'x' : c;
    all += bytes;
    for (std::string& line : After(in_pieces, bytes)) lines.push_back(std::move(line));
  }
  LineBuffer at_once;
  RC_ASSERT(After(at_once, all) == lines);
  RC_ASSERT(at_once.HasTail() == in_pieces.HasTail());
}

}  // namespace
}  // namespace millwright::kube
