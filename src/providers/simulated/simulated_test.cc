#include "providers/simulated/simulated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "base/task_group.h"
#include "providers/simulated/testing.h"

namespace millwright::providers {
namespace {

using core::CloudCode;
using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::ClassOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MachineNamed;
using testing::SimulatedWorld;
using ::testing::SizeIs;
using ::testing::StartsWith;

EngineOptions Timed(CallKind kind, Duration effect, Duration answer) {
  EngineOptions options;
  options.times[IndexOf(kind)] = {effect, answer};
  return options;
}

template <class T>
std::optional<CloudCode> Code(const Result<T>& result) {
  return result ? CloudCode::kOk : CodeOf(result.error());
}

std::vector<EventKind> Kinds(const CloudEngine& engine) {
  std::vector<EventKind> kinds;
  for (const CloudEvent& event : engine.history()) kinds.push_back(event.kind);
  return kinds;
}

TEST(SimulatedCloud, MakesAnInstanceThatRemembersItsMachine) {
  SimulatedWorld sim;
  const auto made = sim.Create("a", ClassOf(R"({"zone": "west"})"));
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_THAT(made->id, StartsWith("simulated:///west/"));
  EXPECT_EQ(made->node, "a");
  EXPECT_EQ(made->machine, "a");
  EXPECT_EQ(made->machine_uid, Uid("uid-a"));
  EXPECT_EQ(made->made, VirtualWorld::kStart);
  EXPECT_THAT(made->addresses, SizeIs(2));
  EXPECT_EQ(*sim.Get("a"), *made);
}

TEST(SimulatedCloud, CreatingTwiceGivesTheSameInstance) {
  SimulatedWorld sim;
  const auto first = sim.Create("a");
  const auto second = sim.Create("a");
  EXPECT_EQ(*first, *second);
  EXPECT_EQ(sim.engine.live(), 1u);
}

Task<void> CreateInto(Cloud& cloud, std::string name, std::vector<std::string>& ids) {
  auto made = co_await cloud.Create(ClassOf(), {.machine = MachineNamed(name)});
  ids.push_back(made ? made->id : "failed");
}

TEST(SimulatedCloud, ConcurrentCreatesOfTwoLeadersMeet) {
  SimulatedWorld sim(Timed(CallKind::kCreate, seconds(2), seconds(1)));
  testing::Controller other(sim.world, sim.engine);
  TaskGroup here(sim.controller->process.executor());
  TaskGroup there(other.process.executor());
  std::vector<std::string> ids;
  for (int i = 0; i < 3; ++i) {
    here.Spawn([&] { return CreateInto(sim.controller->cloud, "a", ids); });
    there.Spawn([&] { return CreateInto(other.cloud, "a", ids); });
  }
  sim.world.Advance(seconds(3));
  ASSERT_THAT(ids, SizeIs(6));
  EXPECT_THAT(ids, ::testing::Each(ids.front()));
  EXPECT_EQ(sim.engine.live(), 1u);
  EXPECT_THAT(DoubledMachines(sim.engine.history()), IsEmpty());
}

TEST(SimulatedCloud, AMachineWhoseInstanceIsGoneGetsAnother) {
  SimulatedWorld sim;
  const auto first = sim.Create("a");
  ASSERT_TRUE(sim.engine.Destroy(first->id, false));
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kNotFound);
  const auto second = sim.Create("a");
  ASSERT_TRUE(second);
  EXPECT_NE(first->id, second->id);
  EXPECT_EQ(second->remember, "1");
  EXPECT_EQ(sim.Create("a")->id, second->id);
}

TEST(SimulatedCloud, TheNextAttemptMayHaveToBeRememberedFirst) {
  SimulatedWorld sim({.record_attempts = true});
  const auto first = sim.Create("a");
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  const auto refused = sim.Create("a");
  EXPECT_EQ(Code(refused), CloudCode::kAborted);
  EXPECT_EQ(sim.engine.live(), 0u);
  const auto* failure = refused.error().detail<CloudFailure>();
  ASSERT_TRUE(failure != nullptr && failure->remember);
  const auto second = sim.Run(sim.controller->cloud.Create(
      ClassOf(), {.machine = MachineNamed("a"), .remembered = *failure->remember}));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->remember, failure->remember);
}

