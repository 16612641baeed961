// A failing run is made small, and what is left can be given to a replay.
#include "tests/sim/minimize.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace millwright::sim {
namespace {

TEST(NeededParts, AreThoseWithoutWhichItDoesNotFail) {
  int tries = 0;
  const auto fails = [&](const std::vector<std::size_t>& kept) {
    ++tries;
    return std::ranges::count(kept, 3u) + std::ranges::count(kept, 40u) == 2;
  };
  EXPECT_EQ(NeededParts(64, fails), (std::vector<std::size_t>{3, 40}));
  EXPECT_LT(tries, 40);
}

TEST(NeededParts, AreNoneIfItFailsAnyway) {
  EXPECT_TRUE(NeededParts(5, [](const auto&) { return true; }).empty());
}

TEST(Selection, IsReadAsItIsWritten) {
  ChanceRun run{.seed = 7};
  EXPECT_EQ(ReplayCommand(run), "build/tests/sim_run --from 7 --seeds 1 --trace");
  ReadSelection("h3,d17,d90", run);
  EXPECT_EQ(run.happenings, std::set<std::uint64_t>{3});
  EXPECT_EQ(run.luck, (std::set<std::uint64_t>{17, 90}));
  EXPECT_EQ(ReplayCommand(run), "build/tests/sim_run --from 7 --seeds 1 --trace --only h3,d17,d90");
  ReadSelection("none", run);
  EXPECT_EQ(SelectionText(run), "none");
}

}  // namespace
}  // namespace millwright::sim
