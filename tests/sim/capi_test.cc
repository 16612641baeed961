// Cluster API's loops and our own provider's through the same runs as Gardener's: the end is the
// same whatever crashes, and no promise is broken on the way.
#include <fmt/format.h>
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
// One was reported not to end (122).
TEST(CapiByChance, SeedsThatOnceFailed) {
  for (const std::uint64_t seed : {11, 19, 122}) {
    const ChanceRun run{.seed = seed, .words = &CapiWords(), .edition = 1};
    const Outcome outcome = RunByChance(run);
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, ReplayCommand(run));
  }
}

// An instance was made and joined, nobody heard of it, and its machine was deleted: the node
// stayed (12, 14, 17). To a calendar that is an hour ahead every new machine was too old (22, 115).
// A node that an old cache lacked was taken for gone, and its pods with it (27, 254). Nobody knows
// of the node of a VM that was destroyed before its maker heard of it (187).
TEST(CapiByChance, SeedsOfEdition2ThatOnceFailed) {
  for (const std::uint64_t seed : {12, 14, 17, 22, 27, 38, 43, 103, 115, 187, 254}) {
    const ChanceRun run{.seed = seed, .words = &CapiWords(), .edition = 2};
    const Outcome outcome = RunByChance(run);
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, ReplayCommand(run));
  }
}

// Silence was measured by a calendar that had been a day behind (32). A machine went without a
// drain before the connection to its cluster stood (2440, 2618).
TEST(CapiByChance, SeedsOfEdition3ThatOnceFailed) {
  for (const std::uint64_t seed : {32, 2440, 2618}) {
    const ChanceRun run{.seed = seed, .words = &CapiWords(), .edition = 3};
    const Outcome outcome = RunByChance(run);
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, ReplayCommand(run));
  }
}

// A cluster whose machines lack something.
class CapiLack {
 public:
  // In the sample, `is` stands in place of `was`.
  explicit CapiLack(std::string_view was, std::string_view is, int replicas = 2)
      : cluster_({.cloud = SlowCloud(CapiWords()), .words = &CapiWords()}), replicas_(replicas) {
    std::string sample = CapiWords().sample({.replicas = replicas});
    for (std::size_t at = 0; (at = sample.find(was, at)) != std::string::npos; at += is.size()) {
      sample.replace(at, was.size(), is);
    }
    cluster_.InstallKinds();
    cluster_.Apply(sample);
    cluster_.StartControllers();
  }

  Cluster& cluster() { return cluster_; }

  // Every instance's object says so.
  bool Says(std::string_view what) {
    return cluster_.Until([&] {
      const auto page = cluster_.store().List({.scope = std::string(CapiWords().parts.front())});
      return replicas_ == std::ranges::count_if(page->records, [&](const auto& record) {
               return record->value.contains(what);
             });
    });
  }

  void DeleteAll() { cluster_.Ask("DELETE", CapiWords().DeploymentPath()); }

  // That all of it goes.
  void ExpectEnd() {
    Outcome outcome;
    Expect(outcome, cluster_.Until([&] { return IsEmpty(cluster_.auditor()); }), "deleted");
    outcome = Finish(cluster_, std::move(outcome));
    EXPECT_TRUE(outcome.violations.empty()) << Report(outcome, "lack") << outcome.trace;
  }

 private:
  Cluster cluster_;
  const int replicas_;
};

constexpr std::string_view kServed = "provider: simulated";
constexpr std::string_view kCredentials = "secretRef: {name: small}";
constexpr const char* kInstancePath =
    "/apis/infrastructure.millwright.dev/v1beta1/namespaces/default/millwrightmachines";
constexpr const char* kSecretPath = "/api/v1/namespaces/default/secrets/small";

// Machines of a provider that nobody serves, or without its credentials, say so, and go when they
// are told to.
TEST(CapiWrong, WhatNobodyCanMakeIsNotHeld) {
  CapiLack served(kServed, "provider: nosuch");
  EXPECT_TRUE(served.Says("no provider 'nosuch' here"));
  served.DeleteAll();
  served.ExpectEnd();
  CapiLack known(kCredentials, "secretRef: {name: nosuch}");
  EXPECT_TRUE(known.Says("spec.secretRef names the Secret nosuch, which is not there"));
  known.DeleteAll();
  known.ExpectEnd();
}

// Once the finalizer came before anybody looked whether all is there.
TEST(CapiWrong, NorIsWhatHasTheFinalizerAlready) {
  CapiLack it(kCredentials, "secretRef: {name: nosuch}");
  EXPECT_TRUE(it.Says("which is not there"));
  for (const auto& instance : it.cluster().List(kInstancePath)) {
    it.cluster().Ask("PATCH",
                     fmt::format("{}/{}", kInstancePath, TextAt(instance, "/metadata/name")),
                     R"({"metadata":{"finalizers":["infrastructure.millwright.dev/machine"]}})",
                     "application/merge-patch+json");
  }
  it.DeleteAll();
  it.ExpectEnd();
}

TEST(CapiWrong, WhatExistsIsHeldUntilItsCredentialsAreBack) {
  CapiLack it(kServed, kServed);
  EXPECT_TRUE(it.cluster().Until([&] { return IsSettled(it.cluster().auditor(), 2); }));
  it.cluster().Ask("DELETE", kSecretPath);
  it.DeleteAll();
  EXPECT_TRUE(
      it.Says("cannot be removed before this is put right: spec.secretRef names the Secret "
              "small, which is not there"));
  it.cluster().Pass(std::chrono::hours(1));
  EXPECT_EQ(it.cluster().cloud().live(), 2u);
  it.cluster().Apply("{apiVersion: v1, kind: Secret, metadata: {name: small, namespace: default}}");
  it.ExpectEnd();
}

// Its machine is deleted, its maker has heard nothing, and its credentials are gone.
TEST(CapiWrong, WhatMayExistIsHeldUntilItsCredentialsAreBack) {
  CapiLack it(kServed, kServed, 1);
  providers::FaultScript& script = it.cluster().cloud().faults();
  const auto rule = script.Add({.kind = providers::CallKind::kCreate,
                                .code = core::CloudCode::kDeadlineExceeded,
                                .point = providers::FaultPoint::kAfter});
  EXPECT_TRUE(it.cluster().Until([&] { return it.cluster().cloud().live() == 1; }));
  it.cluster().Ask("DELETE", kSecretPath);
  it.DeleteAll();
  EXPECT_TRUE(it.Says("what may have been made cannot be removed before this is put right"));
  it.cluster().Pass(std::chrono::minutes(10));
  EXPECT_EQ(it.cluster().cloud().live(), 1u);
  EXPECT_EQ(it.cluster().auditor().machines().size(), 1u);
  script.Remove(rule);
  it.cluster().Apply("{apiVersion: v1, kind: Secret, metadata: {name: small, namespace: default}}");
  it.ExpectEnd();
}

class CapiMutantTest : public testing::TestWithParam<const Mutant*> {};

TEST_P(CapiMutantTest, IsFound) {
  const Mutant* mutant = GetParam();
  const Words* words = &CapiWords();
  if (!mutant->needs_chance) {
    const Outcome outcome = RunWholeLife({.replicas = 2, .words = words, .mutant = mutant});
    EXPECT_TRUE(IsFound(*mutant, outcome.violations)) << "not found: " << mutant->name;
    return;
  }
  const Mutant control = WithoutBug(*mutant);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const Outcome outcome = RunByChance({.seed = seed, .words = words, .mutant = mutant});
    if (IsFound(*mutant, outcome.violations) &&
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