TEST(SimulatedCloud, ForgetsWhatIsGoneIfToldTo) {
  SimulatedWorld sim({.forget_after = seconds(60)});
  const auto made = sim.Create("a");
  ASSERT_TRUE(sim.Create("b"));
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  sim.world.Advance(seconds(99));
  EXPECT_NE(sim.engine.Find(made->id), nullptr);
  sim.world.Advance(seconds(1));
  EXPECT_EQ(sim.engine.Find(made->id), nullptr);
  EXPECT_EQ(sim.engine.remembered(), 1u);
  EXPECT_THAT(sim.engine.history(), IsEmpty());
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kNotFound);
  EXPECT_TRUE(sim.Get("b"));
  EXPECT_TRUE(sim.Remove({.instance = made->id}));
}

TEST(SimulatedCloud, KnowsTheVolumesOfItsOwnDriver) {
  SimulatedWorld sim;
  const auto ids = sim.Run(sim.controller->cloud.VolumeIds(
      ClassOf(), {R"({"csi": {"driver": "csi.simulated.millwright.dev", "volumeHandle": "v1"}})",
                  R"({"csi": {"driver": "another", "volumeHandle": "v2"}})",
                  R"({"hostPath": {"path": "/"}})", R"({"csi": 1})", "{"}));
  EXPECT_THAT(*ids, ElementsAre("v1", "", "", "", ""));
}

TEST(SimulatedCloud, RemovingTakesAllThatWasMadeAndIsDoneAgainWithoutHarm) {
  SimulatedWorld sim;
  ASSERT_TRUE(sim.Create("a"));
  ASSERT_TRUE(sim.Create("b"));
  EXPECT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_TRUE(sim.Remove(MachineNamed("never-there")));
  ASSERT_THAT(sim.engine.Present(), SizeIs(1));
  EXPECT_EQ(sim.engine.Present().front()->tags.machine, "b");
  EXPECT_THAT(sim.engine.Leaked({Uid("uid-b")}), IsEmpty());
  EXPECT_THAT(sim.engine.Leaked({}), SizeIs(1));
}

TEST(SimulatedCloud, RemovalLastsAsLongAsTheStop) {
  SimulatedWorld sim({.stop = seconds(30)});
  ASSERT_TRUE(sim.Create("a"));
  const SteadyTime before = sim.world.Elapsed();
  EXPECT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_EQ(sim.world.Elapsed() - before, seconds(30));
  EXPECT_THAT(Kinds(sim.engine),
              ElementsAre(EventKind::kCreated, EventKind::kBooted, EventKind::kStopping,
                          EventKind::kRemoved, EventKind::kCleaned));
}

TEST(SimulatedCloud, OneThatIsBeingRemovedIsNotHandedOut) {
  SimulatedWorld sim({.stop = seconds(30)});
  ASSERT_TRUE(sim.Create("a"));
  sim.engine.Remove({.cluster = "test", .class_name = "small"}, MachineNamed("a"));
  EXPECT_EQ(Code(sim.Create("a")), CloudCode::kAborted);
  sim.world.Advance(seconds(30));
  EXPECT_TRUE(sim.Create("a"));
  EXPECT_THAT(DoubledMachines(sim.engine.history()), IsEmpty());
}

TEST(SimulatedCloud, TheQuotaHoldsUntilSomethingGoes) {
  SimulatedWorld sim({.quota = 1});
  ASSERT_TRUE(sim.Create("a"));
  EXPECT_TRUE(sim.Create("a")) << "what is there already needs no room";
  EXPECT_EQ(Code(sim.Create("b")), CloudCode::kResourceExhausted);
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_TRUE(sim.Create("b"));
}

