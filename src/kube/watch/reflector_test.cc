#include "kube/watch/reflector.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/task_group.h"
#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// Writes down what it is told.
class Notes : public ReflectorSink {
 public:
  void BeginList() override { lines.emplace_back("begin"); }
  void EndList(const ResourceVersion& version) override { lines.push_back("end " + version.str()); }
  Result<ResourceVersion> Upsert(JsonObject object) override { return Note("put", object); }
  Result<ResourceVersion> Remove(JsonObject object) override { return Note("gone", object); }
  void Progress(const ResourceVersion& version) override {
    lines.push_back("progress " + version.str());
  }

  std::vector<std::string> Take() { return std::exchange(lines, {}); }

  std::vector<std::string> lines;

 private:
  Result<ResourceVersion> Note(std::string what, JsonObject object) {
    Meta meta;
    CHECK_OK(ForEachField(object, [&](std::string_view key, JsonValue value) -> Result<void> {
      return key == "metadata" ? ReadInto(value, meta) : Result<void>();
    }));
    lines.push_back(std::move(what) + " " + meta.key.name + "@" + meta.resource_version.str());
    return meta.resource_version;
  }
};

std::string Object(const std::string& name, int version) {
  return R"({"metadata":{"name":")" + name + R"(","resourceVersion":")" + std::to_string(version) +
         R"("}})";
}

std::string Event(const std::string& type, const std::string& object) {
  return R"({"type":")" + type + R"(","object":)" + object + "}\n";
}

std::string EndOfInitialEvents(int version) {
  return Event("BOOKMARK", R"({"kind":"Node","metadata":{"resourceVersion":")" +
                               std::to_string(version) +
                               R"(","annotations":{"k8s.io/initial-events-end":"true"}}})");
}

std::string BookmarkAt(int version) {
  return Event("BOOKMARK",
               R"({"metadata":{"resourceVersion":")" + std::to_string(version) + R"("}})");
}

std::string StatusBody(int code, const std::string& reason) {
  return R"({"kind":"Status","apiVersion":"v1","status":"Failure","reason":")" + reason +
         R"(","message":"no","code":)" + std::to_string(code) + "}";
}

class ReflectorTest : public testing::Test {
 protected:
  void Start(ReflectorOptions options = {}) {
    options.resource = {"", "v1", "nodes"};
    reflector_.emplace(client_, clock_, random_, Logger(), options, notes_);
    tasks_.Spawn([this] { return reflector_->Run(); });
    world_.Settle();
  }

  ~ReflectorTest() override {
    tasks_.Cancel();
    world_.Settle();
    EXPECT_THAT(http_.mismatches(), testing::IsEmpty());
  }

  std::shared_ptr<net::ScriptedStream> StartSynced() {
    auto stream = http_.Stream("sendInitialEvents=true");
    Start();
    stream->Push(Event("ADDED", Object("a", 5)) + EndOfInitialEvents(10));
    world_.Settle();
    EXPECT_THAT(notes_.Take(), ElementsAre("begin", "put a@5", "end 10"));
    return stream;
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  SeededRandom random_{1};
  net::ScriptedHttp http_{process_.executor()};
  Client client_{http_, "test"};
  Notes notes_;
  std::optional<Reflector> reflector_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(ReflectorTest, TakesTheStateAsEventsAndGoesOnWatching) {
  auto stream = StartSynced();
  stream->Push(Event("MODIFIED", Object("a", 11)) + Event("DELETED", Object("a", 12)));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("put a@11", "gone a@12"));
  EXPECT_EQ(reflector_->stats().lists, 1u);
}

TEST_F(ReflectorTest, EventsMayArriveInAnyPieces) {
  auto stream = StartSynced();
  const std::string events = Event("ADDED", Object("b", 11)) + Event("ADDED", Object("c", 12));
  for (const char byte : events) {
    stream->Push(std::string(1, byte));
    world_.Settle();
  }
  EXPECT_THAT(notes_.Take(), ElementsAre("put b@11", "put c@12"));
}

TEST_F(ReflectorTest, AnEndedWatchIsResumedWhereItStopped) {
  auto stream = StartSynced();
  stream->Push(Event("MODIFIED", Object("a", 11)));
  auto next = http_.Stream("resourceVersion=11");
  stream->End();
  world_.Advance(1s);
  next->Push(Event("MODIFIED", Object("a", 12)));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("put a@11", "put a@12"));
}

