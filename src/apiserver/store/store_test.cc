#include "apiserver/store/store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/store/memory_disk.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using Lines = std::vector<std::string>;

// Notes the answer when it comes.
Task<void> Note(Task<Result<Change>> write, Lines& answers) {
  const Result<Change> outcome = co_await std::move(write);
  answers.push_back(Describe(outcome));
}

Task<void> NoteClosed(Store& store, Lines& answers) {
  co_await store.Close();
  answers.emplace_back("closed");
}

class StoreTest : public testing::Test {
 protected:
  // Starts a write and does not wait for it.
  void Start(VirtualStore& store, Task<Result<Change>> write) {
    auto shared = std::make_shared<Task<Result<Change>>>(std::move(write));
    store.tasks().Spawn([this, shared] { return Note(std::move(*shared), answers_); });
  }

  Lines Answers() { return std::exchange(answers_, {}); }

  VirtualWorld world_;
  Platter platter_{"cluster"};
  Lines answers_;
};

CommitFate TenMilliseconds(std::uint64_t /*number*/) { return {.until_landed = 10ms}; }

TEST_F(StoreTest, AnObjectKnowsItsRevisionsAndVersion) {
  VirtualStore store(world_, platter_);
  EXPECT_EQ(store->revision(), 1);
  EXPECT_EQ(store.Create("/a", "1")->revision(), 2);
  EXPECT_EQ(store.Create("/b", "1")->revision(), 3);
  EXPECT_EQ(store.Update("/a", 2, "2")->revision(), 4);
  const RecordPtr a = store->Get("/a");
  EXPECT_EQ(a->value, "2");
  EXPECT_EQ(a->create_revision, 2);
  EXPECT_EQ(a->mod_revision, 4);
  EXPECT_EQ(a->version, 2);
  EXPECT_EQ(store.Delete("/a", 4)->revision(), 5);
  EXPECT_EQ(store->Get("/a"), nullptr);
  EXPECT_EQ(store->revision(), 5);
}

TEST_F(StoreTest, TheTextIsMadeWithItsRevision) {
  VirtualStore store(world_, platter_);
  const auto written = *RunTask(store.process(), store->Create("/a", [](Revision revision) {
    return "rv" + std::to_string(revision);
  }));
  EXPECT_EQ(written->record->value, "rv2");
}

TEST_F(StoreTest, AWriteIsVisibleOnceItIsDurable) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  Watcher watcher = *store->Watch("/", 1);
  Start(store, store->Create("/a", Fixed("1")));
  world_.Advance(9ms);
  EXPECT_EQ(store->Get("/a"), nullptr);
  EXPECT_EQ(store->revision(), 1);
  EXPECT_THAT(ReadAll(watcher), ElementsAre());
  EXPECT_THAT(Answers(), ElementsAre());
  world_.Advance(1ms);
  EXPECT_NE(store->Get("/a"), nullptr);
  EXPECT_THAT(ReadAll(watcher), ElementsAre("create /a 2"));
  EXPECT_THAT(Answers(), ElementsAre("create /a 2"));
}

TEST_F(StoreTest, WritesOfTheSameMomentShareACommit) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  for (const char* key : {"/a", "/b", "/c"}) Start(store, store->Create(key, Fixed("1")));
  world_.Advance(10ms);
  EXPECT_THAT(Answers(), ElementsAre("create /a 2", "create /b 3", "create /c 4"));
  EXPECT_EQ(store.commits(), 1u);
}

TEST_F(StoreTest, WritesDuringACommitShareTheNext) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  Start(store, store->Create("/a", Fixed("1")));
  world_.Advance(1ms);
  Start(store, store->Create("/b", Fixed("1")));
  Start(store, store->Update("/a", 2, Fixed("2")));
  world_.Advance(9ms);
  EXPECT_THAT(Answers(), ElementsAre("create /a 2"));
  world_.Advance(10ms);
  EXPECT_THAT(Answers(), ElementsAre("create /b 3", "update /a 4"));
  EXPECT_EQ(store.commits(), 2u);
}

