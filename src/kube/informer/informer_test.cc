#include "kube/informer/informer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/task_group.h"
#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct Thing {
  Meta meta;
  std::string color;

  friend bool operator==(const Thing&, const Thing&) = default;
};

Result<Thing> DecodeThing(JsonObject object) {
  Thing thing;
  CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
    if (key == "metadata") return ReadInto(value, thing.meta);
    if (key == "color") return ReadInto(value, thing.color);
    return {};
  }));
  if (thing.color == "throw") throw std::logic_error("a bug");
  return thing;
}

std::string Object(const std::string& name, int version, const std::string& color) {
  return R"({"metadata":{"name":")" + name + R"(","resourceVersion":")" + std::to_string(version) +
         R"("},"color":)" + color + "}";
}

std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

std::string End(int version) {
  return Event("BOOKMARK", R"({"metadata":{"resourceVersion":")" + std::to_string(version) +
                               R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
}

const std::string kExpired = Event(
    "ERROR",
    R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","message":"","code":410})");

class InformerTest : public testing::Test {
 protected:
  InformerTest() {
    informer_.OnChange([this](const Thing* before, const Thing* after) {
      trace_.push_back((before != nullptr ? before->color : "-") + ">" +
                       (after != nullptr ? after->color : "-"));
    });
    stream_ = http_.Stream("sendInitialEvents");
    tasks_.Spawn([this] { return informer_.Run(); });
    world_.Settle();
  }
  ~InformerTest() override {
    tasks_.Cancel();
    world_.Settle();
  }

  std::vector<std::string> After(const std::string& bytes) {
    stream_->Push(bytes);
    world_.Settle();
    return std::exchange(trace_, {});
  }

  std::vector<std::string> AfterRelist(const std::string& bytes) {
    auto next = http_.Stream("sendInitialEvents");
    stream_->Push(kExpired);
    world_.Advance(1s);
    stream_ = next;
    return After(bytes);
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  SeededRandom random_{1};
  net::ScriptedHttp http_{process_.executor()};
  Client client_{http_, "test"};
  Informer<Thing> informer_{process_.executor(),
                            client_,
                            clock_,
                            random_,
                            Logger(),
                            {.resource = {"example.com", "v1", "things"}},
                            DecodeThing};
  std::shared_ptr<net::ScriptedStream> stream_;
  std::vector<std::string> trace_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(InformerTest, IsSyncedOnlyAfterAWholeState) {
  After(Event("ADDED", Object("a", 1, R"("red")")));
  EXPECT_FALSE(informer_.synced());
  After(End(2));
  EXPECT_TRUE(informer_.synced());
}

TEST_F(InformerTest, TellsOfCreationChangeAndEnd) {
  EXPECT_THAT(After(Event("ADDED", Object("a", 1, R"("red")")) + End(2)), ElementsAre("->red"));
  EXPECT_THAT(After(Event("MODIFIED", Object("a", 3, R"("blue")"))), ElementsAre("red>blue"));
  EXPECT_THAT(After(Event("DELETED", Object("a", 4, R"("blue")"))), ElementsAre("blue>-"));
  EXPECT_EQ(informer_.store().size(), 0u);
}

TEST_F(InformerTest, AHeartbeatThatChangesNothingIsNotAChange) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + End(2));
  EXPECT_THAT(After(Event("MODIFIED", Object("a", 3, R"("red")"))), IsEmpty());
  EXPECT_EQ(informer_.store().Find({"", "a"})->meta.resource_version.str(), "3");
}

TEST_F(InformerTest, ARelistYieldsOnlyTrueDifferences) {
  After(Event("ADDED", Object("same", 1, R"("red")")) +
        Event("ADDED", Object("old", 2, R"("tan")")) +
        Event("ADDED", Object("other", 3, R"("sky")")) + End(4));
  EXPECT_THAT(AfterRelist(Event("ADDED", Object("same", 1, R"("red")")) +
                          Event("ADDED", Object("other", 8, R"("sea")")) +
                          Event("ADDED", Object("new", 9, R"("pink")")) + End(10)),
              ElementsAre("sky>sea", "->pink", "tan>-"));
}

TEST_F(InformerTest, WhatGoesWhileARelistIsUnderWayStaysGone) {
  After(Event("ADDED", Object("old", 1, R"("red")")) + End(2));
  EXPECT_THAT(AfterRelist(Event("ADDED", Object("old", 1, R"("red")")) +
                          Event("ADDED", Object("new", 8, R"("pink")")) +
                          Event("ADDED", Object("bad", 9, "7")) +
                          Event("DELETED", Object("old", 10, R"("red")")) +
                          Event("DELETED", Object("new", 11, R"("pink")")) +
                          Event("DELETED", Object("bad", 12, "7")) + End(13)),
              ElementsAre("red>-"));
  EXPECT_EQ(informer_.store().size(), 0u);
  EXPECT_TRUE(informer_.store().broken().empty());
}

