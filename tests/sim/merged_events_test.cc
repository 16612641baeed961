#include "tests/sim/merged_events.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace millwright::sim {
namespace {

std::string Event(std::string_view type, std::string_view name, int version) {
  return fmt::format(
      R"({{"type":"{}","object":{{"metadata":{{"name":"{}","resourceVersion":"{}"}}}}}})"
      "\n",
      type, name, version);
}

TEST(MergedEvents, OfAnObjectOnlyTheLastEventIsLeft) {
  const std::string lines = Event("ADDED", "a", 1) + Event("ADDED", "b", 2) +
                            Event("MODIFIED", "a", 3) + Event("DELETED", "b", 4) +
                            Event("ADDED", "c", 5);
  EXPECT_EQ(OnlyLastEvents(lines),
            Event("MODIFIED", "a", 3) + Event("DELETED", "b", 4) + Event("ADDED", "c", 5));
}

TEST(MergedEvents, NothingIsMergedAcrossABookmark) {
  const std::string lines =
      Event("ADDED", "a", 1) + Event("BOOKMARK", "", 2) + Event("MODIFIED", "a", 3);
  EXPECT_EQ(OnlyLastEvents(lines), lines);
  EXPECT_EQ(OnlyLastEvents(lines + R"({"type":)"), lines + R"({"type":)");
}

}  // namespace
}  // namespace millwright::sim