TEST_F(StoreTest, ARefusalWaitsForWhatItIsBasedOn) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  Start(store, store->Create("/a", Fixed("first")));
  Start(store, store->Create("/a", Fixed("second")));
  world_.Advance(9ms);
  // An early refusal would send the second writer into reading an object that is not there yet.
  EXPECT_THAT(Answers(), ElementsAre());
  world_.Advance(1ms);
  EXPECT_THAT(Answers(), ElementsAre("create /a 2", "already exists"));
  EXPECT_EQ(store->Get("/a")->value, "first");
}

TEST_F(StoreTest, ARefusalCostsNoCommit) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  EXPECT_EQ(Describe(store.Update("/a", 1, "1")), "not found");
  EXPECT_EQ(world_.Elapsed().time_since_epoch(), 0ms);
  EXPECT_EQ(store.commits(), 0u);
}

TEST_F(StoreTest, AFailedCommitLeavesEverythingAsItWas) {
  bool full = false;
  VirtualStore store(world_, platter_, [&](std::uint64_t) {
    CommitFate fate{.until_landed = 10ms};
    if (full) fate.error = Error(ErrorKind::kUnavailable, "disk full: make room");
    return fate;
  });
  ASSERT_TRUE(store.Create("/a", "1"));
  Watcher watcher = *store->Watch("/", 2);

  full = true;
  Start(store, store->Update("/a", 2, Fixed("lost")));
  Start(store, store->Create("/b", Fixed("lost")));
  Start(store, store->Create("/b", Fixed("refused because of what is lost")));
  world_.Advance(5ms);
  full = false;
  Start(store, store->Update("/a", 2, Fixed("2")));
  world_.Advance(5ms);
  EXPECT_THAT(Answers(), ElementsAre("unavailable", "unavailable", "unavailable"));
  EXPECT_EQ(store->Get("/a")->value, "1");
  EXPECT_EQ(store->Get("/b"), nullptr);
  EXPECT_EQ(store->revision(), 2);
  EXPECT_EQ(store->stats().failed_commits, 1u);

  // What queued meanwhile was not part of it and goes its own way.
  world_.Advance(10ms);
  EXPECT_THAT(Answers(), ElementsAre("update /a 3"));
  EXPECT_THAT(ReadAll(watcher), ElementsAre("update /a 3"));
}

TEST_F(StoreTest, AFailureSaysWhatTheDiskSaid) {
  VirtualStore store(world_, platter_, [](std::uint64_t) {
    return CommitFate{.error = Error(ErrorKind::kUnavailable, "disk full: make room")};
  });
  EXPECT_EQ(store.Create("/a", "1").error().message(), "disk full: make room");
}

TEST_F(StoreTest, ALargeQueueIsCommittedInParts) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  for (int i = 0; i < 1500; ++i) {
    Start(store, store->Create("/" + std::to_string(i), Fixed("1")));
  }
  world_.Advance(20ms);
  EXPECT_EQ(Answers().size(), 1500u);
  EXPECT_EQ(store.commits(), 2u);
}

TEST_F(StoreTest, CloseWaitsForTheWritesUnderWayAndTakesNoMore) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  Start(store, store->Create("/a", Fixed("1")));
  world_.Settle();
  store.tasks().Spawn([&] { return NoteClosed(*store, answers_); });
  world_.Settle();
  Start(store, store->Create("/b", Fixed("1")));
  world_.Advance(20ms);
  EXPECT_THAT(Answers(), ElementsAre("unavailable", "create /a 2", "closed"));
}

TEST_F(StoreTest, AWriteUnderWayCannotBeCancelled) {
  VirtualStore store(world_, platter_, TenMilliseconds);
  Start(store, store->Create("/a", Fixed("1")));
  world_.Settle();
  store.tasks().Cancel();
  world_.Advance(10ms);
  EXPECT_THAT(Answers(), ElementsAre("create /a 2"));
}

