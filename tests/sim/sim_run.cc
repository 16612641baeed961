// Longer simulations than a unit test should take: many seeds, every crash point, pairs of them.
//
//   sim_run --seeds 1000 --from 1        seeds by chance
//   sim_run --minutes 30                 seeds until the time is over
//   sim_run --points                     a crash before and after each point of a whole life
//   sim_run --pairs 500                  so many pairs of points, evenly spread (0: all)
//   sim_run --steps 20                   a crash at every 20th handler
//   sim_run --scale 1000                 so many machines and back, and what was written for it
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>

#include "tests/sim/workload.h"

namespace millwright::sim {
namespace {

// What all runs came to.
struct Total {
  std::uint64_t runs = 0;
  std::uint64_t failed = 0;
  std::uint64_t crashes = 0;
  std::uint64_t checks = 0;
  double simulated_seconds = 0;

  void Add(const Outcome& outcome, const std::string& replay) {
    ++runs;
    crashes += static_cast<std::uint64_t>(outcome.crashes);
    checks += outcome.checks;
    simulated_seconds += outcome.simulated_seconds;
    if (outcome.violations.empty()) return;
    ++failed;
    fmt::print("not ok {}\n", replay);
    for (const std::string& violation : outcome.violations) fmt::print("  {}\n", violation);
  }
};

struct Wish {
  std::uint64_t from = 1;
  std::uint64_t seeds = 0;
  double minutes = 0;
  bool points = false;
  int pairs = -1;
  std::uint64_t steps = 0;
  int replicas = 1;
  bool trace = false;
  int scale = 0;
};

using RealClock = std::chrono::steady_clock;

void RunSeeds(const Wish& wish, RealClock::time_point began, Total& total) {
  for (std::uint64_t seed = wish.from;; ++seed) {
    const double spent = std::chrono::duration<double>(RealClock::now() - began).count();
    const bool enough =
        wish.minutes > 0 ? spent >= wish.minutes * 60 : seed >= wish.from + wish.seeds;
    if (enough) return;
    const Outcome outcome = RunByChance(seed);
    total.Add(outcome,
              fmt::format("replay: build/tests/sim_run --from {} --seeds 1 --trace", seed));
    if (wish.trace) fmt::print("{}", outcome.trace);
  }
}

void RunPoints(const Wish& wish, Total& total) {
  const int points = RunWholeLife(wish.replicas, {}).points;
  for (int point = 0; point < points; ++point) {
    for (const bool after : {false, true}) {
      const FaultPlan faults{.crashes = {{point, after}}};
      total.Add(RunWholeLife(wish.replicas, faults), faults.ToString());
    }
  }
}

void RunPairs(const Wish& wish, Total& total) {
  const int points = RunWholeLife(wish.replicas, {}).points;
  const std::int64_t all = static_cast<std::int64_t>(points) * points * 4;
  const std::int64_t stride = wish.pairs > 0 ? std::max<std::int64_t>(all / wish.pairs, 1) : 1;
  for (std::int64_t i = 0; i < all; i += stride) {
    const CrashPoint first{.point = static_cast<int>(i / 4 % points), .after = (i & 1) != 0};
    // The second counts from the restart: points go on being numbered.
    const CrashPoint second{.point = first.point + 1 + static_cast<int>(i / 4 / points),
                            .after = (i & 2) != 0};
    const FaultPlan faults{.crashes = {first, second}};
    total.Add(RunWholeLife(wish.replicas, faults), faults.ToString());
  }
}

void RunSteps(const Wish& wish, Total& total) {
  const std::uint64_t steps = RunWholeLife(wish.replicas, {}).steps;
  for (std::uint64_t step = 1; step < steps; step += wish.steps) {
    const FaultPlan faults{.crash_steps = {step}};
    total.Add(RunWholeLife(wish.replicas, faults), faults.ToString());
  }
}

int Main(int argc, char** argv) {
  Wish wish;
  CLI::App app("Clusters in virtual time, with everything going wrong that can");
  app.add_option("--from", wish.from, "the first seed")->capture_default_str();
  app.add_option("--seeds", wish.seeds, "so many seeds");
  app.add_option("--minutes", wish.minutes, "seeds for so long");
  app.add_flag("--points", wish.points, "a crash at each point");
  app.add_option("--pairs", wish.pairs, "so many pairs of points; 0: all");
  app.add_option("--steps", wish.steps, "a crash at every so manieth handler");
  app.add_option("--replicas", wish.replicas, "machines of a whole life")->capture_default_str();
  app.add_flag("--trace", wish.trace, "print what happened");
  app.add_option("--scale", wish.scale, "count the writes of so many machines' lives");
  CLI11_PARSE(app, argc, argv);
  if (wish.scale > 0) {
    fmt::print("{}", MeasureScale(wish.scale));
    return 0;
  }

  const auto began = RealClock::now();
  Total total;
  if (wish.points) RunPoints(wish, total);
  if (wish.pairs >= 0) RunPairs(wish, total);
  if (wish.steps > 0) RunSteps(wish, total);
  if (wish.seeds > 0 || wish.minutes > 0) RunSeeds(wish, began, total);
  const double seconds = std::chrono::duration<double>(RealClock::now() - began).count();
  fmt::print("{} {} runs, {} failed, {} crashes, {} checks, {:.1f} simulated hours in {:.1f} s\n",
             total.failed == 0 ? "ok" : "not ok", total.runs, total.failed, total.crashes,
             total.checks, total.simulated_seconds / 3600, seconds);
  return total.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace millwright::sim

int main(int argc, char** argv) { return millwright::sim::Main(argc, argv); }