TEST_F(ReflectorTest, ABookmarkMovesThePlaceToResumeFrom) {
  auto stream = StartSynced();
  stream->Push(BookmarkAt(90));
  auto next = http_.Stream("resourceVersion=90");
  stream->Break(Error(ErrorKind::kUnavailable, "reset"));
  world_.Advance(1s);
  EXPECT_TRUE(next->is_open());
  EXPECT_THAT(notes_.Take(), ElementsAre("progress 90"));
}

TEST_F(ReflectorTest, ASilentWatchIsCutAndResumed) {
  auto stream = StartSynced();
  world_.Advance(74s);
  EXPECT_TRUE(stream->is_open());
  auto next = http_.Stream("resourceVersion=10");
  world_.Advance(2s);
  EXPECT_FALSE(stream->is_open());
  EXPECT_TRUE(next->is_open());
  EXPECT_EQ(reflector_->stats().stalls, 1u);
  EXPECT_EQ(reflector_->stats().lists, 1u);
}

TEST_F(ReflectorTest, AWatchThatFallsSilentTimeAndAgainIsResumedAtOnceEachTime) {
  auto stream = StartSynced();
  for (int i = 0; i < 8; ++i) {
    auto next = http_.Stream("resourceVersion=10");
    world_.Advance(75s);
    EXPECT_FALSE(stream->is_open());
    EXPECT_TRUE(next->is_open()) << i;
    stream = next;
  }
  EXPECT_EQ(reflector_->stats().stalls, 8u);
}

TEST_F(ReflectorTest, AQuietWatchThatEndsIsResumedAtOnceEachTime) {
  auto stream = StartSynced();
  for (int i = 0; i < 8; ++i) {
    auto next = http_.Stream("resourceVersion=10");
    world_.Advance(30s);
    stream->End();
    world_.Settle();
    EXPECT_TRUE(next->is_open()) << i;
    stream = next;
  }
}

// Such as an old API server, or a proxy that does not pass on parameters it does not know.
TEST_F(ReflectorTest, AServerThatIgnoresTheWishForAStateIsListed) {
  auto stream = http_.Stream("sendInitialEvents=true");
  Start();
  stream->Push(Event("ADDED", Object("a", 5)));
  http_.Answer("limit=500", 200,
               R"({"metadata":{"resourceVersion":"7"},"items":[)" + Object("a", 5) + "]}");
  auto next = http_.Stream("resourceVersion=7");
  world_.Advance(75s);
  EXPECT_THAT(notes_.Take(), ElementsAre("begin", "put a@5", "begin", "put a@5", "end 7"));
  EXPECT_TRUE(next->is_open());
}

TEST_F(ReflectorTest, AnythingThatComesKeepsTheWatchAlive) {
  auto stream = StartSynced();
  for (int i = 0; i < 5; ++i) {
    world_.Advance(60s);
    stream->Push(BookmarkAt(20 + i));
    world_.Settle();
  }
  EXPECT_TRUE(stream->is_open());
  EXPECT_EQ(reflector_->stats().stalls, 0u);
}

TEST_F(ReflectorTest, ForgottenByTheServerMeansAFreshList) {
  auto stream = StartSynced();
  auto fresh = http_.Stream("sendInitialEvents=true");
  stream->Push(Event("MODIFIED", Object("a", 11)) + Event("ERROR", StatusBody(410, "Expired")));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("put a@11", "begin"));
  fresh->Push(Event("ADDED", Object("b", 30)) + EndOfInitialEvents(31));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("put b@30", "end 31"));
}

