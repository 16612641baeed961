#include "apiserver/store/watcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using Lines = std::vector<std::string>;

class WatcherTest : public testing::Test {
 protected:
  // Follows a scope for ever; "cancelled" or "expired" is the last line.
  static Task<void> Follow(Watcher watcher, Lines& lines) {
    while (true) {
      const auto change = co_await watcher.Next();
      lines.push_back(Describe(change));
      if (!change) co_return;
    }
  }

  void Start(Lines& follower, const std::string& scope, Revision after) {
    store_.tasks().Spawn([this, &follower, scope, after] {
      return Follow(store_->Watch(scope, after).value(), follower);
    });
    world_.Settle();
  }

  static Task<void> WaitOnce(Watcher& watcher, std::optional<Wake>& why) {
    why = co_await watcher.Wait();
  }

  VirtualWorld world_;
  Platter platter_{"cluster"};
  VirtualStore store_{world_, platter_, {}, {.max_changes = 8}};
};

TEST_F(WatcherTest, PastThenPresentWithoutGapOrRepeat) {
  ASSERT_TRUE(store_.Create("/p/a", "1"));
  ASSERT_TRUE(store_.Create("/p/b", "1"));
  Lines follower;
  Start(follower, "/p/", 2);
  EXPECT_THAT(follower, ElementsAre("create /p/b 3"));
  ASSERT_TRUE(store_.Update("/p/a", 2, "2"));
  ASSERT_TRUE(store_.Delete("/p/b"));
  world_.Settle();
  EXPECT_THAT(follower, ElementsAre("create /p/b 3", "update /p/a 4", "delete /p/b 5"));
}

TEST_F(WatcherTest, AChangeCarriesBothVersions) {
  ASSERT_TRUE(store_.Create("/a", "1"));
  Watcher watcher = *store_->Watch("/a", 2);
  ASSERT_TRUE(store_.Update("/a", 2, "2"));
  const Change change = **watcher.TryNext();
  EXPECT_EQ(change.record->value, "2");
  EXPECT_EQ(change.previous->value, "1");
  EXPECT_EQ(change.record, store_->Get("/a")) << "shared, not copied";
}

TEST_F(WatcherTest, EachScopeSeesItsOwn) {
  Lines all;
  Lines pods;
  Lines in_namespace;
  Lines one;
  Start(all, "", 1);
  Start(pods, "/pods/", 1);
  Start(in_namespace, "/pods/ns1/", 1);
  Start(one, "/pods/ns1/a", 1);
  for (const char* key : {"/pods/ns1/a", "/pods/ns1/ab", "/pods/ns2/a", "/nodes/a"}) {
    ASSERT_TRUE(store_.Create(key, "1"));
  }
  world_.Settle();
  EXPECT_EQ(all.size(), 4u);
  EXPECT_THAT(pods,
              ElementsAre("create /pods/ns1/a 2", "create /pods/ns1/ab 3", "create /pods/ns2/a 4"));
  EXPECT_THAT(in_namespace, ElementsAre("create /pods/ns1/a 2", "create /pods/ns1/ab 3"));
  EXPECT_THAT(one, ElementsAre("create /pods/ns1/a 2"));
}

TEST_F(WatcherTest, AWatcherOfAnotherResourceIsNotWoken) {
  Watcher idle = *store_->Watch("/nodes/", 1);
  std::optional<Wake> why;
  store_.tasks().Spawn([&] { return WaitOnce(idle, why); });
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(store_.Create("/pods/" + std::to_string(i), "1"));
  world_.Settle();
  EXPECT_FALSE(why);
  ASSERT_TRUE(store_.Create("/nodes/a", "1"));
  world_.Settle();
  EXPECT_EQ(why, Wake::kDone);
  // It was long behind in revisions, and yet nothing of its own was lost.
  EXPECT_THAT(ReadAll(idle), ElementsAre("create /nodes/a 102"));
}

TEST_F(WatcherTest, TheRevisionForABookmarkMovesWithOtherResources) {
  Watcher watcher = *store_->Watch("/nodes/", 1);
  ASSERT_TRUE(store_.Create("/pods/a", "1"));
  EXPECT_EQ(watcher.revision(), 1);
  EXPECT_THAT(ReadAll(watcher), ElementsAre());
  EXPECT_EQ(watcher.revision(), 2);
  ASSERT_TRUE(store_.Create("/nodes/a", "1"));
  ASSERT_TRUE(store_.Create("/nodes/b", "1"));
  ASSERT_TRUE(*watcher.TryNext());
  EXPECT_EQ(watcher.revision(), 3) << "what is not read yet must not be promised";
}

TEST_F(WatcherTest, OneThatFallsBehindIsToldSo) {
  Watcher slow = *store_->Watch("/p/", 1);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(store_.Create("/p/" + std::to_string(i), "1"));
  EXPECT_THAT(ReadAll(slow), ElementsAre("expired"));
  EXPECT_THAT(ReadAll(slow), ElementsAre("expired"));
}

TEST_F(WatcherTest, OneThatIsCompactedAwayInTheMiddleIsToldSo) {
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(store_.Create("/p/" + std::to_string(i), "1"));
  Watcher watcher = *store_->Watch("/p/", 1);
  ASSERT_TRUE(*watcher.TryNext());
  ASSERT_TRUE(store_.Compact(4));
  EXPECT_THAT(ReadAll(watcher), ElementsAre("expired"));
  Watcher fresh = *store_->Watch("/p/", 4);
  EXPECT_THAT(ReadAll(fresh), ElementsAre("create /p/3 5"));
}

TEST_F(WatcherTest, StartsOutsideTheHistoryAreExpired) {
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(store_.Create("/p/" + std::to_string(i), "1"));
  ASSERT_TRUE(store_.Compact(3));
  EXPECT_EQ(store_->Watch("/p/", 2).error().kind(), ErrorKind::kExpired);
  EXPECT_TRUE(store_->Watch("/p/", 3));
  EXPECT_TRUE(store_->Watch("/p/", 5));
  EXPECT_EQ(store_->Watch("/p/", 6).error().kind(), ErrorKind::kExpired);
}

TEST_F(WatcherTest, ALaterWatcherMayStartEarlier) {
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(store_.Create("/p/" + std::to_string(i), "1"));
  Watcher late = *store_->Watch("/p/", 4);
  Watcher early = *store_->Watch("/p/", 2);
  EXPECT_THAT(ReadAll(late), ElementsAre("create /p/3 5"));
  EXPECT_THAT(ReadAll(early), ElementsAre("create /p/1 3", "create /p/2 4", "create /p/3 5"));
}

TEST_F(WatcherTest, WaitingEndsAtTheDeadlineOrWhenCancelled) {
  Watcher watcher = *store_->Watch("/p/", 1);
  EXPECT_EQ(
      *RunTask(store_.process(), watcher.WaitUntil(store_.clock(), store_.clock().Elapsed() + 5s)),
      Wake::kTimeout);
  Lines follower;
  Start(follower, "/p/", 1);
  store_.tasks().Cancel();
  world_.Settle();
  EXPECT_THAT(follower, ElementsAre("cancelled"));
}

TEST_F(WatcherTest, ScopesNobodyWatchesAreForgotten) {
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(store_->Watch("/p/" + std::to_string(i), 1));
  }
  EXPECT_LE(store_->stats().channels, 64u);
}

}  // namespace
}  // namespace millwright::apiserver
