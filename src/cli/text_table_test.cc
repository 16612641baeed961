#include "cli/text_table.h"

#include <gtest/gtest.h>

namespace millwright::cli {
namespace {

using Rows = std::vector<std::vector<Cell>>;

TEST(RenderTable, AlignsByPlacesAndLeavesNoBlanksAtTheEnd) {
  const Rows rows = {{{"NAME"}, {"READY"}, {"WHY"}}, {{"└─ ä"}, {""}, {"two\nlines"}}, {{"b"}}};
  EXPECT_EQ(RenderTable(rows, {}),
            "NAME  READY  WHY\n"
            "└─ ä         two lines\n"
            "b\n");
}

TEST(RenderTable, CutsLongLinesAndColoursMoods) {
  const Rows rows = {{{"a"}, {"a long story"}}};
  EXPECT_EQ(RenderTable(rows, {.width = 10}), "a  a lo...\n");
  const Rows moods = {{{"x", Mood::kBad}, {"y"}}};
  EXPECT_EQ(RenderTable(moods, {.colour = true}), "\x1b[31mx\x1b[0m  y\n");
  EXPECT_EQ(RenderTable(moods, {}), "x  y\n");
}

}  // namespace
}  // namespace millwright::cli
