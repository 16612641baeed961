// Longer simulations than a unit test should take: many seeds, every crash
// point, pairs of them.
//
//   sim_run --seeds 1000 --from 1        seeds by chance
//   sim_run --minutes 30                 seeds until the time is over
//   sim_run --from 7 --seeds 1 --trace --only h3,d17
//                                        one seed again, with only some of what
//                                        happens in it
//   sim_run --points                     a crash before and after each point of a whole life
//   sim_run --points --script all        and of each script: create, run, roll, drain, ...
//   sim_run --pairs all                  all pairs of points (a number: so many, by chance)
//   sim_run --triples 10000              so many triples of points, by chance
//   sim_run --steps 1                    a crash behind each handler (20: every 20th)
//   sim_run --pairs all --shard 2/8      the second eighth of that work
//   sim_run --mutants                    in which seed each planted bug is found
//   sim_run --scale 1000                 so many machines and back, and what was written for it
#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <map>

#include "tests/sim/branches.h"
#include "tests/sim/crash_plans.h"
#include "tests/sim/minimize.h"
#include "tests/sim/mutants.h"
#include "tests/sim/scripts.h"
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
  int edition = kNewestEdition;
  bool minimize = true;
  bool two_leaders = false;
  std::string script = "life";
  Share share;

  std::string ShareText() const {
    return share.of == 1 ? "" : fmt::format(" (part {} of {})", share.part, share.of);
  }
};

// How many of all crashes of a kind were tried, and came about.
struct Coverage {
  std::string what;
  std::uint64_t covered = 0;
  std::uint64_t tried = 0;
  std::uint64_t all = 0;

  std::string ToString() const {
    const std::string share = tried < all ? fmt::format(" (of {} that others share)", all) : "";
    return fmt::format("{}: {} covered of {}{}", what, covered, tried, share);
  }
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
    machine_seconds_ += outcome.machine_seconds;
    if (wish_.trace) fmt::print("{}", outcome.trace);
    if (outcome.violations.empty()) return true;
    ++failed_;
    fmt::print("not ok {}\n", replay);
    for (const std::string& violation : outcome.violations) fmt::print("  {}\n", violation);
    std::fflush(stdout);
    return false;
  }

  void Add(const Branches::Figures& figures) {
    runs_ += figures.runs;
    failed_ += figures.failed;
    crashes_ += figures.crashes;
    checks_ += figures.checks;
    simulated_seconds_ += figures.simulated_seconds;
    machine_seconds_ += figures.machine_seconds;
  }

  void CountSeed() { ++seeds_; }

  void Cover(const Coverage& coverage) {
    fmt::print("# {}\n", coverage.ToString());
    std::fflush(stdout);
  }

  // A line for each figure, and one for the whole.
  bool Report() const {
    const double seconds = std::chrono::duration<double>(RealClock::now() - began_).count();
    if (seeds_ > 0) fmt::print("# seeds run: {}\n", seeds_);
    fmt::print("# {:.1f} runs a minute, {:.2f} simulated hours and {:.2f} machine-hours a second\n",
               static_cast<double>(runs_) * 60 / seconds, simulated_seconds_ / 3600 / seconds,
               machine_seconds_ / 3600 / seconds);
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
  std::uint64_t seeds_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t crashes_ = 0;
  std::uint64_t checks_ = 0;
  double simulated_seconds_ = 0;
  double machine_seconds_ = 0;
};

const Mutant* FindMutant(const Words& words, const std::string& name) {
  for (const Mutant& mutant : words.mutants()) {
    if (mutant.name == name) return &mutant;
  }
  return nullptr;
}

ChanceRun RunOf(const Wish& wish, std::uint64_t seed) {
  const Words* words = FindWords(wish.dialect);
  ChanceRun run{.seed = seed,
                .words = words,
                .mutant = FindMutant(*words, wish.mutant),
                .edition = wish.edition};
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
    total.CountSeed();
    if (!total.Add(outcome, "replay: " + ReplayCommand(run)) && wish.minimize) {
      ShowMinimized(run, outcome);
    }
  }
}

LifeRun LifeOf(const Wish& wish, FaultPlan faults = {}) {
  return {.replicas = wish.replicas,
          .faults = std::move(faults),
          .words = FindWords(wish.dialect),
          .two_leaders = wish.two_leaders};
}

// What a wish's scripts are; a whole life is none.
std::vector<const Script*> ScriptsOf(const Wish& wish) {
  if (wish.script == "life") return {nullptr};
  if (wish.script != "all") return {FindScript(wish.script)};
  std::vector<const Script*> all;
  for (const Script& script : Scripts()) {
    if (CanPlay(script, *FindWords(wish.dialect))) all.push_back(&script);
  }
  return all;
}

