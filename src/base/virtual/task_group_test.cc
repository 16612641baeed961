#include "base/task_group.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "base/virtual/world.h"

namespace millwright {
namespace {

using namespace std::chrono_literals;

class TaskGroupTest : public testing::Test {
 protected:
  static Task<void> Note(std::string& trace, std::string text) {
    trace += text;
    co_return;
  }

  static Task<void> NoteWhenCancelled(std::string& trace, std::string text) {
    co_await UntilCancelled();
    trace += text;
  }

  static Task<void> Throw() {
    throw std::logic_error("a bug");
    co_return;
  }

  static Task<void> JoinAndNote(TaskGroup& group, std::string& trace) {
    co_await group.Join();
    trace += "joined";
  }

  // A child that starts another while it is being cancelled.
  Task<void> SpawnWhenCancelled(TaskGroup& group) {
    co_await UntilCancelled();
    group.Spawn([this] { return Note(trace_, "late"); });
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  std::string trace_;
};

TEST_F(TaskGroupTest, JoinWaitsForAllAndAnEmptyGroupForNobody) {
  TaskGroup group(process_.executor());
  TaskGroup outer(process_.executor());
  outer.Spawn([&] { return JoinAndNote(group, trace_); });
  world_.Settle();
  EXPECT_EQ(trace_, "joined");
  trace_.clear();

  group.Spawn([this] { return NoteWhenCancelled(trace_, "a "); });
  group.Spawn([this] { return NoteWhenCancelled(trace_, "b "); });
  outer.Spawn([&] { return JoinAndNote(group, trace_); });
  world_.Settle();
  EXPECT_EQ(group.size(), 2u);
  EXPECT_EQ(trace_, "");
  group.Cancel();
  world_.Settle();
  EXPECT_EQ(trace_, "a b joined");
}

TEST_F(TaskGroupTest, WhatIsSpawnedAfterCancelNeverRuns) {
  TaskGroup group(process_.executor());
  group.Cancel();
  group.Spawn([this] { return Note(trace_, "x"); });
  world_.Settle();
  EXPECT_EQ(trace_, "");
  EXPECT_EQ(group.size(), 0u);
}

TEST_F(TaskGroupTest, JoinAlsoWaitsForWhatItsChildrenStarted) {
  TaskGroup group(process_.executor());
  TaskGroup outer(process_.executor());
  group.Spawn([&] { return SpawnWhenCancelled(group); });
  outer.Spawn([&] { return JoinAndNote(group, trace_); });
  world_.Settle();
  group.Cancel();
  world_.Settle();
  EXPECT_EQ(trace_, "joined");
  EXPECT_EQ(group.size(), 0u);
}

TEST_F(TaskGroupTest, AnExceptionLeavesTheLoopAndTheGroupIsSound) {
  TaskGroup group(process_.executor());
  group.Spawn(Throw);
  EXPECT_THROW(world_.Settle(), std::logic_error);
  EXPECT_EQ(group.size(), 0u);
  group.Spawn([this] { return Note(trace_, "still works"); });
  world_.Settle();
  EXPECT_EQ(trace_, "still works");
}

}  // namespace
}  // namespace millwright
