#include "kube/client/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/virtual/world.h"
#include "kube/api/status.h"
#include "net/testing/scripted_http.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const GroupVersionResource kPods{"", "v1", "pods"};
const ObjectKey kPod{"ns", "p"};
const std::string kPodPath = "/api/v1/namespaces/ns/pods/p";

// As kube-apiserver writes it.
std::string StatusBody(int code, std::string_view reason, boost::json::object details = {}) {
  return boost::json::serialize(boost::json::value{{"kind", "Status"},
                                                   {"apiVersion", "v1"},
                                                   {"metadata", boost::json::object()},
                                                   {"status", "Failure"},
                                                   {"message", "what happened"},
                                                   {"reason", reason},
                                                   {"details", std::move(details)},
                                                   {"code", code}});
}

std::string PodNotFound() { return StatusBody(404, "NotFound", {{"name", "p"}, {"kind", "pods"}}); }

class ClientTest : public testing::Test {
 protected:
  ~ClientTest() override {
    EXPECT_THAT(http_.mismatches(), IsEmpty());
    EXPECT_TRUE(http_.exhausted());
  }

  template <class T>
  T Run(Task<T> task) {
    std::optional<T> outcome = RunTask(process_, std::move(task));
    if (!outcome) throw std::runtime_error("the client waits for ever");
    return *std::move(outcome);
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  net::ScriptedHttp http_{process_.executor()};
  Client client_{http_, "our-name"};
};

TEST_F(ClientTest, EveryVerbIsOneRequest) {
  const auto answer = [&](const char* line, int status = 200) { http_.Answer(line, status, "{}"); };
  answer("GET /api/v1/namespaces/ns/pods/p");
  answer("GET /api/v1/namespaces/ns/pods/p/status");
  answer("GET /api/v1/namespaces/ns/pods/p");
  answer("GET /api/v1/pods?limit=1");
  answer("POST /api/v1/namespaces/ns/pods?fieldManager=our-name", 201);
  answer("PUT /api/v1/namespaces/ns/pods/p?fieldManager=our-name");
  answer("PATCH /api/v1/namespaces/ns/pods/p?fieldManager=our-name");
  answer("PATCH /api/v1/namespaces/ns/pods/p?fieldManager=our-name&force=true", 201);
  answer("DELETE /api/v1/namespaces/ns/pods/p", 202);
  answer("DELETE /api/v1/pods?labelSelector=a");
  answer("POST /api/v1/namespaces/ns/pods/p/eviction", 201);
  answer("GET /readyz");

  EXPECT_TRUE(Run(client_.Get(kPods, kPod)));
  EXPECT_TRUE(Run(client_.Get(kPods, kPod, "status")));
  EXPECT_TRUE(*Run(client_.Find(kPods, kPod)));
  EXPECT_TRUE(Run(client_.List(kPods, {.limit = 1})));
  EXPECT_TRUE(Run(client_.Create(kPods, kPod, "BODY")));
  EXPECT_TRUE(Run(client_.Update(kPods, kPod, "BODY")));
  EXPECT_TRUE(Run(client_.Patch(kPods, kPod, PatchKind::kMerge, "PATCH")));
  EXPECT_TRUE(Run(client_.Apply(kPods, kPod, "APPLY", {.force = true})));
  EXPECT_TRUE(Run(client_.Delete(kPods, kPod)));
  EXPECT_TRUE(Run(client_.DeleteCollection(kPods, {.label_selector = "a"})));
  EXPECT_TRUE(Run(client_.Evict(kPod)));
  EXPECT_TRUE(Run(client_.GetPath("/readyz")));

  EXPECT_EQ(http_.requests()[4].body, "BODY");
  EXPECT_EQ(http_.requests()[6].body, "PATCH");
  EXPECT_EQ(http_.requests()[7].headers.Find("Content-Type"), "application/apply-patch+yaml");
}

TEST_F(ClientTest, AWriteMayGoUnderAnotherName) {
  http_.Answer("?fieldManager=other", 200, "{}");
  http_.Answer("?fieldManager=other", 200, "{}");
  EXPECT_TRUE(Run(client_.Update(kPods, kPod, "{}", {.field_manager = "other"})));
  EXPECT_TRUE(Run(client_.Apply(kPods, kPod, "{}", {.write = {.field_manager = "other"}})));
}

TEST_F(ClientTest, AnAnswerIsReadOnlyAsFarAsAsked) {
  http_.Answer("GET", 200, R"({"metadata":{"name":"p","resourceVersion":"7"},"spec":{"a":1}})");
  const auto document = Run(client_.Get(kPods, kPod));
  ASSERT_TRUE(document);
  EXPECT_EQ(document->ReadMeta()->resource_version, ResourceVersion("7"));
  EXPECT_EQ(document->Tree()->at("spec").at("a"), 1);
}

TEST_F(ClientTest, AnAnswerThatIsNoObjectFailsWhereItIsRead) {
  http_.Answer("GET", 200, "<html>");
  const auto document = Run(client_.Get(kPods, kPod));
  ASSERT_TRUE(document);
  EXPECT_EQ(document->ReadMeta().error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(document->Tree().error().kind(), ErrorKind::kInvalid);
}

TEST_F(ClientTest, FindTellsAMissingObjectFromAMissingKind) {
  http_.Answer("GET", 404, PodNotFound());
  http_.Answer("GET", 404, StatusBody(404, "NotFound"));
  http_.Answer("GET", 404, "404 page not found");
  const auto object = Run(client_.Find(kPods, kPod));
  ASSERT_TRUE(object);
  EXPECT_FALSE(*object);
  EXPECT_EQ(Run(client_.Find(kPods, kPod)).error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(Run(client_.Find(kPods, kPod)).error().kind(), ErrorKind::kNotFound);
}

TEST_F(ClientTest, DeletingWhatIsGoneIsSuccessButAMissingKindIsNot) {
  http_.Answer("DELETE", 404, PodNotFound());
  http_.Answer("DELETE", 404, StatusBody(404, "NotFound"));
  http_.Answer("DELETE", 409, StatusBody(409, "Conflict", {{"name", "p"}}));
  EXPECT_TRUE(Run(client_.Delete(kPods, kPod)));
  EXPECT_EQ(Run(client_.Delete(kPods, kPod)).error().kind(), ErrorKind::kNotFound);
  EXPECT_EQ(Run(client_.Delete(kPods, kPod, {.uid = Uid("another")})).error().kind(),
            ErrorKind::kConflict);
}

TEST_F(ClientTest, AnEvictionThatABudgetForbidsSaysWhichAndHowLong) {
  http_.Answer("POST", 404, PodNotFound());
  http_.Answer(
      "POST", 429,
      StatusBody(
          429, "TooManyRequests",
          {{"causes", {{{"reason", "DisruptionBudget"}, {"message", "budget web needs 2 pods"}}}}}),
      {{"Retry-After", "10"}});
  EXPECT_TRUE(Run(client_.Evict(kPod)));
  const auto refused = Run(client_.Evict(kPod));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind(), ErrorKind::kThrottled);
  EXPECT_EQ(refused.error().retry_after(), 10s);
  const auto* detail = refused.error().detail<StatusDetail>();
  ASSERT_NE(detail, nullptr);
  EXPECT_THAT(detail->status().details.causes,
              ElementsAre(StatusCause{"DisruptionBudget", "budget web needs 2 pods", ""}));
}

TEST_F(ClientTest, AnErrorSaysWhatWeDidButNotTheQuery) {
  http_.Answer("GET", 403, StatusBody(403, "Forbidden"));
  const auto list = Run(client_.List(kPods, {.label_selector = "secret=yes"}));
  ASSERT_FALSE(list);
  EXPECT_EQ(list.error().message(), "GET /api/v1/pods: what happened");
}

TEST_F(ClientTest, AllThatIsWrongWithAnObjectIsKept) {
  http_.Answer("PATCH", 422,
               StatusBody(422, "Invalid",
                          {{"name", "p"},
                           {"group", "x"},
                           {"causes",
                            {{{"reason", "FieldValueInvalid"},
                              {"message", "must be positive"},
                              {"field", "spec.replicas"}},
                             {{"reason", "FieldValueRequired"},
                              {"message", "is required"},
                              {"field", "spec.template"}}}}}));
  const auto patched = Run(client_.Patch(kPods, kPod, PatchKind::kMerge, "{}"));
  ASSERT_FALSE(patched);
  EXPECT_EQ(patched.error().kind(), ErrorKind::kInvalid);
  const auto* detail = patched.error().detail<StatusDetail>();
  ASSERT_NE(detail, nullptr);
  EXPECT_THAT(detail->status().details.causes,
              ElementsAre(StatusCause{"FieldValueInvalid", "must be positive", "spec.replicas"},
                          StatusCause{"FieldValueRequired", "is required", "spec.template"}));
}

struct RetryAfterCase {
  const char* name;
  net::Headers headers;
  int in_status;
  std::optional<std::chrono::seconds> want;
};

class RetryAfterTest : public ClientTest, public testing::WithParamInterface<RetryAfterCase> {};

TEST_P(RetryAfterTest, IsTheHeadersElseTheStatus) {
  http_.Answer("GET", 429,
               StatusBody(429, "TooManyRequests", {{"retryAfterSeconds", GetParam().in_status}}),
               GetParam().headers);
  const auto got = Run(client_.Get(kPods, kPod));
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().retry_after(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, RetryAfterTest,
    testing::Values(
        RetryAfterCase{"Neither", {}, 0, std::nullopt},
        RetryAfterCase{"Header", {{"retry-after", "3"}}, 0, 3s},
        RetryAfterCase{"Status", {}, 5, 5s},
        RetryAfterCase{"HeaderOverStatus", {{"Retry-After", "3"}}, 5, 3s},
        RetryAfterCase{"NegativeIsNone", {{"Retry-After", "-3"}}, 0, std::nullopt},
        RetryAfterCase{
            "ADateIsLeftToTheStatus", {{"Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"}}, 5, 5s},
        RetryAfterCase{"ADateCountsFromTheAnswersOwn",
                       {{"Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"},
                        {"Date", "Wed, 21 Oct 2026 07:27:00 GMT"}},
                       5,
                       60s},
        RetryAfterCase{"NobodyMeansCenturies", {{"Retry-After", "99999999999"}}, 0, 24h},
        RetryAfterCase{"NobodyMeansAWeek", {{"Retry-After", "604800"}}, 0, 24h}),
    [](const auto& test) { return std::string(test.param.name); });

// Whether a failed request may have had an effect. What may have had one is looked at again before
// anything else is done.
struct DoubtCase {
  const char* name;
  int status;
  const char* reason;  // empty: the answer is a proxy's page
  ErrorKind read;
  ErrorKind write;
};

class DoubtTest : public ClientTest, public testing::WithParamInterface<DoubtCase> {};

TEST_P(DoubtTest, AWriteThatMayHaveHappenedIsInDoubt) {
  const DoubtCase& test = GetParam();
  const std::string body =
      *test.reason == '\0' ? "<html>" : StatusBody(test.status, test.reason, {{"name", "p"}});
  for (int i = 0; i < 6; ++i) http_.Answer("", test.status, body, {{"Retry-After", "7"}});
  EXPECT_EQ(Run(client_.Get(kPods, kPod)).error().kind(), test.read);
  const Error error = Run(client_.Create(kPods, kPod, "{}")).error();
  EXPECT_EQ(error.kind(), test.write);
  EXPECT_EQ(error.retry_after(), 7s);
  ASSERT_NE(error.detail<StatusDetail>(), nullptr);
  EXPECT_EQ(error.detail<StatusDetail>()->status().code, test.status);
  EXPECT_THAT(error.message(), StartsWith("POST /api/v1/namespaces/ns/pods: "));
  EXPECT_EQ(Run(client_.Update(kPods, kPod, "{}")).error().kind(), test.write);
  EXPECT_EQ(Run(client_.Patch(kPods, kPod, PatchKind::kMerge, "{}")).error().kind(), test.write);
  EXPECT_EQ(Run(client_.Delete(kPods, kPod)).error().kind(), test.write);
  EXPECT_EQ(Run(client_.Evict(kPod)).error().kind(), test.write);
}

INSTANTIATE_TEST_SUITE_P(
    All, DoubtTest,
    testing::Values(
        // "etcdserver: request timed out" comes as this, among much else.
        DoubtCase{"InternalError", 500, "InternalError", ErrorKind::kUnavailable,
                  ErrorKind::kInDoubt},
        DoubtCase{"BadGateway", 502, "", ErrorKind::kUnavailable, ErrorKind::kInDoubt},
        DoubtCase{"GatewayTimeout", 504, "", ErrorKind::kInDoubt, ErrorKind::kInDoubt},
        DoubtCase{"Timeout", 504, "Timeout", ErrorKind::kInDoubt, ErrorKind::kInDoubt},
        DoubtCase{"OfSomeProxy", 520, "", ErrorKind::kUnavailable, ErrorKind::kInDoubt},
        // These say that nothing was begun.
        DoubtCase{"ServerTimeout", 500, "ServerTimeout", ErrorKind::kUnavailable,
                  ErrorKind::kUnavailable},
        DoubtCase{"ServiceUnavailable", 503, "ServiceUnavailable", ErrorKind::kUnavailable,
                  ErrorKind::kUnavailable},
        DoubtCase{"NoBackend", 503, "", ErrorKind::kUnavailable, ErrorKind::kUnavailable},
        DoubtCase{"RequestTimeout", 408, "", ErrorKind::kUnavailable, ErrorKind::kUnavailable},
        DoubtCase{"Throttled", 429, "TooManyRequests", ErrorKind::kThrottled,
                  ErrorKind::kThrottled},
        DoubtCase{"Conflict", 409, "Conflict", ErrorKind::kConflict, ErrorKind::kConflict},
        DoubtCase{"Unauthorized", 401, "Unauthorized", ErrorKind::kUnauthenticated,
                  ErrorKind::kUnauthenticated}),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(ClientTest, WhatTheTransportSaysIsPassedOn) {
  http_.Answer("POST", Error(ErrorKind::kInDoubt, "connection lost after the request was sent"));
  http_.Answer("GET", Error(ErrorKind::kUnavailable, "connection refused"));
  EXPECT_EQ(Run(client_.Create(kPods, kPod, "{}")).error().kind(), ErrorKind::kInDoubt);
  EXPECT_EQ(Run(client_.Find(kPods, kPod)).error().kind(), ErrorKind::kUnavailable);
}

TEST_F(ClientTest, AWatchIsHandedOutAsItComes) {
  auto stream = http_.Stream("GET /api/v1/pods?watch=true");
  auto reader = Run(client_.Watch(kPods, {}));
  ASSERT_TRUE(reader);
  stream->Push("one");
  stream->End();
  EXPECT_EQ(*Run((*reader)->Read()), "one");
  EXPECT_EQ(*Run((*reader)->Read()), "");
  reader->reset();
  EXPECT_FALSE(stream->is_open());
}

TEST_F(ClientTest, AWatchThatIsRefusedSaysWhy) {
  http_.Answer("GET", 410, StatusBody(410, "Expired"));
  http_.Answer("GET", 429, "", {{"Retry-After", "4"}});
  http_.Answer("GET", Error(ErrorKind::kUnavailable, "connection refused"));
  const auto expired = Run(client_.Watch(kPods, {.resource_version = "5"}));
  EXPECT_EQ(expired.error().kind(), ErrorKind::kExpired);
  EXPECT_EQ(expired.error().message(), "GET /api/v1/pods: what happened");
  EXPECT_EQ(Run(client_.Watch(kPods, {})).error().retry_after(), 4s);
  EXPECT_EQ(Run(client_.Watch(kPods, {})).error().kind(), ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace millwright::kube
