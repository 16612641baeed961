// Crashes at every point, and by chance: the end is the same, and no promise is broken on the way.
#include <gtest/gtest.h>

#include "tests/sim/workload.h"

namespace millwright::sim {
namespace {

std::string Report(const Outcome& outcome, const std::string& how) {
  std::string text = how + "\n";
  for (const std::string& violation : outcome.violations) text += "  " + violation + "\n";
  return text;
}

TEST(WholeLife, WithoutFaultsBreaksNoPromiseAndEndsAtRest) {
  const Outcome outcome = RunWholeLife(2, {});
  EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, "no faults") << outcome.trace;
  EXPECT_GT(outcome.checks, 20u);
}

TEST(WholeLife, ASeedIsOneTrace) {
  const FaultPlan faults{.crashes = {{.point = 7, .after = true}}};
  EXPECT_EQ(RunWholeLife(2, faults, 5).trace, RunWholeLife(2, faults, 5).trace);
}

// Some of the points; `./test sim` takes all of them.
TEST(WholeLife, SurvivesACrashAtAPoint) {
  const int points = RunWholeLife(1, {}).points;
  ASSERT_GT(points, 20);
  for (int point = 0; point < points; point += 9) {
    const FaultPlan faults{.crashes = {{.point = point, .after = point % 2 == 0}}};
    const Outcome outcome = RunWholeLife(1, faults);
    EXPECT_EQ(outcome.crashes, 1) << faults.ToString();
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, faults.ToString());
  }
}

TEST(ByChance, SeedsBreakNoPromise) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Outcome outcome = RunByChance(seed);
    EXPECT_TRUE(outcome.violations.empty()) << Report(
        outcome, "replay: build/tests/sim_run --seeds 1 --trace --from " + std::to_string(seed));
  }
}

}  // namespace
}  // namespace millwright::sim
