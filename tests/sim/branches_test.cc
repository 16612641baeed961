// A process branches at every place, and each branch at every further one.
#include "tests/sim/branches.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace millwright::sim {
namespace {

using Places = Branches::Places;

// A run of that many places; what branched off ends here.
Branches::Figures RunAll(Places places, std::size_t depth, Share share, int length) {
  Branches branches(places, depth, share);
  for (int place = 0; place < length; ++place) {
    (void)branches.AtPoint(place);
    (void)branches.CrashesAtStep(static_cast<std::uint64_t>(place));
  }
  if (!branches.is_root()) {
    ++branches.figures().runs;
    _exit(0);
  }
  return branches.figures();
}

TEST(Branches, AreBeforeAndAfterEachPointAndEachFurtherOne) {
  const Branches::Figures figures = RunAll(Places::kPoints, 2, {}, 3);
  EXPECT_EQ(figures.branches[1], 6u);
  EXPECT_EQ(figures.branches[2], 12u) << "three pairs of points, four of sides";
  EXPECT_EQ(figures.runs, 18u);
  EXPECT_EQ(figures.failed, 0u);
}

TEST(Branches, OfStepsAreOneForEach) { EXPECT_EQ(RunAll(Places::kSteps, 1, {}, 5).runs, 5u); }

TEST(Branches, AreSharedByTheFirstCrash) {
  std::uint64_t runs = 0;
  for (std::uint64_t part = 1; part <= 3; ++part) {
    runs += RunAll(Places::kPoints, 2, {.part = part, .of = 3}, 4).runs;
  }
  EXPECT_EQ(runs, RunAll(Places::kPoints, 2, {}, 4).runs);
}

}  // namespace
}  // namespace millwright::sim