TEST_F(InformerTest, TheLastThatARelistTellsOfAnObjectHolds) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + End(2));
  EXPECT_THAT(AfterRelist(Event("ADDED", Object("a", 8, R"("blue")")) +
                          Event("ADDED", Object("b", 9, "7")) +
                          Event("MODIFIED", Object("a", 10, R"("red")")) +
                          Event("MODIFIED", Object("b", 11, R"("tan")")) + End(12)),
              ElementsAre("->tan"));
  EXPECT_TRUE(informer_.store().broken().empty());
}

TEST_F(InformerTest, AListThatTurnsOutToBeOldTakesNothingBack) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + Event("ADDED", Object("bad", 2, R"("tan")")) +
        End(2));
  EXPECT_THAT(After(Event("MODIFIED", Object("a", 10, R"("blue")")) +
                    Event("ADDED", Object("new", 11, R"("pink")")) +
                    Event("DELETED", Object("bad", 12, R"("tan")"))),
              ElementsAre("red>blue", "->pink", "tan>-"));
  // A server that has not yet heard of any of this.
  EXPECT_THAT(AfterRelist(Event("ADDED", Object("a", 1, R"("red")")) +
                          Event("ADDED", Object("bad", 2, "7")) + End(2)),
              IsEmpty());
  EXPECT_EQ(informer_.store().Find({"", "a"})->color, "blue");
  EXPECT_TRUE(informer_.store().broken().empty());
  // It is asked again, until it knows what we know.
  auto again = http_.Stream("sendInitialEvents");
  world_.Advance(1s);
  stream_ = again;
  EXPECT_THAT(After(Event("ADDED", Object("a", 10, R"("blue")")) +
                    Event("ADDED", Object("new", 13, R"("sky")")) + End(13)),
              ElementsAre("pink>sky"));
}

// Such as after etcd was restored from a backup: what happened since then has not happened.
TEST_F(InformerTest, AServerThatStaysBehindIsFollowedAfterAWhile) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + End(2));
  After(Event("MODIFIED", Object("a", 10, R"("blue")")) +
        Event("ADDED", Object("new", 11, R"("pink")")));
  informer_.guard().Expect({"", "a"}, ResourceVersion("12"));
  const std::string restored = Event("ADDED", Object("a", 1, R"("red")")) + End(2);
  EXPECT_THAT(AfterRelist(restored), IsEmpty());
  const SteadyTime began = clock_.Elapsed();
  while (trace_.empty() && clock_.Elapsed() < began + 10min) {
    auto again = http_.Stream("sendInitialEvents");
    while (!again->is_open()) world_.Advance(1s);
    again->Push(restored);
    stream_ = again;
    world_.Settle();
  }
  EXPECT_THAT(trace_, ElementsAre("blue>red", "pink>-"));
  EXPECT_GE(clock_.Elapsed(), began + 5min);
  EXPECT_FALSE(informer_.guard().IsBehind({"", "a"}));
  trace_.clear();
  EXPECT_THAT(After(Event("MODIFIED", Object("a", 3, R"("sky")"))), ElementsAre("red>sky"));
}

TEST_F(InformerTest, AnEmptyCacheIsNotTakenBackEither) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + End(2));
  EXPECT_THAT(After(Event("DELETED", Object("a", 10, R"("red")"))), ElementsAre("red>-"));
  EXPECT_THAT(AfterRelist(Event("ADDED", Object("a", 1, R"("red")")) + End(2)), IsEmpty());
}

TEST_F(InformerTest, AListCutHalfWayCountsAsSeen) {
  EXPECT_THAT(After(Event("ADDED", Object("a", 20, R"("red")"))), ElementsAre("->red"));
  const auto next = [&] {
    auto stream = http_.Stream("sendInitialEvents");
    stream_->End();
    world_.Advance(1s);
    stream_ = stream;
  };
  next();
  EXPECT_THAT(After(Event("ADDED", Object("b", 8, R"("tan")")) + End(19)), IsEmpty());
  EXPECT_FALSE(informer_.synced());
  next();
  EXPECT_THAT(After(Event("ADDED", Object("a", 20, R"("red")")) + End(21)), IsEmpty());
  EXPECT_TRUE(informer_.synced());
}

TEST_F(InformerTest, ALateEventIsNoChange) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + End(2));
  After(Event("MODIFIED", Object("a", 10, R"("blue")")));
  EXPECT_THAT(After(Event("MODIFIED", Object("a", 9, R"("tan")")) +
                    Event("DELETED", Object("a", 8, R"("tan")"))),
              IsEmpty());
  EXPECT_EQ(informer_.store().Find({"", "a"})->color, "blue");
}