TEST(SimulatedCloud, AnswersTakeTheTimeThatIsSet) {
  SimulatedWorld sim(Timed(CallKind::kCreate, seconds(2), milliseconds(500)));
  ASSERT_TRUE(sim.Create("a"));
  EXPECT_EQ(sim.world.Elapsed(), SteadyTime(milliseconds(2500)));
  EXPECT_EQ(sim.engine.history().front().at, SteadyTime(seconds(2)));
  ASSERT_TRUE(sim.Create("b", ClassOf(R"({"createSeconds": 10})")));
  EXPECT_EQ(sim.world.Elapsed(), SteadyTime(seconds(13)));
}

TEST(SimulatedCloud, ACallGoesOnWithoutItsCaller) {
  SimulatedWorld sim(Timed(CallKind::kCreate, seconds(2), seconds(1)));
  std::vector<std::string> ids;
  boost::asio::co_spawn(sim.controller->process.executor(),
                        CreateInto(sim.controller->cloud, "a", ids), boost::asio::detached);
  sim.world.Advance(seconds(1));
  sim.StartController();  // the old one crashed with its call under way
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kNotFound);
  sim.world.Advance(seconds(1));
  const auto found = sim.Get("a");
  ASSERT_TRUE(found);
  EXPECT_EQ(sim.Create("a")->id, found->id);
  EXPECT_THAT(ids, IsEmpty());
}

TEST(SimulatedCloud, ListsWhatIsOfTheClassAndNothingElse) {
  SimulatedWorld sim;
  ASSERT_TRUE(sim.Create("b"));
  ASSERT_TRUE(sim.Create("a"));
  ASSERT_TRUE(sim.Create("c", ClassOf("{}", "large")));
  sim.engine.Plant({.cluster = "another", .class_name = "small", .machine = "d"});
  const auto listed = sim.List();
  ASSERT_THAT(*listed, SizeIs(2));
  EXPECT_EQ(listed->at(0).machine, "b");
  EXPECT_EQ(listed->at(1).machine, "a");
}

TEST(SimulatedCloud, ALaggingListShowsThePast) {
  SimulatedWorld sim({.list_lag = seconds(60)});
  ASSERT_TRUE(sim.Create("a"));
  EXPECT_THAT(*sim.List(), IsEmpty());
  EXPECT_TRUE(sim.Get("a")) << "only lists lag";
  sim.world.Advance(seconds(60));
  EXPECT_THAT(*sim.List(), SizeIs(1));
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  EXPECT_THAT(*sim.List(), SizeIs(1));
  sim.world.Advance(seconds(59));
  EXPECT_THAT(*sim.List(), SizeIs(1));
  sim.world.Advance(seconds(1));
  EXPECT_THAT(*sim.List(), IsEmpty());
}

TEST(SimulatedCloud, SaysThatThereAreSeveralAndRemovesTheOneThatIsNamed) {
  SimulatedWorld sim;
  const auto made = sim.Create("a");
  const auto twin = sim.engine.Duplicate(made->id);
  ASSERT_TRUE(twin);
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kOutOfRange);
  EXPECT_THAT(*sim.List(), SizeIs(2));
  EXPECT_TRUE(sim.Remove({.instance = *twin}));
  EXPECT_EQ(sim.Get("a")->id, made->id);
  EXPECT_THAT(DoubledMachines(sim.engine.history()), IsEmpty()) << "no caller did that";
}

TEST(SimulatedCloud, RemovingAMachineRemovesItsTwinsToo) {
  SimulatedWorld sim;
  const auto made = sim.Create("a");
  ASSERT_TRUE(sim.engine.Duplicate(made->id));
  MachineIdentity machine = MachineNamed("a");
  machine.instance = made->id;
  EXPECT_TRUE(sim.Remove(machine));
  EXPECT_THAT(sim.engine.Present(), IsEmpty());
}

