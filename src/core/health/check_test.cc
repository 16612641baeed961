#include "core/health/check.h"

#include <gtest/gtest.h>

#include "core/health/gate.h"
#include "core/testing/builders.h"

namespace millwright::core {
namespace {

using namespace std::chrono_literals;
using testing::kNow;
using Health = Verdict::Health;
using Kind = Finding::Kind;

const Checks kChecks{.node = {{"Ready", "Unknown", 300s}, {"Ready", "False", 300s}},
                     .machine = {{"InfraOk", "False", 100s}},
                     .startup = 600s};

Condition Since(const char* type, const char* status, Duration ago) {
  return {.type = type, .status = status, .since = kNow - ago, .reason = "Why"};
}

CheckedMachine WithNode(Condition condition) {
  return {.expects_node = true, .startup_began = kNow - 1h, .node = {{std::move(condition)}}};
}

CheckedMachine Starting(Duration ago) { return {.startup_began = kNow - ago}; }

struct Case {
  const char* name;
  CheckedMachine machine;
  Health want;
  std::vector<Kind> findings;
  std::optional<Duration> again;
};

CheckedMachine With(CheckedMachine machine, void (*change)(CheckedMachine&)) {
  change(machine);
  return machine;
}

const Case kCases[] = {
    {"Capi_12_155_StartingForAWhile", Starting(400s), Health::kMayBecomeUnhealthy, {}, 201s},
    {"Capi_12_155_CountedFromWhatItWaitedFor",
     Starting(50s),
     Health::kMayBecomeUnhealthy,
     {},
     551s},
    {"Capi_12_155_NeverStarted", Starting(1200s), Health::kUnhealthy, {Kind::kNeverStarted}, {}},
    {"Capi_12_156_UnknownForAWhile",
     WithNode(Since("Ready", "Unknown", 200s)),
     Health::kMayBecomeUnhealthy,
     {},
     101s},
    {"Capi_12_153_UnknownForTooLong",
     WithNode(Since("Ready", "Unknown", 400s)),
     Health::kUnhealthy,
     {Kind::kNodeCondition},
     {}},
    {"Ready", WithNode(Since("Ready", "True", 9h)), Health::kHealthy, {}, {}},
    {"Capi_12_157_NodeGone", {.expects_node = true}, Health::kUnhealthy, {Kind::kNodeGone}, {}},
    {"Capi_12_158_AskedFor",
     With(WithNode(Since("Ready", "True", 9h)),
          [](CheckedMachine& m) { m.must_be_remediated = true; }),
     Health::kUnhealthy,
     {Kind::kAskedFor},
     {}},
    {"Capi_12_152_NothingToJudgeBefore",
     With(Starting(1200s), [](CheckedMachine& m) { m.can_be_judged = false; }),
     Health::kUndecided,
     {},
     {}},
    {"AskedForEvenThen",
     {.must_be_remediated = true, .can_be_judged = false},
     Health::kUnhealthy,
     {Kind::kAskedFor},
     {}},
    {"OneThatIsGoingIsNotHealthy",
     With(WithNode(Since("Ready", "True", 9h)), [](CheckedMachine& m) { m.deleting = true; }),
     Health::kUndecided,
     {},
     {}},
    {"BothFindingsTheMachinesFirst",
     With(WithNode(Since("Ready", "False", 400s)),
          [](CheckedMachine& m) { m.conditions = {Since("InfraOk", "False", 200s)}; }),
     Health::kUnhealthy,
     {Kind::kMachineCondition, Kind::kNodeCondition},
     {}},
    {"FailedWhereMachinesCanSaySo", {.failed = true}, Health::kUnhealthy, {Kind::kFailed}, {}},
};

class CheckTest : public ::testing::TestWithParam<Case> {};

TEST_P(CheckTest, Judges) {
  const Verdict verdict = JudgeMachine(GetParam().machine, kChecks, kNow);
  EXPECT_EQ(verdict.health, GetParam().want);
  EXPECT_EQ(verdict.check_again, GetParam().again);
  std::vector<Kind> kinds;
  for (const Finding& finding : verdict.findings) kinds.push_back(finding.kind);
  EXPECT_EQ(kinds, GetParam().findings);
}

INSTANTIATE_TEST_SUITE_P(All, CheckTest, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Check, Capi_12_155_WithoutAStartupLimitItIsNeitherGoodNorBad) {
  Checks checks = kChecks;
  checks.startup = 0s;
  EXPECT_EQ(JudgeMachine(Starting(9h), checks, kNow), Verdict{});
}

TEST(Check, Capi_12_156_TheEarliestOfSeveralIsWhenToLookAgain) {
  CheckedMachine machine = WithNode(Since("Ready", "Unknown", 200s));
  machine.conditions = {Since("InfraOk", "False", 90s)};
  EXPECT_EQ(JudgeMachine(machine, kChecks, kNow).check_again, 11s);
}

TEST(Check, Capi_12_157_EmptyListsLeaveOnlyTheNodesPresence) {
  const Checks none{};
  EXPECT_EQ(JudgeMachine(WithNode(Since("Ready", "False", 9h)), none, kNow).health,
            Health::kHealthy);
  EXPECT_EQ(JudgeMachine({.expects_node = true}, none, kNow).health, Health::kUnhealthy);
}

TEST(Startup, Capi_12_155_BeginsWithTheLatestOfWhatItNeeds) {
  StartupFacts facts{.created = kNow - 9h, .cluster_infrastructure_ready = kNow - 8h};
  EXPECT_FALSE(CanBeJudged(facts));
  facts.is_control_plane = true;
  EXPECT_TRUE(CanBeJudged(facts));
  EXPECT_EQ(StartupBegan(facts), kNow - 8h);
  facts.control_plane_initialized = kNow - 2h;
  facts.infrastructure_ready = kNow - 50s;
  EXPECT_EQ(StartupBegan(facts), kNow - 50s);
  facts.cluster_infrastructure_ready.reset();
  EXPECT_FALSE(CanBeJudged(facts));
}

struct GateCase {
  const char* name;
  GatePolicy policy;
  int expected;
  int healthy;
  Gate want;
};

const GateCase kGates[] = {
    {"Capi_12_159_AllMayBeUnhealthyUnlessSaid", {}, 5, 0, {true, 5, 0}},
    {"Capi_12_159_APercentageRoundsDown", {Amount::Percent(40), {}}, 5, 3, {true, 2, 0}},
    {"Capi_12_159_OneMoreIsTooMany", {Amount::Percent(40), {}}, 5, 2, {false, 3, 0}},
    {"Capi_12_159_SixtyPercentOfSeven", {Amount::Percent(60), {}}, 7, 3, {true, 4, 0}},
    {"Capi_12_159_EqualIsAllowed", {Amount::Of(2), {}}, 5, 3, {true, 2, 0}},
    {"SaysHowManyMore", {Amount::Of(3), {}}, 5, 4, {true, 1, 2}},
    {"Capi_12_154_BelowTheRange", {Amount::Of(9), UnhealthyRange{2, 4}}, 5, 4, {false, 1, 0}},
    {"Capi_12_154_InTheRange", {Amount::Of(0), UnhealthyRange{2, 4}}, 5, 2, {true, 3, 1}},
    {"Capi_12_154_AboveTheRange", {Amount::Of(9), UnhealthyRange{2, 4}}, 5, 0, {false, 5, 0}},
    {"ANegativeLimitIsNone", {Amount::Of(-1), {}}, 5, 5, {true, 0, 0}},
};

class GateTest : public ::testing::TestWithParam<GateCase> {};

TEST_P(GateTest, Decides) {
  EXPECT_EQ(DecideGate(GetParam().policy, GetParam().expected, GetParam().healthy),
            GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, GateTest, ::testing::ValuesIn(kGates),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(GateText, Capi_12_160_ARangeThatEndsBeforeItBeginsIsAnError) {
  EXPECT_EQ(*ParseUnhealthyRange("[1-3]"), (UnhealthyRange{1, 3}));
  for (const char* text : {"[3-1]", "[1-]", "[-1]", "1-3", "[a-b]", "[]", "", "[1-2-3]"}) {
    EXPECT_FALSE(ParseUnhealthyRange(text)) << text;
  }
  // 159: a limit that is no number is an error where it is read.
  EXPECT_FALSE(Amount::ParsePercent("abcdef"));
}

}  // namespace
}  // namespace millwright::core
