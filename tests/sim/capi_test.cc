// Cluster API's loops and our own provider's through the same runs as Gardener's: the end is the
// same whatever crashes, and no promise is broken on the way.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/sim/minimize.h"
#include "tests/sim/workload.h"

namespace millwright::sim {
namespace {

std::string Report(const Outcome& outcome, const std::string& how) {
  std::string text = how + "\n";
  for (const std::string& violation : outcome.violations) text += "  " + violation + "\n";
  return text;
}

TEST(CapiLife, WithoutFaultsBreaksNoPromiseAndEndsAtRest) {
  const Outcome outcome = RunWholeLife({.replicas = 2, .words = &CapiWords()});
  EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, "no faults") << outcome.trace;
  EXPECT_GT(outcome.checks, 20u);
}

TEST(CapiLife, ASeedIsOneTrace) {
  const FaultPlan faults{.crashes = {{.point = 30, .after = true}}};
  const LifeRun run{.replicas = 2, .faults = faults, .seed = 5, .words = &CapiWords()};
  EXPECT_EQ(RunWholeLife(run).trace, RunWholeLife(run).trace);
}

TEST(CapiByChance, ASeedIsOneTrace) {
  const ChanceRun run{.seed = 3, .words = &CapiWords()};
  EXPECT_EQ(RunByChance(run).trace, RunByChance(run).trace);
}

// Some of the points; `./test sim` takes all of them.
TEST(CapiLife, SurvivesACrashAtAPoint) {
  const int points = RunWholeLife({.words = &CapiWords()}).points;
  ASSERT_GT(points, 60);
  for (int point = 0; point < points; point += 23) {
    const FaultPlan faults{.crashes = {{.point = point, .after = point % 2 == 0}}};
    const Outcome outcome = RunWholeLife({.faults = faults, .words = &CapiWords()});
    EXPECT_EQ(outcome.crashes, 1) << faults.ToString();
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, faults.ToString());
  }
}

// Names were random: each leader made machines, and sets, of its own.
TEST(CapiLife, TwoLeadersMakeNoMoreThanOne) {
  for (const int replicas : {1, 3}) {
    const Outcome outcome =
        RunWholeLife({.replicas = replicas, .words = &CapiWords(), .two_leaders = true});
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, "two leaders") << replicas;
  }
}

// Two leaders of which one had not asked the cluster yet wrote without end whether it answers (11).
// A deployment's annotation that came and went on its sets was taken for somebody else's (19).
TEST(CapiByChance, SeedsThatOnceFailed) {
  for (const std::uint64_t seed : {11, 19}) {
    const ChanceRun run{.seed = seed, .words = &CapiWords(), .edition = 1};
    const Outcome outcome = RunByChance(run);
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, ReplayCommand(run));
  }
}

// An instance was made and joined, nobody heard of it, and its machine was deleted: the node
// stayed.
TEST(CapiByChance, SeedsOfEdition2ThatOnceFailed) {
  for (const std::uint64_t seed : {12, 14, 17}) {
    const ChanceRun run{.seed = seed, .words = &CapiWords(), .edition = 2};
    const Outcome outcome = RunByChance(run);
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, ReplayCommand(run));
  }
}

// Machines of a provider that nobody serves say so, and go when they are told to.
TEST(CapiWrong, WhatNobodyServesIsNotHeld) {
  const Words& words = CapiWords();
  const std::string_view served = "provider: simulated";
  std::string sample = words.sample({.replicas = 2});
  for (std::size_t at = 0; (at = sample.find(served, at)) != std::string::npos;) {
    sample.replace(at, served.size(), "provider: nosuch");
  }
  Cluster cluster({.cloud = SlowCloud(words), .words = &words});
  cluster.InstallKinds();
  cluster.Apply(sample);
  cluster.StartControllers();
  const auto complaints = [&] {
    const auto page = cluster.store().List({.scope = std::string(words.parts.front())});
    return std::ranges::count_if(page->records, [](const apiserver::RecordPtr& record) {
      return record->value.contains("no provider 'nosuch' here");
    });
  };
  EXPECT_TRUE(cluster.Until([&] { return complaints() == 2; }));
  cluster.Ask("DELETE", words.DeploymentPath());
  Outcome outcome;
  Expect(outcome, cluster.Until([&] { return IsEmpty(cluster.auditor()); }), "deleted");
  outcome = Finish(cluster, std::move(outcome));
  EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, "nosuch") << outcome.trace;
}

class CapiMutantTest : public testing::TestWithParam<const Mutant*> {};

TEST_P(CapiMutantTest, IsFound) {
  const Mutant* mutant = GetParam();
  const Words* words = &CapiWords();
  if (!mutant->needs_chance) {
    const Outcome outcome = RunWholeLife({.replicas = 2, .words = words, .mutant = mutant});
    EXPECT_FALSE(outcome.violations.empty()) << "not found: " << mutant->name;
    return;
  }
  const Mutant control = WithoutBug(*mutant);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    if (!RunByChance({.seed = seed, .words = words, .mutant = mutant}).violations.empty() &&
        RunByChance({.seed = seed, .words = words, .mutant = &control}).violations.empty()) {
      return;
    }
  }
  FAIL() << "not found in 50 seeds: " << mutant->name;
}

std::vector<const Mutant*> All() {
  std::vector<const Mutant*> all;
  for (const Mutant& mutant : CapiMutants()) all.push_back(&mutant);
  return all;
}

std::string NameOf(const testing::TestParamInfo<const Mutant*>& info) {
  std::string name(info.param->name);
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Planted, CapiMutantTest, testing::ValuesIn(All()), NameOf);

}  // namespace
}  // namespace millwright::sim
