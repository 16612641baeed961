#include "base/virtual/world.h"

#include <gtest/gtest.h>

#include <string>

#include "base/signal.h"
#include "base/task_group.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;

// Counts itself, so that a test can see that every frame was destroyed.
struct Counted {
  explicit Counted(int& count) : count_(count) { ++count_; }
  ~Counted() { --count_; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  int& count_;
};

Task<void> SleepAndNote(Clock& clock, Duration duration, std::string name, std::string& trace) {
  co_await SleepFor(clock, duration);
  trace += name;
}

Task<int> AddAfter(Clock& clock, int a, int b) {
  co_await SleepFor(clock, 5s);
  co_return a + b;
}

Task<void> WaitForEver(Signal& signal, int& frames, Wake& seen) {
  const Counted counted(frames);
  seen = co_await signal.Wait();
}

class WorldTest : public testing::Test {
 protected:
  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
};

TEST_F(WorldTest, TimePassesOnlyWhenAsked) {
  TaskGroup group(process_.executor());
  std::string trace;
  group.Spawn([&] { return SleepAndNote(clock_, 2s, "b", trace); });
  group.Spawn([&] { return SleepAndNote(clock_, 1s, "a", trace); });
  world_.Settle();
  EXPECT_EQ(trace, "");
  world_.Advance(1s);
  EXPECT_EQ(trace, "a");
  world_.Advance(999ms);
  EXPECT_EQ(trace, "a");
  world_.Advance(1ms);
  EXPECT_EQ(trace, "ab");
  EXPECT_EQ(world_.Elapsed().time_since_epoch(), 2s);
}

TEST_F(WorldTest, RunTaskGoesThroughTimeToTheAnswer) {
  EXPECT_EQ(RunTask(process_, AddAfter(clock_, 2, 3)), 5);
  EXPECT_EQ(world_.Now(), VirtualWorld::kStart + 5s);
}

TEST_F(WorldTest, CancelEndsAWaitAsAValue) {
  Signal signal(process_.executor());
  TaskGroup group(process_.executor());
  int frames = 0;
  Wake seen = Wake::kDone;
  group.Spawn([&] { return WaitForEver(signal, frames, seen); });
  world_.Settle();
  EXPECT_EQ(frames, 1);
  group.Cancel();
  world_.Settle();
  EXPECT_EQ(frames, 0);
  EXPECT_EQ(seen, Wake::kCancelled);
  EXPECT_EQ(group.size(), 0u);
}

TEST_F(WorldTest, ATaskCancelledBeforeItsFirstStepNeverRuns) {
  TaskGroup group(process_.executor());
  std::string trace;
  group.Spawn([&] { return SleepAndNote(clock_, 0s, "x", trace); });
  group.Cancel();
  world_.Advance(1s);
  EXPECT_EQ(trace, "");
  EXPECT_EQ(group.size(), 0u);
}

Task<void> CleanUpAfterCancel(Clock& clock, std::string& trace) {
  const Wake first = co_await SleepFor(clock, 1h);
  if (first == Wake::kCancelled) trace += "cancelled ";
  const Wake second = co_await SleepFor(clock, 1s);
  if (second == Wake::kCancelled) trace += "still ";
  co_await IgnoreCancellation();
  const Wake third = co_await SleepFor(clock, 1s);
  if (third == Wake::kTimeout) trace += "cleaned";
}

TEST_F(WorldTest, CleanUpMayWaitAfterIgnoringTheCancellation) {
  TaskGroup group(process_.executor());
  std::string trace;
  group.Spawn([&] { return CleanUpAfterCancel(clock_, trace); });
  world_.Settle();
  group.Cancel();
  world_.Advance(5s);
  EXPECT_EQ(trace, "cancelled still cleaned");
}

Task<void> JoinGroup(TaskGroup& inner, std::string& trace) {
  co_await inner.Join();
  trace += "joined";
}

TEST_F(WorldTest, JoinWaitsForChildrenEvenWhenCancelled) {
  TaskGroup inner(process_.executor());
  TaskGroup outer(process_.executor());
  std::string trace;
  inner.Spawn([&] { return SleepAndNote(clock_, 3s, "child ", trace); });
  outer.Spawn([&] { return JoinGroup(inner, trace); });
  world_.Settle();
  outer.Cancel();
  world_.Advance(1s);
  EXPECT_EQ(trace, "");
  world_.Advance(2s);
  EXPECT_EQ(trace, "child joined");
}

TEST_F(WorldTest, WaitUntilTimesOutOnce) {
  Signal signal(process_.executor());
  EXPECT_EQ(RunTask(process_, signal.WaitUntil(clock_, clock_.Elapsed() + 2s)), Wake::kTimeout);
  EXPECT_FALSE(world_.NextDeadline().has_value());
}

// The root frame owns all of a process, as in production; children refer to it.
Task<void> ProcessMain(Executor executor, Clock& clock, int& frames, std::string& trace) {
  const Counted counted(frames);
  TaskGroup group(executor);
  Signal never(executor);
  Wake seen{};
  group.Spawn([&] { return WaitForEver(never, frames, seen); });
  group.Spawn([&] { return SleepAndNote(clock, 10s, "survived", trace); });
  co_await group.Join();
}

TEST(VirtualProcessTest, ACrashDestroysEveryFrameAndNothingOfItRunsLater) {
  VirtualWorld world;
  int frames = 0;
  std::string trace;
  {
    VirtualProcess process(world);
    VirtualClock clock(process);
    boost::asio::co_spawn(process.executor(), ProcessMain(process.executor(), clock, frames, trace),
                          [](const std::exception_ptr&) {});
    world.Advance(5s);
    EXPECT_EQ(frames, 2);
  }
  EXPECT_EQ(frames, 0);
  world.Advance(1min);
  EXPECT_EQ(trace, "");
}

std::string TraceOf(std::uint64_t seed) {
  SeededRandom order(seed);
  VirtualWorld world(order);
  VirtualProcess process(world);
  VirtualClock clock(process);
  TaskGroup group(process.executor());
  std::string trace;
  for (char name = 'a'; name <= 'p'; ++name) {
    group.Spawn([&, name] { return SleepAndNote(clock, 1s, std::string(1, name), trace); });
  }
  world.Advance(1s);
  return trace;
}

TEST(VirtualWorldTest, ASeedIsAnInterleaving) {
  EXPECT_EQ(TraceOf(7), TraceOf(7));
  EXPECT_NE(TraceOf(7), TraceOf(8));
}

}  // namespace
}  // namespace millwright