Outcome Play(const Wish& wish, const Script* script, const FaultPlan& faults) {
  const LifeRun run = LifeOf(wish, faults);
  return script == nullptr ? RunWholeLife(run) : RunScript(*script, run);
}

std::string Replay(const Wish& wish, const Script* script, const FaultPlan& faults) {
  return fmt::format("replay: build/tests/sim_run --dialect {} --script {} --replicas {}{}{}",
                     wish.dialect, script == nullptr ? "life" : script->name, wish.replicas,
                     wish.two_leaders ? " --two-leaders" : "", faults.ToString());
}

// One life with those faults.
Outcome RunLife(const Wish& wish, const Script* script, const FaultPlan& faults, Total& total) {
  Outcome outcome = Play(wish, script, faults);
  total.Add(outcome, Replay(wish, script, faults));
  return outcome;
}

// All of them that are ours. A crash that lies behind the end of all did not come about, and is not
// covered.
void RunPlans(const Wish& wish, const Script* script, std::string_view what,
              const std::vector<FaultPlan>& plans, Total& total) {
  Coverage coverage{.what =
                        fmt::format("{} of {}", what, script == nullptr ? "life" : script->name)};
  for (const FaultPlan& plan : ShareOf(plans, wish.share)) {
    const Outcome outcome = RunLife(wish, script, plan, total);
    const std::size_t crashes = plan.crashes.size() + plan.crash_steps.size();
    coverage.covered += static_cast<std::size_t>(outcome.crashes) >= crashes ? 1 : 0;
    ++coverage.tried;
  }
  coverage.all = plans.size();
  total.Cover(coverage);
}

// Crashes at all places, in processes that branch off where they happen.
void RunBranches(const Wish& wish, const Script* script, Branches::Places places, std::size_t depth,
                 Total& total) {
  Branches branches(places, depth, wish.share);
  const std::string_view name = script == nullptr ? "life" : script->name;
  FaultPlan faults;
  faults.branches = &branches;
  const Outcome outcome = Play(wish, script, faults);
  const bool ok = total.Add(outcome, Replay(wish, script, branches.crashes()));
  Branches::Figures& figures = branches.figures();
  if (!branches.is_root()) {
    ++figures.runs;
    figures.failed += ok ? 0 : 1;
    figures.crashes += static_cast<std::uint64_t>(outcome.crashes);
    figures.checks += outcome.checks;
    figures.simulated_seconds += outcome.simulated_seconds;
    figures.machine_seconds += outcome.machine_seconds;
    std::fflush(stdout);
    _exit(0);
  }
  total.Add(figures);
  const std::string what = places == Branches::Places::kSteps ? "awaits" : "single points";
  fmt::print("# {} of {}{}: {}, all tried\n", what, name, wish.ShareText(), figures.branches[1]);
  if (depth > 1) {
    fmt::print("# pairs of points of {}{}: {}, all tried\n", name, wish.ShareText(),
               figures.branches[2]);
  }
  std::fflush(stdout);
}