TEST_F(ReflectorTest, WithoutWatchListItListsInPages) {
  http_.Answer("sendInitialEvents=true", 422, StatusBody(422, "Invalid"));
  http_.Answer(
      "GET /api/v1/nodes?limit=500", 200,
      R"({"metadata":{"resourceVersion":"7","continue":"next"},"items":[)" + Object("a", 3) + "]}");
  http_.Answer("continue=next", 200,
               R"({"metadata":{"resourceVersion":"7"},"items":[)" + Object("b", 4) + "]}");
  auto stream = http_.Stream("resourceVersion=7");
  Start();
  EXPECT_THAT(notes_.Take(), ElementsAre("begin", "begin", "put a@3", "put b@4", "end 7"));
  EXPECT_TRUE(stream->is_open());
}

TEST_F(ReflectorTest, AListOlderThanWhatWasSeenIsRefused) {
  auto stream = StartSynced();
  auto old = http_.Stream("sendInitialEvents=true");
  stream->Push(Event("ERROR", StatusBody(410, "Expired")));
  world_.Advance(1s);
  old->Push(EndOfInitialEvents(4));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("begin"));
  auto fresh = http_.Stream("sendInitialEvents=true");
  world_.Advance(1s);
  fresh->Push(EndOfInitialEvents(40));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("begin", "end 40"));
}

TEST_F(ReflectorTest, AnAnswerThatIsNoListIsNotAnEmptyOne) {
  auto stream = StartSynced();
  http_.Answer("sendInitialEvents=true", 422, StatusBody(422, "Invalid"));
  http_.Answer("limit=500", 200, R"({"error":"try the other door"})");
  stream->Push(Event("MODIFIED", Object("a", 11)) + Event("ERROR", StatusBody(410, "Expired")));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("put a@11", "begin", "begin"));
  http_.Answer("limit=500", 200, R"({"metadata":{"resourceVersion":"20"},"items":[]})");
  http_.Stream("resourceVersion=20");
  world_.Advance(1s);
  EXPECT_THAT(notes_.Take(), ElementsAre("begin", "end 20"));
}

TEST_F(ReflectorTest, AByteThatIsNoJsonCostsAListAndNotTheProcess) {
  auto stream = StartSynced();
  stream->Push(R"({"type":"ADDED","object":{"metadata":{"name":x}}})"
               "\n");
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre());
  auto fresh = http_.Stream("sendInitialEvents=true");
  world_.Advance(1s);
  fresh->Push(EndOfInitialEvents(20));
  world_.Settle();
  EXPECT_THAT(notes_.Take(), ElementsAre("begin", "end 20"));
}

TEST_F(ReflectorTest, AStateThatStopsHalfWayIsNotAState) {
  auto stream = http_.Stream("sendInitialEvents=true");
  Start();
  stream->Push(Event("ADDED", Object("a", 5)));
  auto again = http_.Stream("sendInitialEvents=true");
  stream->End();
  world_.Advance(1s);
  EXPECT_TRUE(again->is_open());
  EXPECT_THAT(notes_.Take(), ElementsAre("begin", "put a@5", "begin"));
}

TEST_F(ReflectorTest, AServerThatRefusesIsAskedLessAndLessOften) {
  for (int i = 0; i < 50; ++i) {
    http_.Answer("sendInitialEvents=true", 500, StatusBody(500, "InternalError"));
  }
  Start();
  world_.Advance(60s);
  // 100 ms doubling to 30 s, each with up to as much jitter again.
  EXPECT_GE(http_.log().size(), 8u);
  EXPECT_LE(http_.log().size(), 11u);
}

TEST_F(ReflectorTest, ADownServerIsFoundSoonAfterItIsBack) {
  for (int i = 0; i < 90; ++i) {
    http_.Answer("sendInitialEvents=true", Error(ErrorKind::kUnavailable, "connection refused"));
  }
  Start();
  world_.Advance(120s);
  // 100 ms doubling to 2 s, each with up to as much jitter again.
  const auto tries = http_.log().size();
  EXPECT_GE(tries, 30u);
  EXPECT_LE(tries, 64u);
}