TEST_F(StoreTest, ARestartFindsObjectsHistoryAndIdentity) {
  {
    VirtualStore store(world_, platter_);
    ASSERT_TRUE(store.Create("/a", "1"));
    ASSERT_TRUE(store.Create("/b", "1"));
    ASSERT_TRUE(store.Update("/a", 2, "2"));
    ASSERT_TRUE(store.Delete("/b"));
  }
  VirtualStore store(world_, platter_);
  EXPECT_EQ(store->cluster_id(), "cluster");
  EXPECT_EQ(store->revision(), 5);
  EXPECT_EQ(store->Get("/a")->version, 2);
  Watcher watcher = *store->Watch("/", 2);
  EXPECT_THAT(ReadAll(watcher), ElementsAre("create /b 3", "update /a 4", "delete /b 5"));
  EXPECT_EQ(store->List({.scope = "/", .revision = 3})->records.size(), 2u);
}

TEST_F(StoreTest, CompactionForgetsThePastAndKeepsTheRevision) {
  {
    VirtualStore store(world_, platter_);
    ASSERT_TRUE(store.Create("/a", "1"));
    ASSERT_TRUE(store.Update("/a", 2, "2"));
    ASSERT_TRUE(store.Delete("/a"));
    EXPECT_EQ(platter_.rows(), 3u);
    ASSERT_TRUE(store.Compact(3));
    EXPECT_EQ(platter_.rows(), 2u);
    EXPECT_EQ(store->Watch("/", 2).error().kind(), ErrorKind::kExpired);
    EXPECT_TRUE(store->Watch("/", 3));
    ASSERT_TRUE(store.Compact(4));
    EXPECT_EQ(platter_.rows(), 0u);
    ASSERT_TRUE(store.Compact(2));  // long done
    EXPECT_EQ(store.Compact(5).error().kind(), ErrorKind::kInvalid);
  }
  VirtualStore store(world_, platter_);
  EXPECT_EQ(store->revision(), 4);
  EXPECT_EQ(store->compacted(), 4);
  EXPECT_EQ(store.Create("/a", "1")->revision(), 5);
}

TEST_F(StoreTest, HistoryIsTrimmedAsWritesComeAndNeverByATimer) {
  VirtualStore store(world_, platter_, {}, {.max_age = 1min});
  ASSERT_TRUE(store.Create("/a", "1"));
  ASSERT_TRUE(store.Update("/a", 2, "2"));
  EXPECT_FALSE(world_.NextDeadline());
  world_.Advance(2min);
  EXPECT_EQ(store->compacted(), 1);
  ASSERT_TRUE(store.Update("/a", 3, "3"));
  EXPECT_EQ(store->compacted(), 3);
  EXPECT_EQ(platter_.rows(), 2u);
}

TEST_F(StoreTest, HistoryStaysNearItsLimit) {
  VirtualStore store(world_, platter_, {}, {.max_changes = 80});
  ASSERT_TRUE(store.Create("/a", "1"));
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(store.Update("/a", {}, "x"));
  EXPECT_GE(store->stats().history, 80u);
  EXPECT_LE(store->stats().history, 100u);
  EXPECT_LE(platter_.rows(), 101u);
}

TEST_F(StoreTest, InMemoryNothingWaitsForTimeToPass) {
  VirtualProcess process(world_);
  VirtualClock clock(process);
  MemoryDisk disk("cluster");
  const auto store = Store::Open(process.executor(), clock, disk).value();
  EXPECT_EQ(Describe(*RunTask(process, store->Create("/a", Fixed("1")))), "create /a 2");
  EXPECT_EQ(world_.Elapsed().time_since_epoch(), 0s);
  world_.Settle();
  const auto backup = *RunTask(process, store->Backup("/nowhere"));
  EXPECT_THAT(backup.error().message(), HasSubstr("data directory"));
}

}  // namespace
}  // namespace millwright::apiserver