void Explore(const Wish& wish, Total& total) {
  using Places = Branches::Places;
  const bool all_pairs = wish.pairs == "all";
  for (const Script* script : ScriptsOf(wish)) {
    if (wish.points && !all_pairs) RunBranches(wish, script, Places::kPoints, 1, total);
    if (all_pairs) RunBranches(wish, script, Places::kPoints, 2, total);
    if (wish.steps == 1) RunBranches(wish, script, Places::kSteps, 1, total);
    const bool some_pairs = !wish.pairs.empty() && !all_pairs;
    if (!some_pairs && wish.triples == 0 && wish.steps < 2) continue;
    const Stretch focus = Play(wish, script, {}).focus;
    if (some_pairs) {
      RunPlans(wish, script, "pairs", RandomPlans(focus, 2, std::stoull(wish.pairs), wish.from),
               total);
    }
    if (wish.triples > 0) {
      RunPlans(wish, script, "triples", RandomPlans(focus, 3, wish.triples, wish.from), total);
    }
    if (wish.steps > 1) {
      RunPlans(wish, script, fmt::format("awaits (every {})", wish.steps), Steps(focus, wish.steps),
               total);
    }
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
  RunLife(wish, ScriptsOf(wish).front(), faults, total);
}

// After how many seeds a planted bug is found; 0: a whole life without faults shows it.
std::optional<std::uint64_t> SeedsUntilFound(const Words& words, const Mutant& mutant,
                                             std::uint64_t most, std::string& violation) {
  const auto found = [&](const Outcome& outcome) {
    if (!IsFound(mutant, outcome.violations)) return false;
    violation = outcome.violations.front();
    return true;
  };
  if (found(RunWholeLife({.replicas = 2, .words = &words, .mutant = &mutant}))) return 0;
  const Mutant control = WithoutBug(mutant);
  for (std::uint64_t seed = 1; seed <= most; ++seed) {
    if (found(RunByChance({.seed = seed, .words = &words, .mutant = &mutant})) &&
        RunByChance({.seed = seed, .words = &words, .mutant = &control}).violations.empty()) {
      return seed;
    }
  }
  return std::nullopt;
}

bool ShowMutants(const Wish& wish) {
  const std::uint64_t most = wish.seeds > 0 ? wish.seeds : 50;
  const Words& words = *FindWords(wish.dialect);
  bool all = RunWholeLife({.replicas = 2, .words = &words}).violations.empty();
  for (const Mutant& mutant : words.mutants()) {
    std::string violation;
    const auto seeds = SeedsUntilFound(words, mutant, most, violation);
    all = all && seeds;
    const std::string when = !seeds        ? "NOT FOUND"
                             : *seeds == 0 ? "one life"
                                           : fmt::format("seed {}", *seeds);
    fmt::print("| {} | {} | {} |\n", mutant.name, when, violation.substr(0, 90));
    std::fflush(stdout);
  }
  fmt::print("{} {} planted bugs\n", all ? "ok" : "not ok", words.mutants().size());
  return all;
}

int Main(int argc, char** argv) {
  Wish wish;
  CLI::App app("Clusters in virtual time, with everything going wrong that can");
  app.add_option("--from", wish.from, "the first seed")->capture_default_str();
  app.add_option("--seeds", wish.seeds, "so many seeds");
  app.add_option("--minutes", wish.minutes, "seeds for so long");
  app.add_option("--only", wish.only, "of what happens in a seed only this: h3,d17");
  app.add_option("--edition", wish.edition, "what could happen when a seed was kept")
      ->capture_default_str();
  app.add_flag("--minimize,!--no-minimize", wish.minimize, "make failing seeds small");
  app.add_flag("--points", wish.points, "a crash at each point");
  app.add_option("--pairs", wish.pairs, "so many pairs of points; all: all");
  app.add_option("--triples", wish.triples, "so many triples of points, by chance");
  app.add_option("--steps", wish.steps, "a crash at every so manieth handler");
  app.add_option("--script", wish.script, "what crashes hit: life, create, run, ...; all: each")
      ->capture_default_str();
  std::string shard = "1/1";
  app.add_option("--shard", shard, "only that part of the crashes: 2/8")->capture_default_str();
  app.add_option("--crash", wish.crashes, "one life with crashes: 12 (before), 12+ (after), s300");
  app.add_option("--replicas", wish.replicas, "machines of a whole life")->capture_default_str();
  app.add_flag("--two-leaders", wish.two_leaders, "two processes lead in a whole life");
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
  if (!wish.mutant.empty() && FindMutant(*FindWords(wish.dialect), wish.mutant) == nullptr) {
    fmt::print(stderr, "no planted bug {}\n", wish.mutant);
    return 2;
  }
  const auto share = ReadShare(shard);
  const bool knows_script =
      wish.script == "life" || wish.script == "all" || FindScript(wish.script) != nullptr;
  if (!share || !knows_script) {
    fmt::print(stderr, "no {} {}\n", share ? "script" : "shard", share ? wish.script : shard);
    return 2;
  }
  const Script* script = FindScript(wish.script);
  if (script != nullptr && !CanPlay(*script, *FindWords(wish.dialect))) {
    fmt::print(stderr, "{} knows nothing like {}\n", wish.dialect, wish.script);
    return 2;
  }
  wish.share = *share;
  if (wish.scale > 0) {
    fmt::print("{}", MeasureScale(wish.scale, *FindWords(wish.dialect)));
    return 0;
  }
  if (wish.mutants) return ShowMutants(wish) ? 0 : 1;
  Total total(wish);
  Explore(wish, total);
  const bool explores = wish.points || !wish.pairs.empty() || wish.triples > 0 || wish.steps > 0;
  if (!wish.crashes.empty() || (wish.two_leaders && !explores)) RunCrashes(wish, total);
  if (wish.seeds > 0 || wish.minutes > 0) RunSeeds(wish, total);
  return total.Report() ? 0 : 1;
}

}  // namespace
}  // namespace millwright::sim

int main(int argc, char** argv) { return millwright::sim::Main(argc, argv); }