TEST_F(ReflectorTest, AServerThatIsBackButNotReadyIsAskedAgainSoon) {
  auto stream = StartSynced();
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    http_.Answer("watch=true", Error(ErrorKind::kUnavailable, "connection refused"));
  }
  http_.Answer("watch=true", 403, StatusBody(403, "Forbidden"));
  auto next = http_.Stream("resourceVersion=10");
  stream->Break(Error(ErrorKind::kUnavailable, "reset"));
  while (http_.log().size() < kTries + 2) world_.Advance(100ms);
  world_.Advance(200ms);
  EXPECT_TRUE(next->is_open());
}

TEST_F(ReflectorTest, RetryAfterIsALowerBound) {
  http_.Answer("sendInitialEvents=true", 429, StatusBody(429, "TooManyRequests"),
               {{"Retry-After", "20"}});
  Start();
  world_.Advance(19s);
  EXPECT_EQ(http_.log().size(), 1u);
  auto stream = http_.Stream("sendInitialEvents=true");
  world_.Advance(2s);
  EXPECT_TRUE(stream->is_open());
}

struct PlanCase {
  const char* name;
  Result<void> outcome;
  AttemptFacts facts;
  NextAttempt want;
};

class PlanNextAttemptTest : public testing::TestWithParam<PlanCase> {};

TEST_P(PlanNextAttemptTest, SaysWhatToDo) {
  EXPECT_EQ(PlanNextAttempt(GetParam().outcome, GetParam().facts), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, PlanNextAttemptTest,
    testing::Values(PlanCase{"AnOrderlyEndIsResumedAtOnce", {}, {.saw_changes = true}, {}},
                    PlanCase{"AnEndWithoutAnyEventBacksOff", {}, {}, {.pause = Pause::kBackOff}},
                    PlanCase{"AQuietWatchThatLastedIsResumedAtOnce", {}, {.lasted = true}, {}},
                    PlanCase{"ASilentWatchIsResumedAtOnce", {}, {.stalled = true}, {}},
                    PlanCase{"ASilentWatchListIsNone",
                             {},
                             {.watch_list = true, .opened = true, .stalled = true},
                             {.without_watch_list = true}},
                    PlanCase{"AWatchListThatLastsWithoutAnEndIsNone",
                             Fail(ErrorKind::kUnavailable, ""),
                             {.watch_list = true, .opened = true, .lasted = true},
                             {.without_watch_list = true, .pause = Pause::kUntilReachable}},
                    PlanCase{"AWatchListCutShortIsAskedForOnceMore",
                             Fail(ErrorKind::kUnavailable, ""),
                             {.watch_list = true, .opened = true},
                             {.pause = Pause::kUntilReachable}},
                    PlanCase{"AWatchListCutShortTwiceIsNone",
                             Fail(ErrorKind::kUnavailable, ""),
                             {.watch_list = true, .opened = true, .again = true},
                             {.without_watch_list = true, .pause = Pause::kUntilReachable}},
                    PlanCase{"AServerThatIsDownMayHaveWatchList",
                             Fail(ErrorKind::kUnavailable, ""),
                             {.watch_list = true, .again = true},
                             {.pause = Pause::kUntilReachable}},
                    PlanCase{"ExpiredListsAtOnce",
                             Fail(ErrorKind::kExpired, ""),
                             {.resumed = true},
                             {.relist = true}},
                    PlanCase{"ExpiredRightAfterAListBacksOff",
                             Fail(ErrorKind::kExpired, ""),
                             {.resumed = false},
                             {.relist = true, .pause = Pause::kBackOff}},
                    PlanCase{"RefusedWatchListFallsBackToListsAtOnce",
                             Fail(ErrorKind::kInvalid, ""),
                             {.watch_list = true},
                             {.relist = true, .without_watch_list = true}},
                    PlanCase{"GarbageInTheStreamListsAfterAWhile",
                             Fail(ErrorKind::kInvalid, ""),
                             {.resumed = true},
                             {.relist = true, .pause = Pause::kBackOff}},
                    PlanCase{"AnUnreachableServerKeepsThePlace",
                             Fail(ErrorKind::kUnavailable, ""),
                             {.resumed = true},
                             {.pause = Pause::kUntilReachable}},
                    PlanCase{"ARefusalBacksOff",
                             Fail(ErrorKind::kPermission, ""),
                             {.resumed = true},
                             {.pause = Pause::kBackOff}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::kube
