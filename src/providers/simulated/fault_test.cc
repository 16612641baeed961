#include "providers/simulated/fault.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/simulated/testing.h"

namespace millwright::providers {
namespace {

using core::CloudCode;
using std::chrono::seconds;
using testing::ClassOf;
using testing::MachineNamed;
using testing::SimulatedWorld;

template <class T>
std::optional<CloudCode> Code(const Result<T>& result) {
  return result ? CloudCode::kOk : CodeOf(result.error());
}

// Which of ten creates of one machine and which of another's fail under a rule.
struct MatchCase {
  const char* name;
  FaultRule rule;
  const char* failed;  // of machine "a": "1010..." by call
  const char* others;  // of machine "b", called in turn after each of those
};

class FaultMatch : public ::testing::TestWithParam<MatchCase> {};

TEST_P(FaultMatch, AppliesToTheCallsThatItNames) {
  SeededRandom random(1);
  FaultScript script;
  script.Add(GetParam().rule);
  std::string failed;
  std::string others;
  for (int i = 0; i < 6; ++i) {
    failed += script.Draw(CallKind::kCreate, "a", {}, "", random) ? '1' : '0';
    others += script.Draw(CallKind::kCreate, "b", {}, "", random) ? '1' : '0';
  }
  EXPECT_EQ(failed, GetParam().failed);
  EXPECT_EQ(others, GetParam().others);
}

const MatchCase kMatches[] = {
    {"All", {}, "111111", "111111"},
    {"OneKind", {.kind = CallKind::kCreate}, "111111", "111111"},
    {"AnotherKind", {.kind = CallKind::kGet}, "000000", "000000"},
    {"OneMachine", {.machine = "a"}, "111111", "000000"},
    {"TheThirdCall", {.first = 3, .times = 1}, "010000", "000000"},
    {"TheThirdCallOfAMachine", {.machine = "a", .first = 3, .times = 1}, "001000", "000000"},
    {"TheFirstFour", {.times = 4}, "110000", "110000"},
    {"FromTheFifthOn", {.first = 5}, "001111", "001111"},
    {"Never", {.probability = 0}, "000000", "000000"},
};

INSTANTIATE_TEST_SUITE_P(Table, FaultMatch, ::testing::ValuesIn(kMatches),
                         [](const auto& info) { return info.param.name; });

TEST(FaultScript, ProbabilityIsKeptInTheLongRun) {
  SeededRandom random(1);
  FaultScript script;
  const auto rule = script.Add({.probability = 0.25});
  int failed = 0;
  for (int i = 0; i < 10000; ++i) failed += script.Draw(CallKind::kGet, "", {}, "", random) ? 1 : 0;
  EXPECT_NEAR(failed, 2500, 150);
  script.Remove(rule);
  EXPECT_FALSE(script.Draw(CallKind::kGet, "", {}, "", random));
}

TEST(FaultScript, RulesOfAClassAreCountedByClass) {
  SeededRandom random(1);
  FaultScript script;
  const std::vector<FaultRule> once = {{.kind = CallKind::kCreate, .times = 1}};
  EXPECT_TRUE(script.Draw(CallKind::kCreate, "a", once, "one", random));
  EXPECT_FALSE(script.Draw(CallKind::kCreate, "b", once, "one", random));
  EXPECT_TRUE(script.Draw(CallKind::kCreate, "c", once, "two", random));
}

// What is there after a create or a remove that failed at some point, and after the next try.
struct PointCase {
  const char* name;
  CallKind kind;
  FaultPoint point;
  std::size_t vms;
  std::size_t records;  // with leftovers
};

class FaultPoints : public ::testing::TestWithParam<PointCase> {};

TEST_P(FaultPoints, LeavesWhatHadHappenedAndTheNextTryPutsItRight) {
  const PointCase& c = GetParam();
  SimulatedWorld sim;
  if (c.kind == CallKind::kRemove) ASSERT_TRUE(sim.Create("a"));
  sim.engine.faults().Add(
      {.kind = c.kind, .times = 1, .code = CloudCode::kDeadlineExceeded, .point = c.point});
  const bool creates = c.kind == CallKind::kCreate;
  const auto code = creates ? Code(sim.Create("a")) : Code(sim.Remove(MachineNamed("a")));
  EXPECT_EQ(code, CloudCode::kDeadlineExceeded);
  EXPECT_EQ(sim.engine.live(), c.vms);
  EXPECT_EQ(sim.engine.Present().size(), c.records);
  EXPECT_EQ(sim.List()->size(), c.records) << "a list shows leftovers";

  EXPECT_EQ(creates ? Code(sim.Create("a")) : Code(sim.Remove(MachineNamed("a"))), CloudCode::kOk);
  EXPECT_EQ(sim.engine.live(), creates ? 1u : 0u);
  EXPECT_EQ(sim.engine.Present().size(), creates ? 1u : 0u);
  EXPECT_TRUE(DoubledMachines(sim.engine.history()).empty());
}

const PointCase kPoints[] = {
    {"CreateBefore", CallKind::kCreate, FaultPoint::kBefore, 0, 0},
    {"CreateHalfway", CallKind::kCreate, FaultPoint::kHalfway, 0, 1},
    {"CreateAfter", CallKind::kCreate, FaultPoint::kAfter, 1, 1},
    {"RemoveBefore", CallKind::kRemove, FaultPoint::kBefore, 1, 1},
    {"RemoveHalfway", CallKind::kRemove, FaultPoint::kHalfway, 0, 1},
    {"RemoveAfter", CallKind::kRemove, FaultPoint::kAfter, 0, 0},
};

INSTANTIATE_TEST_SUITE_P(Table, FaultPoints, ::testing::ValuesIn(kPoints),
                         [](const auto& info) { return info.param.name; });

TEST(Faults, HalfAMachineCanBeRemovedAndMadeAgain) {
  SimulatedWorld sim;
  sim.engine.faults().Add({.kind = CallKind::kCreate,
                           .times = 1,
                           .code = CloudCode::kInternal,
                           .point = FaultPoint::kHalfway});
  EXPECT_FALSE(sim.Create("a"));
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kNotFound);
  EXPECT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_TRUE(sim.engine.Present().empty());
  EXPECT_TRUE(sim.Create("a"));
}

TEST(Faults, CanBeUnreadable) {
  SimulatedWorld sim;
  sim.engine.faults().Add({.kind = CallKind::kGet, .unreadable = true});
  const auto got = sim.Get("a");
  ASSERT_FALSE(got);
  EXPECT_EQ(CodeOf(got.error()), std::nullopt);
}

TEST(Faults, CanBeSlowOnEitherSideOfTheEffect) {
  SimulatedWorld sim;
  sim.engine.faults().Add(
      {.kind = CallKind::kCreate, .delay = seconds(60), .answer_delay = seconds(5)});
  ASSERT_TRUE(sim.Create("a"));
  EXPECT_EQ(sim.world.Elapsed(), SteadyTime(seconds(65)));
  EXPECT_EQ(sim.engine.Present().front()->made, SteadyTime(seconds(60)));
}

TEST(Faults, CanMakeTwoOfOneCall) {
  SimulatedWorld sim;
  sim.engine.faults().Add({.kind = CallKind::kCreate, .times = 1, .duplicate = true});
  ASSERT_TRUE(sim.Create("a"));
  EXPECT_EQ(sim.engine.live(), 2u);
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kOutOfRange);
}

TEST(Faults, CanComeFromTheSpecOfAClass) {
  SimulatedWorld sim;
  const auto full = ClassOf(R"({"fail": {"create": {"code": "ResourceExhausted", "times": 2}}})");
  EXPECT_EQ(Code(sim.Create("a", full)), CloudCode::kResourceExhausted);
  EXPECT_EQ(Code(sim.Create("b", full)), CloudCode::kResourceExhausted);
  EXPECT_TRUE(sim.Create("a", full));
}

TEST(Faults, AreInTheHistory) {
  SimulatedWorld sim;
  sim.engine.faults().Add({.kind = CallKind::kCreate, .code = CloudCode::kInternal});
  EXPECT_FALSE(sim.Create("a"));
  ASSERT_EQ(sim.engine.history().size(), 1u);
  EXPECT_EQ(ToString(sim.engine.history().front()),
            "0s faulted create Internal of a, by the script");
  EXPECT_EQ(sim.engine.calls(CallKind::kCreate), 1u);
  EXPECT_EQ(sim.engine.calls(CallKind::kGet), 0u);
}

}  // namespace
}  // namespace millwright::providers
