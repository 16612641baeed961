#include "kube/events/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/log_capture.h"
#include "base/task_group.h"
#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

EventNote Note(const std::string& reason, const std::string& message) {
  EventNote note;
  note.about = {"v1", "Machine", {"ns", "m"}, Uid("u")};
  note.reason = reason;
  note.message = message;
  return note;
}

EventWrite SomeWrite() {
  return {.create = true,
          .name = "m.1",
          .note = Note("Created", "made it"),
          .count = 1,
          .first = VirtualWorld::kStart,
          .last = VirtualWorld::kStart + 1500ms};
}

RecorderOptions Options(EventsApi api) {
  return {.component = "millwright", .instance = "pod-1", .api = api};
}

boost::json::value Json(std::string_view text) { return boost::json::parse(text); }

TEST(EventBodyTest, OfCore) {
  EXPECT_EQ(Json(EventBody(SomeWrite(), Options(EventsApi::kCore))), Json(R"({
    "apiVersion":"v1","kind":"Event","metadata":{"name":"m.1","namespace":"ns"},
    "type":"Normal","reason":"Created","message":"made it",
    "involvedObject":{"apiVersion":"v1","kind":"Machine","name":"m","namespace":"ns","uid":"u"},
    "source":{"component":"millwright"},"count":1,
    "firstTimestamp":"2026-01-01T00:00:00Z","lastTimestamp":"2026-01-01T00:00:01Z",
    "reportingComponent":"millwright","reportingInstance":"pod-1"})"));
}

TEST(EventBodyTest, OfEventsK8sIo) {
  EventWrite write = SomeWrite();
  write.note.severity = EventSeverity::kWarning;
  write.note.action = "Create";
  EXPECT_EQ(Json(EventBody(write, Options(EventsApi::kEventsK8sIo))), Json(R"({
    "apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"m.1","namespace":"ns"},
    "type":"Warning","reason":"Created","note":"made it","action":"Create",
    "regarding":{"apiVersion":"v1","kind":"Machine","name":"m","namespace":"ns","uid":"u"},
    "eventTime":"2026-01-01T00:00:00.000000Z",
    "reportingController":"millwright","reportingInstance":"pod-1"})"));
}

TEST(EventBodyTest, EventsK8sIoInsistsOnAnAction) {
  EXPECT_EQ(Json(EventBody(SomeWrite(), Options(EventsApi::kEventsK8sIo))).at("action"), "Created");
}

TEST(EventBodyTest, WhatIsOfTheClusterIsToldInTheDefaultNamespace) {
  EventWrite write = SomeWrite();
  write.note.about = {"v1", "Node", {"", "n"}, {}};
  const auto body = Json(EventBody(write, Options(EventsApi::kCore)));
  EXPECT_EQ(body.at("metadata").at("namespace"), "default");
  EXPECT_EQ(body.at("involvedObject"), Json(R"({"apiVersion":"v1","kind":"Node","name":"n"})"));
}

TEST(EventCountPatchTest, RaisesTheCountOfEachApi) {
  EventWrite write = SomeWrite();
  write.count = 3;
  EXPECT_EQ(Json(EventCountPatch(write, Options(EventsApi::kCore))),
            Json(R"({"count":3,"lastTimestamp":"2026-01-01T00:00:01Z","message":"made it"})"));
  EXPECT_EQ(Json(EventCountPatch(write, Options(EventsApi::kEventsK8sIo))),
            Json(R"({"series":{"count":3,"lastObservedTime":"2026-01-01T00:00:01.500000Z"}})"));
}

class RecorderTest : public testing::Test {
 protected:
  ~RecorderTest() override {
    Stop();
    EXPECT_THAT(http_.mismatches(), IsEmpty());
    EXPECT_TRUE(http_.exhausted());
  }

  void Start(RecorderOptions options = {}) {
    options.component = "millwright";
    recorder_.emplace(process_.executor(), client_, clock_, log_.For("events"), options);
    tasks_.Spawn([this] { return recorder_->Run(); });
    world_.Settle();
  }

  void Stop() {
    tasks_.Cancel();
    world_.Settle();
    EXPECT_EQ(tasks_.size(), 0u);
  }

  void Say(const std::string& reason, const std::string& message = "x") {
    recorder_->Record(Note(reason, message));
    world_.Settle();
  }

  void Answers(int count, const std::string& request, int status) {
    for (int i = 0; i < count; ++i) http_.Answer(request, status, "{}");
  }

  boost::json::value Body(std::size_t request) { return Json(http_.requests().at(request).body); }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  CapturingSink sink_;
  Log log_{sink_, clock_, LogLevels()};
  net::ScriptedHttp http_{process_.executor()};
  Client client_{http_, "test"};
  std::optional<Recorder> recorder_;
  TaskGroup tasks_{process_.executor()};
};

TEST_F(RecorderTest, TheSameAgainIsAPatchOfTheFirst) {
  http_.Answer("POST /api/v1/namespaces/ns/events", 201, "{}");
  http_.Answer("PATCH /api/v1/namespaces/ns/events/m.", 200, "{}");
  Start();
  Say("Created");
  Say("Created");
  ASSERT_THAT(http_.requests(), SizeIs(2));
  EXPECT_THAT(http_.requests()[1].target,
              StartsWith("/api/v1/namespaces/ns/events/" +
                         std::string(Body(0).at("metadata").at("name").as_string())));
  EXPECT_EQ(http_.requests()[1].headers.Find("Content-Type"), "application/merge-patch+json");
  EXPECT_EQ(Body(1).at("count"), 2);
  EXPECT_EQ(recorder_->dropped(), 0u);
}

