#include "providers/simulated/node_life.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "providers/simulated/testing.h"

namespace millwright::providers {
namespace {

using std::chrono::seconds;
using testing::ClassOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MachineNamed;
using testing::SimulatedWorld;

// Writes down what it is asked, with the second; fails as often as it is told to.
class RecordingJoiner final : public NodeJoiner {
 public:
  explicit RecordingJoiner(Clock& clock) : clock_(clock) {}

  Task<Result<void>> Join(Node node) override {
    last = node;
    return Note("join " + node.name);
  }
  Task<Result<void>> SetReady(std::string name, bool ready, std::string) override {
    return Note((ready ? "ready " : "silent ") + name);
  }

  std::vector<std::string> notes;
  Node last;
  int failures = 0;
  Duration takes{};

 private:
  Task<Result<void>> Note(std::string what) {
    if (takes > Duration{}) co_await SleepFor(clock_, takes);
    const auto now = clock_.Elapsed().time_since_epoch();
    notes.push_back(fmt::format("{} {}", std::chrono::duration_cast<seconds>(now).count(), what));
    if (failures-- > 0) co_return Fail(ErrorKind::kUnavailable, "not now");
    co_return Ok();
  }

  Clock& clock_;
};

struct Joining : SimulatedWorld {
  explicit Joining(EngineOptions options = {.boot = seconds(10)})
      : SimulatedWorld(std::move(options)),
        joiner(clock),
        life(engine, joiner, clock, process.executor()),
        tasks(process.executor()) {
    tasks.Spawn([this] { return life.Run(); });
    world.Settle();
  }
  ~Joining() {
    tasks.Cancel();
    world.Settle();
  }

  RecordingJoiner joiner;
  NodeLife life;
  TaskGroup tasks;
};

TEST(NodeLife, TheNodeJoinsAfterTheBootEvenWithoutAController) {
  Joining sim;
  const auto made =
      sim.Create("a", ClassOf(R"({"capacity": {"cpu": "4"}, "labels": {"disk": "fast"}})"));
  sim.controller.reset();
  sim.world.Advance(seconds(9));
  EXPECT_EQ(sim.engine.Find(made->id)->state, VmState::kBooting);
  EXPECT_THAT(sim.joiner.notes, IsEmpty());
  sim.world.Advance(seconds(1));
  EXPECT_EQ(sim.engine.Find(made->id)->state, VmState::kRunning);
  EXPECT_THAT(sim.joiner.notes, ElementsAre("10 join a"));
  EXPECT_EQ(sim.joiner.last.provider_id, made->id);
  EXPECT_EQ(sim.joiner.last.capacity.at("cpu"), "4");
  EXPECT_EQ(sim.joiner.last.labels.at("disk"), "fast");
}

TEST(NodeLife, TheClassMaySayHowLongABootTakes) {
  Joining sim;
  ASSERT_TRUE(sim.Create("a", ClassOf(R"({"bootSeconds": 3})")));
  sim.world.Advance(seconds(60));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("3 join a"));
}

TEST(NodeLife, TheNodeOfARemovedVmFallsSilent) {
  Joining sim;
  ASSERT_TRUE(sim.Create("a"));
  sim.world.Advance(seconds(20));
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("10 join a", "60 silent a"));
}

TEST(NodeLife, AVmThatGoesBeforeItBootedHasNoNode) {
  Joining sim;
  ASSERT_TRUE(sim.Create("a"));
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, IsEmpty());
}

TEST(NodeLife, AVmThatGoesWhileItJoinsFallsSilentAfterwards) {
  Joining sim;
  sim.joiner.takes = seconds(5);
  ASSERT_TRUE(sim.Create("a"));
  sim.world.Advance(seconds(12));
  ASSERT_TRUE(sim.Remove(MachineNamed("a")));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("15 join a", "57 silent a"));
}

TEST(NodeLife, ANewVmOfTheSameNameKeepsItsNode) {
  Joining sim;
  const auto made = sim.Create("a");
  sim.world.Advance(seconds(10));
  ASSERT_TRUE(sim.engine.Destroy(made->id));
  ASSERT_TRUE(sim.Create("a"));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("10 join a", "20 join a"));
}

TEST(NodeLife, OfTwinsTheFirstHasTheNode) {
  Joining sim;
  const auto made = sim.Create("a");
  ASSERT_TRUE(sim.engine.Duplicate(made->id));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("10 join a"));
  EXPECT_EQ(sim.joiner.last.provider_id, made->id);
}

TEST(NodeLife, JoiningIsTriedAgain) {
  Joining sim;
  sim.joiner.failures = 2;
  ASSERT_TRUE(sim.Create("a"));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("10 join a", "15 join a", "20 join a"));
}

TEST(NodeLife, ANodeMayBeLateOrNeverCome) {
  Joining sim;
  sim.engine.faults().Add(
      {.kind = CallKind::kJoin, .machine = "dead", .code = core::CloudCode::kInternal});
  sim.engine.faults().Add({.kind = CallKind::kJoin, .machine = "late", .delay = seconds(30)});
  ASSERT_TRUE(sim.Create("dead"));
  ASSERT_TRUE(sim.Create("late"));
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("40 join late"));
}

TEST(NodeLife, AHaltedVmIsMissedAndComesBack) {
  Joining sim;
  const auto made = sim.Create("a");
  sim.world.Advance(seconds(10));
  ASSERT_TRUE(sim.engine.Halt(made->id));
  sim.world.Advance(seconds(50));
  ASSERT_TRUE(sim.engine.Resume(made->id));
  sim.world.Advance(seconds(50));
  ASSERT_TRUE(sim.engine.Halt(made->id));
  sim.world.Advance(seconds(10));
  ASSERT_TRUE(sim.engine.Resume(made->id)) << "before anybody missed it";
  sim.world.Advance(seconds(100));
  EXPECT_THAT(sim.joiner.notes, ElementsAre("10 join a", "50 silent a", "60 ready a"));
}

TEST(NodeLife, TenThousandMachinesComeAndGo) {
  Joining sim;
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(sim.Create(std::to_string(i)));
  sim.world.Advance(seconds(10));
  EXPECT_EQ(sim.joiner.notes.size(), 10000u);
  EXPECT_EQ(sim.List()->size(), 10000u);
  for (int i = 0; i < 10000; ++i) ASSERT_TRUE(sim.Remove(MachineNamed(std::to_string(i))));
  sim.world.Advance(seconds(60));
  EXPECT_EQ(sim.joiner.notes.size(), 20000u);
  EXPECT_THAT(sim.engine.Present(), IsEmpty());
  EXPECT_THAT(DoubledMachines(sim.engine.history()), IsEmpty());
}

}  // namespace
}  // namespace millwright::providers