TEST(SimulatedCloud, WhatIsLeftOfADeletedVmIsListedAndRemoved) {
  SimulatedWorld sim;
  const auto made = sim.Create("a");
  ASSERT_TRUE(sim.engine.Destroy(made->id));
  EXPECT_EQ(Code(sim.Get("a")), CloudCode::kNotFound);
  ASSERT_THAT(*sim.List(), SizeIs(1));
  EXPECT_TRUE(sim.Remove({.name = "a", .instance = made->id}));
  EXPECT_THAT(*sim.List(), IsEmpty());
  EXPECT_EQ(Code(sim.Remove({})), CloudCode::kInvalidArgument);
}

TEST(SimulatedCloud, AdoptsAVmOfThatNameFromBeforeUsAndNoOther) {
  SimulatedWorld sim;
  const std::string old =
      sim.engine.Plant({.cluster = "test", .class_name = "small", .machine = "a"});
  EXPECT_EQ(sim.Get("a")->id, old);
  EXPECT_EQ(sim.Create("a")->id, old);
  EXPECT_EQ(Code(sim.Get("aa")), CloudCode::kNotFound);

  const auto other = sim.Create("b");
  MachineIdentity mistaken = MachineNamed("c");
  mistaken.instance = other->id;
  EXPECT_TRUE(sim.Remove(mistaken));
  EXPECT_TRUE(sim.Get("b")) << "it is tagged with another machine's UID";
}

TEST(SimulatedCloud, InitializesWhereThatIsNeeded) {
  SimulatedWorld sim({.initialize = true});
  EXPECT_TRUE(sim.controller->cloud.capabilities().initialize);
  EXPECT_TRUE(sim.Create("a")->needs_initialize);
  const auto done =
      sim.Run(sim.controller->cloud.Initialize(ClassOf(), {.machine = MachineNamed("a")}));
  EXPECT_FALSE(done->needs_initialize);
  EXPECT_FALSE(sim.Get("a")->needs_initialize);

  SimulatedWorld plain;
  EXPECT_EQ(Code(plain.Run(plain.controller->cloud.Initialize(ClassOf(), {}))),
            CloudCode::kUnimplemented);
}

TEST(SimulatedCloud, IsPendingForAsLongAsTheSpecSays) {
  SimulatedWorld sim;
  EXPECT_EQ(sim.Create("a", ClassOf(R"({"pendingSeconds": 5})"))->pending, seconds(5));
  sim.world.Advance(seconds(4));
  EXPECT_EQ(sim.Get("a")->pending, seconds(1));
  sim.world.Advance(seconds(1));
  EXPECT_EQ(sim.Get("a")->pending, std::nullopt);
}

TEST(SimulatedCloud, ABrokenSpecStopsCreatingOnly) {
  SimulatedWorld sim;
  ASSERT_TRUE(sim.Create("a"));
  const auto broken = ClassOf(R"({"size": 3})");
  EXPECT_EQ(Code(sim.Create("b", broken)), CloudCode::kInvalidArgument);
  EXPECT_FALSE(sim.controller->cloud.Validate(*broken));
  EXPECT_TRUE(sim.Run(sim.controller->cloud.Remove(broken, MachineNamed("a"))));
  EXPECT_THAT(sim.engine.Present(), IsEmpty());
}

TEST(SimulatedCloud, TheSameSeedGivesTheSameHistory) {
  std::vector<std::vector<std::string>> runs(2);
  for (auto& run : runs) {
    SimulatedWorld sim;
    sim.engine.faults().Add({.probability = 0.5, .code = CloudCode::kUnavailable});
    for (int i = 0; i < 50; ++i) (void)sim.Create(std::to_string(i));
    for (const auto& event : sim.engine.history()) run.push_back(ToString(event));
  }
  EXPECT_EQ(runs[0], runs[1]);
}

}  // namespace
}  // namespace millwright::providers
