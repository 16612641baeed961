#include "kube/informer/write_guard.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

namespace millwright::kube {
namespace {

const ObjectKey kA{"ns", "a"};
const ObjectKey kB{"ns", "b"};

ResourceVersion V(int number) { return ResourceVersion(std::to_string(number)); }

TEST(WriteGuardTest, HoldsOnlyTheObjectThatWasWritten) {
  WriteGuard guard;
  EXPECT_FALSE(guard.IsBehind(kA));
  guard.Expect(kA, V(9));
  EXPECT_TRUE(guard.IsBehind(kA));
  EXPECT_FALSE(guard.IsBehind(kB));
  EXPECT_FALSE(guard.IsBehind({"other", "a"}));
}

TEST(WriteGuardTest, TheWriteItselfReleasesAndSoDoesWhatCameAfterIt) {
  for (const int seen : {9, 10, 100}) {
    WriteGuard guard;
    guard.Expect(kA, V(9));
    guard.Seen(kA, V(8));
    EXPECT_TRUE(guard.IsBehind(kA));
    guard.Seen(kA, V(seen));
    EXPECT_FALSE(guard.IsBehind(kA)) << seen;
  }
}

TEST(WriteGuardTest, LaterNewsOfAnotherObjectReleaseToo) {
  WriteGuard guard;
  guard.Expect(kA, V(9));
  guard.Seen(kB, V(8));
  EXPECT_TRUE(guard.IsBehind(kA));
  guard.Seen(kB, V(10));
  EXPECT_FALSE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, AListOrBookmarkBeyondTheWriteReleases) {
  WriteGuard guard;
  guard.Expect(kA, V(9));
  guard.SeenAll(V(8));
  EXPECT_TRUE(guard.IsBehind(kA));
  guard.SeenAll(V(9));
  EXPECT_FALSE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, AnAnswerSlowerThanTheWatchHoldsNothing) {
  WriteGuard guard;
  guard.Seen(kA, V(9));
  guard.Expect(kA, V(9));
  EXPECT_FALSE(guard.IsBehind(kA));
  guard.Expect(kA, V(10));
  EXPECT_TRUE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, OldNewsDoNotTakeItBack) {
  WriteGuard guard;
  guard.SeenAll(V(20));
  guard.SeenAll(V(5));
  guard.Seen(kA, V(6));
  guard.Expect(kA, V(15));
  EXPECT_FALSE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, OfTwoWritesTheLaterCountsInWhateverOrderTheirAnswersCome) {
  WriteGuard guard;
  guard.Expect(kA, V(9));
  guard.Expect(kA, V(8));
  guard.Seen(kA, V(8));
  EXPECT_TRUE(guard.IsBehind(kA));
  guard.Seen(kA, V(9));
  EXPECT_FALSE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, NumbersAreComparedAsNumbers) {
  WriteGuard guard;
  guard.Expect(kA, V(100));
  guard.Seen(kA, V(99));
  EXPECT_TRUE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, AVersionThatIsNoNumberIsSeenWhenItIsTheSame) {
  WriteGuard guard;
  guard.Expect(kA, ResourceVersion("abc"));
  guard.Seen(kA, ResourceVersion("abd"));
  EXPECT_TRUE(guard.IsBehind(kA));
  guard.Seen(kA, ResourceVersion("abc"));
  EXPECT_FALSE(guard.IsBehind(kA));
}

TEST(WriteGuardTest, WithoutAVersionThereIsNothingToWaitFor) {
  WriteGuard guard;
  guard.SeenAll(V(5));
  guard.Expect(kA, {});
  EXPECT_FALSE(guard.IsBehind(kA));
}

// Against the plain statement of the rule: behind while the newest version seen is below the newest
// written to the object. (Versions are the server's, so one order for all objects.)
RC_GTEST_PROP(WriteGuardProperty, IsBehindUntilTheNewestWriteWasSeen, ()) {
  WriteGuard guard;
  int newest = 0;
  std::map<int, int> written;
  const auto steps = *rc::gen::container<std::vector<std::tuple<int, int, int>>>(
      rc::gen::tuple(rc::gen::inRange(0, 3), rc::gen::inRange(0, 3), rc::gen::inRange(1, 40)));
  for (const auto& [what, object, version] : steps) {
    const ObjectKey key{"ns", std::to_string(object)};
    if (what == 0) {
      guard.Expect(key, V(version));
      written[object] = std::max(written[object], version);
    } else {
      if (what == 1) guard.Seen(key, V(version));
      if (what == 2) guard.SeenAll(V(version));
      newest = std::max(newest, version);
    }
    for (const auto& [number, last] : written) {
      RC_ASSERT(guard.IsBehind({"ns", std::to_string(number)}) == (newest < last));
    }
  }
}

}  // namespace
}  // namespace millwright::kube