TEST_F(InformerTest, AnObjectThatCannotBeReadStopsOnlyItself) {
  std::vector<std::string> broken;
  informer_.OnBroken([&](const Unreadable& object) {
    broken.push_back(object.meta.key.name + " " + object.reason);
  });
  EXPECT_THAT(After(Event("ADDED", Object("bad", 1, "7")) +
                    Event("ADDED", Object("good", 2, R"("red")")) + End(3)),
              ElementsAre("->red"));
  EXPECT_THAT(broken, ElementsAre("bad color: is not text"));
  EXPECT_TRUE(informer_.store().broken().contains({"", "bad"}));
  EXPECT_THAT(After(Event("MODIFIED", Object("bad", 4, R"("fine")"))), ElementsAre("->fine"));
  EXPECT_TRUE(informer_.store().broken().empty());
}

TEST_F(InformerTest, AnObjectThatCannotBeReadIsKnownToItsOwnerUntilItGoes) {
  std::vector<std::string> told;
  informer_.OnBroken([&](const Unreadable& object) {
    const bool there = informer_.store().broken().contains(object.meta.key);
    told.push_back(object.owner_name + (there ? " has it" : " had it"));
  });
  const std::string meta =
      R"({"metadata":{"name":"a","resourceVersion":"3","ownerReferences":[)"
      R"({"name":"other","uid":"u1"},{"name":"set","uid":"u2","controller":true}]},"color":)";
  After(Event("ADDED", meta + R"("red"})") + End(4));
  EXPECT_EQ(informer_.store().FindBroken(Uid("u2")), nullptr);
  EXPECT_THAT(After(Event("MODIFIED", meta + "7}")), IsEmpty());
  ASSERT_NE(informer_.store().FindBroken(Uid("u2")), nullptr);
  EXPECT_EQ(informer_.store().FindBroken(Uid("u2"))->reason, "color: is not text");
  EXPECT_EQ(informer_.store().FindBroken(Uid("u1")), nullptr);
  EXPECT_THAT(After(Event("DELETED", meta + "7}")), IsEmpty());
  EXPECT_EQ(informer_.store().FindBroken(Uid("u2")), nullptr);
  EXPECT_THAT(told, ElementsAre("set has it", "set had it"));
}

TEST_F(InformerTest, ABugInADecoderOrListenerCostsNobodyElseAnything) {
  std::vector<std::string> seen;
  informer_.OnChange([](const Thing*, const Thing*) { throw 7; });
  informer_.OnChange([&](const Thing*, const Thing* after) { seen.push_back(after->color); });
  EXPECT_THAT(After(Event("ADDED", Object("a", 1, R"("throw")")) +
                    Event("ADDED", Object("b", 2, R"("red")")) + End(3)),
              ElementsAre("->red"));
  EXPECT_TRUE(informer_.store().broken().contains({"", "a"}));
  EXPECT_THAT(seen, ElementsAre("red"));
}

TEST_F(InformerTest, AnIndexFollowsChanges) {
  const auto& by_color = informer_.AddIndex(
      [](const Thing& thing, std::vector<Text>& keys) { keys.emplace_back(thing.color); });
  After(Event("ADDED", Object("a", 1, R"("red")")) + Event("ADDED", Object("b", 2, R"("red")")) +
        End(3));
  EXPECT_EQ(by_color.Find("red").size(), 2u);
  After(Event("MODIFIED", Object("a", 4, R"("blue")")));
  ASSERT_EQ(by_color.Find("red").size(), 1u);
  EXPECT_EQ(by_color.Find("red").front()->meta.key.name, "b");
  EXPECT_EQ(by_color.Find("blue").size(), 1u);
  After(Event("DELETED", Object("b", 5, R"("red")")));
  EXPECT_TRUE(by_color.Find("red").empty());
}

TEST_F(InformerTest, OurOwnWriteHoldsDecisionsUntilItIsSeen) {
  After(Event("ADDED", Object("a", 1, R"("red")")) + End(2));
  informer_.guard().Expect({"", "a"}, ResourceVersion("9"));
  EXPECT_TRUE(informer_.guard().IsBehind({"", "a"}));
  After(Event("MODIFIED", Object("a", 8, R"("tan")")));
  EXPECT_TRUE(informer_.guard().IsBehind({"", "a"}));
  After(Event("MODIFIED", Object("a", 9, R"("blue")")));
  EXPECT_FALSE(informer_.guard().IsBehind({"", "a"}));
}

TEST_F(InformerTest, AWatchThatIsFasterThanTheAnswerHoldsNothing) {
  After(End(2));
  After(Event("ADDED", Object("a", 9, R"("red")")));
  informer_.guard().Expect({"", "a"}, ResourceVersion("9"));
  EXPECT_FALSE(informer_.guard().IsBehind({"", "a"}));
}

TEST_F(InformerTest, ABookmarkBeyondOurWriteReleasesToo) {
  After(End(2));
  informer_.guard().Expect({"", "gone-meanwhile"}, ResourceVersion("9"));
  After(Event("BOOKMARK", R"({"metadata":{"resourceVersion":"12"}})"));
  EXPECT_FALSE(informer_.guard().IsBehind({"", "gone-meanwhile"}));
}

}  // namespace
}  // namespace millwright::kube
