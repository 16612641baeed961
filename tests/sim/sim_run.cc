// Longer simulations than a unit test should take: many seeds, every crash
// point, pairs of them.
//
//   sim_run --seeds 1000 --from 1        seeds by chance
//   sim_run --minutes 30                 seeds until the time is over
//   sim_run --from 7 --seeds 1 --trace --only h3,d17
//                                        one seed again, with only some of what
//                                        happens in it
//   sim_run --points                     a crash before and after each point of
//   a whole life sim_run --pairs 500                  so many pairs of points,
//   evenly spread (0 or "all": all) sim_run --triples 10000              so
//   many triples of points, by chance sim_run --steps 20                   a
//   crash at every 20th handler sim_run --mutants                    in which
//   seed each planted bug is found sim_run --scale 1000                 so many
//   machines and back, and what was written for it
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <map>

#include "tests/sim/minimize.h"
#include "tests/sim/mutants.h"
#include "tests/sim/workload.h"

namespace millwright::sim {
namespace {

using RealClock = std::chrono::steady_clock;

struct Wish {
  std::uint64_t from = 1;
  std::uint64_t seeds = 0;
  double minutes = 0;
  bool points = false;
  std::string pairs;
  std::uint64_t triples = 0;
  std::uint64_t steps = 0;
  std::vector<std::string> crashes;
  int replicas = 1;
  bool trace = false;
  int scale = 0;
  bool mutants = false;
  std::string mutant;
  std::string dialect = "gardener";
  std::string only;
  bool minimize = true;
};

// What all runs came to.
class Total {
 public:
  explicit Total(const Wish& wish) : wish_(wish) {}

  // Whether it broke no promise; else how to see it again is printed.
  bool Add(const Outcome& outcome, const std::string& replay) {
    ++runs_;
    crashes_ += static_cast<std::uint64_t>(outcome.crashes);
    checks_ += outcome.checks;
    simulated_seconds_ += outcome.simulated_seconds;
    if (wish_.trace) fmt::print("{}", outcome.trace);
    if (outcome.violations.empty()) return true;
    ++failed_;
    fmt::print("not ok {}\n", replay);
    for (const std::string& violation : outcome.violations) fmt::print("  {}\n", violation);
    std::fflush(stdout);
    return false;
  }

  void Cover(int points, int all) {
    covered_ += points;
    all_points_ += all;
  }

  // A line for each figure, and one for the whole.
  bool Report() const {
    const double seconds = std::chrono::duration<double>(RealClock::now() - began_).count();
    if (all_points_ > 0) {
      fmt::print("# crash points covered: {} of {} ({:.2f}%)\n", covered_, all_points_,
                 100.0 * covered_ / all_points_);
    }
    fmt::print("# {:.1f} runs a minute, {:.2f} simulated hours a second\n",
               static_cast<double>(runs_) * 60 / seconds, simulated_seconds_ / 3600 / seconds);
    fmt::print(
        "{} {} runs, {} with a violation, {} crashes, {} checks, {:.1f} "
        "simulated hours in {:.1f} s\n",
        failed_ == 0 ? "ok" : "not ok", runs_, failed_, crashes_, checks_,
        simulated_seconds_ / 3600, seconds);
    return failed_ == 0;
  }

  double minutes() const {
    return std::chrono::duration<double>(RealClock::now() - began_).count() / 60;
  }