TEST_F(RecorderTest, SpeaksTheNewerApiIfAsked) {
  http_.Answer("POST /apis/events.k8s.io/v1/namespaces/ns/events", 201, "{}");
  http_.Answer("PATCH /apis/events.k8s.io/v1/namespaces/ns/events/m.", 200, "{}");
  Start({.api = EventsApi::kEventsK8sIo});
  Say("Created");
  Say("Created");
  EXPECT_EQ(Body(1).at("series").at("count"), 2);
}

TEST_F(RecorderTest, ManySimilarOnesBecomeOne) {
  Answers(11, "POST", 201);
  Answers(1, "PATCH", 200);
  Start();
  for (int i = 0; i < 12; ++i) Say("Failed", "try " + std::to_string(i));
  EXPECT_EQ(Body(10).at("message"), "(combined from similar events): try 10");
  EXPECT_EQ(Body(11).at("message"), "(combined from similar events): try 11");
  EXPECT_EQ(Body(11).at("count"), 2);
}

TEST_F(RecorderTest, AnObjectThatNeverStopsIsCutOff) {
  Answers(25, "POST", 201);
  Start();
  for (int i = 0; i < 30; ++i) Say("R" + std::to_string(i));
  EXPECT_EQ(recorder_->dropped(), 5u);
  Answers(1, "POST", 201);
  world_.Advance(5min + 1s);
  Say("Later");
  EXPECT_EQ(recorder_->dropped(), 5u);
}

TEST_F(RecorderTest, AFullQueueDropsWhatComes) {
  Start({.queue_limit = 2});
  Answers(2, "POST", 201);
  for (int i = 0; i < 5; ++i) recorder_->Record(Note("R" + std::to_string(i), "x"));
  world_.Settle();
  EXPECT_EQ(recorder_->dropped(), 3u);
}

TEST_F(RecorderTest, AnEventWhoseTimeWasUpIsCreatedAnew) {
  http_.Answer("POST", 201, "{}");
  http_.Answer("PATCH", 404, "");
  http_.Answer("POST", 201, "{}");
  http_.Answer("POST", 201, "{}");
  Start();
  Say("Created");
  Say("Created");
  EXPECT_EQ(Body(2).at("count"), 1);
  world_.Advance(1s);
  Say("Created");
  EXPECT_EQ(recorder_->dropped(), 0u);
}

TEST_F(RecorderTest, IsTriedThreeTimesAndThenDropped) {
  for (int i = 0; i < 3; ++i) http_.Answer("POST", Error(ErrorKind::kUnavailable, "down"));
  Start();
  Say("Created");
  world_.Advance(9s);
  EXPECT_THAT(http_.log(), SizeIs(1));
  world_.Advance(1s);
  EXPECT_THAT(http_.log(), SizeIs(2));
  EXPECT_EQ(recorder_->dropped(), 0u);
  world_.Advance(10s);
  EXPECT_THAT(http_.log(), SizeIs(3));
  EXPECT_EQ(recorder_->dropped(), 1u);
  EXPECT_EQ(sink_.Count("event dropped"), 1u);
}

TEST_F(RecorderTest, TheServersHintIsObeyed) {
  http_.Answer("POST", 429, "", {{"Retry-After", "60"}});
  http_.Answer("POST", 201, "{}");
  Start();
  Say("Created");
  world_.Advance(59s);
  EXPECT_THAT(http_.log(), SizeIs(1));
  world_.Advance(1s);
  EXPECT_EQ(recorder_->dropped(), 0u);
}

TEST_F(RecorderTest, AnAnswerThatWasLostIsNotAFailure) {
  http_.Answer("POST", Error(ErrorKind::kInDoubt, "lost"));
  http_.Answer("POST", 409, R"({"kind":"Status","apiVersion":"v1","reason":"AlreadyExists"})");
  Start();
  Say("Created");
  world_.Advance(10s);
  EXPECT_EQ(recorder_->dropped(), 0u);
  EXPECT_THAT(sink_.lines(), IsEmpty());
}

TEST_F(RecorderTest, WhatIsRefusedIsNotTriedAgain) {
  http_.Answer("POST", 403, "");
  Start();
  Say("Created");
  world_.Advance(1h);
  EXPECT_EQ(recorder_->dropped(), 1u);
  ASSERT_THAT(sink_.lines(), SizeIs(1));
  EXPECT_THAT(sink_.lines()[0], HasSubstr("Created"));
}

TEST_F(RecorderTest, StoppingWritesWhatIsQueued) {
  http_.Answer("POST", 503, "");
  Start();
  Say("A");
  Say("B");
  Say("C");
  // A waits for its second try; all three get one more.
  Answers(3, "POST", 201);
  Stop();
  ASSERT_THAT(http_.requests(), SizeIs(4));
  EXPECT_EQ(Body(1).at("reason"), "A");
  EXPECT_EQ(Body(3).at("reason"), "C");
  EXPECT_EQ(recorder_->dropped(), 0u);
}

TEST_F(RecorderTest, StoppingDoesNotWaitForAServerThatIsDown) {
  http_.Answer("POST", 503, "");
  http_.Answer("POST", Error(ErrorKind::kUnavailable, "down"));
  Start();
  for (int i = 0; i < 20; ++i) Say("R" + std::to_string(i));
  Stop();
  EXPECT_THAT(http_.requests(), SizeIs(2));
  EXPECT_EQ(recorder_->dropped(), 20u);
}

TEST_F(RecorderTest, StoppingPassesOverWhatIsRefused) {
  http_.Answer("POST", 503, "");
  http_.Answer("POST", 403, "");
  http_.Answer("POST", 201, "{}");
  Start();
  Say("A");
  Say("B");
  Stop();
  EXPECT_EQ(recorder_->dropped(), 1u);
}

}  // namespace
}  // namespace millwright::kube