 private:
  const Wish& wish_;
  const RealClock::time_point began_ = RealClock::now();
  std::uint64_t runs_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t crashes_ = 0;
  std::uint64_t checks_ = 0;
  int covered_ = 0;
  int all_points_ = 0;
  double simulated_seconds_ = 0;
};

const Mutant* FindMutant(const std::string& name) {
  for (const Mutant& mutant : Mutants()) {
    if (mutant.name == name) return &mutant;
  }
  return nullptr;
}

ChanceRun RunOf(const Wish& wish, std::uint64_t seed) {
  ChanceRun run{.seed = seed, .words = FindWords(wish.dialect), .mutant = FindMutant(wish.mutant)};
  ReadSelection(wish.only, run);
  return run;
}

void ShowMinimized(const ChanceRun& run, const Outcome& outcome) {
  const Minimized least = Minimize(run, outcome);
  fmt::print("  the least that fails ({} runs): {}\n", least.runs, ReplayCommand(least.run));
  for (const std::string& line : least.lines) fmt::print("    {}\n", line);
  for (const std::string& violation : least.outcome.violations)
    fmt::print("    => {}\n", violation);
  std::fflush(stdout);
}

void RunSeeds(const Wish& wish, Total& total) {
  for (std::uint64_t seed = wish.from;; ++seed) {
    const bool enough =
        wish.minutes > 0 ? total.minutes() >= wish.minutes : seed >= wish.from + wish.seeds;
    if (enough) return;
    const ChanceRun run = RunOf(wish, seed);
    const Outcome outcome = RunByChance(run);
    if (!total.Add(outcome, "replay: " + ReplayCommand(run)) && wish.minimize) {
      ShowMinimized(run, outcome);
    }
  }
}

LifeRun LifeOf(const Wish& wish, FaultPlan faults = {}) {
  return {.replicas = wish.replicas, .faults = std::move(faults), .words = FindWords(wish.dialect)};
}

// One life with those faults. Whether all its crashes came about.
bool RunLife(const Wish& wish, const FaultPlan& faults, Total& total) {
  const Outcome outcome = RunWholeLife(LifeOf(wish, faults));
  total.Add(outcome, fmt::format("replay: build/tests/sim_run --dialect {} --replicas {}{}",
                                 wish.dialect, wish.replicas, faults.ToString()));
  return static_cast<std::size_t>(outcome.crashes) >=
         faults.crashes.size() + faults.crash_steps.size();
}

void RunPoints(const Wish& wish, Total& total) {
  const int points = RunWholeLife(LifeOf(wish)).points;
  int covered = 0;
  for (int point = 0; point < points; ++point) {
    for (const bool after : {false, true}) {
      covered += RunLife(wish, {.crashes = {{point, after}}}, total) ? 1 : 0;
    }
  }
  total.Cover(covered, points * 2);
}

// The second counts from the first: points go on being numbered after a
// restart. A second one that lies behind the end of all is no pair.
void RunPairs(const Wish& wish, Total& total) {
  const int points = RunWholeLife(LifeOf(wish)).points;
  const std::int64_t wished = wish.pairs == "all" ? 0 : std::stoll(wish.pairs);
  const std::int64_t all = static_cast<std::int64_t>(points) * (points - 1) / 2 * 4;
  const std::int64_t stride = wished > 0 ? std::max<std::int64_t>(all / wished, 1) : 1;
  std::int64_t number = 0;
  int covered = 0;
  int tried = 0;
  for (int first = 0; first < points; ++first) {
    for (int second = first + 1; second < points; ++second) {
      for (int sides = 0; sides < 4; ++sides) {
        if (number++ % stride != 0) continue;
        ++tried;
        const FaultPlan faults{.crashes = {{first, (sides & 1) != 0}, {second, (sides & 2) != 0}}};
        covered += RunLife(wish, faults, total) ? 1 : 0;
      }
    }
  }
  total.Cover(covered, tried);
}

void RunTriples(const Wish& wish, Total& total) {
  const int points = RunWholeLife(LifeOf(wish)).points;
  SeededRandom random(wish.from);
  int covered = 0;
  for (std::uint64_t i = 0; i < wish.triples; ++i) {
    FaultPlan faults;
    while (faults.crashes.size() < 3) {
      faults.crashes.insert(
          {.point = static_cast<int>(random.Below(static_cast<std::uint64_t>(points))),
           .after = random.Below(2) == 0});
    }
    covered += RunLife(wish, faults, total) ? 1 : 0;
  }
  total.Cover(covered, static_cast<int>(wish.triples));
}

void RunSteps(const Wish& wish, Total& total) {
  const std::uint64_t steps = RunWholeLife(LifeOf(wish)).steps;
  for (std::uint64_t step = 1; step < steps; step += wish.steps) {
    RunLife(wish, {.crash_steps = {step}}, total);
  }
}

// "12", "12+" (after it), or "s3000" (a handler).
void RunCrashes(const Wish& wish, Total& total) {
  FaultPlan faults;
  for (const std::string& crash : wish.crashes) {
    if (crash.starts_with('s')) {
      faults.crash_steps.insert(std::stoull(crash.substr(1)));
    } else {
      faults.crashes.insert({.point = std::stoi(crash), .after = crash.ends_with('+')});
    }
  }
  RunLife(wish, faults, total);
}

// The seeds after which each planted bug is found; a whole life without faults
// counts as none.
bool ShowMutants(const Wish& wish) {
  const std::uint64_t most = wish.seeds > 0 ? wish.seeds : 50;
  bool all = RunWholeLife({.replicas = 2}).violations.empty();
  int count = 0;
  for (const Mutant& mutant : Mutants()) {
    ++count;
    std::string when = "NOT FOUND";
    Outcome outcome = RunWholeLife({.replicas = 2, .mutant = &mutant});
    if (!outcome.violations.empty()) when = "one life";
    std::uint64_t seed = 0;
    while (outcome.violations.empty() && seed < most) {
      outcome = RunByChance({.seed = ++seed, .mutant = &mutant});
      if (outcome.violations.empty()) continue;
      const Mutant control = WithoutBug(mutant);
      if (!RunByChance({.seed = seed, .mutant = &control}).violations.empty()) outcome = {};
      if (!outcome.violations.empty()) when = fmt::format("seed {}", seed);
    }
    all = all && !outcome.violations.empty();
    fmt::print("{:<52} {:<10} {}\n", mutant.name, when,
               outcome.violations.empty() ? "" : outcome.violations.front().substr(0, 90));
    std::fflush(stdout);
  }
  fmt::print("{} {} planted bugs\n", all ? "ok" : "not ok", count);
  return all;
}

int Main(int argc, char** argv) {
  Wish wish;
  CLI::App app("Clusters in virtual time, with everything going wrong that can");
  app.add_option("--from", wish.from, "the first seed")->capture_default_str();
  app.add_option("--seeds", wish.seeds, "so many seeds");
  app.add_option("--minutes", wish.minutes, "seeds for so long");
  app.add_option("--only", wish.only, "of what happens in a seed only this: h3,d17");
  app.add_flag("--minimize,!--no-minimize", wish.minimize, "make failing seeds small");
  app.add_flag("--points", wish.points, "a crash at each point");
  app.add_option("--pairs", wish.pairs, "so many pairs of points; all: all");
  app.add_option("--triples", wish.triples, "so many triples of points, by chance");
  app.add_option("--steps", wish.steps, "a crash at every so manieth handler");
  app.add_option("--crash", wish.crashes, "one life with crashes: 12 (before), 12+ (after), s300");
  app.add_option("--replicas", wish.replicas, "machines of a whole life")->capture_default_str();
  app.add_option("--dialect", wish.dialect, "whose objects")->capture_default_str();
  app.add_option("--mutant", wish.mutant, "with a planted bug");
  app.add_flag("--mutants", wish.mutants, "when each planted bug is found");
  app.add_flag("--trace", wish.trace, "print what happened");
  app.add_option("--scale", wish.scale, "count the writes of so many machines' lives");
  CLI11_PARSE(app, argc, argv);
  if (FindWords(wish.dialect) == nullptr) {
    fmt::print(stderr, "no dialect {}\n", wish.dialect);
    return 2;
  }
  if (!wish.mutant.empty() && FindMutant(wish.mutant) == nullptr) {
    fmt::print(stderr, "no planted bug {}\n", wish.mutant);
    return 2;
  }
  if (wish.scale > 0) {
    fmt::print("{}", MeasureScale(wish.scale, *FindWords(wish.dialect)));
    return 0;
  }
  if (wish.mutants) return ShowMutants(wish) ? 0 : 1;
  Total total(wish);
  if (wish.points) RunPoints(wish, total);
  if (!wish.pairs.empty()) RunPairs(wish, total);
  if (wish.triples > 0) RunTriples(wish, total);
  if (wish.steps > 0) RunSteps(wish, total);
  if (!wish.crashes.empty()) RunCrashes(wish, total);
  if (wish.seeds > 0 || wish.minutes > 0) RunSeeds(wish, total);
  return total.Report() ? 0 : 1;
}

}  // namespace
}  // namespace millwright::sim

int main(int argc, char** argv) { return millwright::sim::Main(argc, argv); }
