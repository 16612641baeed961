#include "net/retry.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/task_group.h"
#include "base/virtual/world.h"
#include "net/testing/scripted_http.h"

namespace millwright::net {
namespace {

using namespace std::chrono_literals;

const WallTime kNow = VirtualWorld::kStart;  // 2026-01-01T00:00:00Z, a Thursday

const RetryPolicy kPolicy{.max_attempts = 4,
                          .first_delay = 200ms,
                          .factor = 2,
                          .max_delay = 500ms,
                          .max_retry_after = 30s,
                          .jitter = 0,
                          .deadline = 60s};

struct Case {
  const char* name;
  int attempt;
  const char* method;
  AttemptOutcome outcome;
  std::optional<Duration> want;
};

AttemptOutcome Failed(ErrorKind kind) { return {.error = kind}; }

AttemptOutcome Status(int status, std::optional<std::string> retry_after = std::nullopt) {
  return {.status = status, .retry_after = std::move(retry_after)};
}

const Case kCases[] = {
    {"AnAnswerIsAnAnswer", 1, "GET", Status(200), std::nullopt},
    {"SoIsAnError", 1, "GET", Status(404), std::nullopt},
    {"AndABrokenServer", 1, "GET", Status(500), std::nullopt},
    {"UnreachableReadIsRepeated", 1, "GET", Failed(ErrorKind::kUnavailable), 200ms},
    {"AndHead", 1, "HEAD", Failed(ErrorKind::kUnavailable), 200ms},
    {"WithGrowingDelays", 2, "GET", Failed(ErrorKind::kUnavailable), 400ms},
    {"UpToALimit", 3, "GET", Failed(ErrorKind::kUnavailable), 500ms},
    {"AndSoManyTimes", 4, "GET", Failed(ErrorKind::kUnavailable), std::nullopt},
    {"UnreachableWriteIsNot", 1, "POST", Failed(ErrorKind::kUnavailable), std::nullopt},
    {"NorOneInDoubt", 1, "POST", Failed(ErrorKind::kInDoubt), std::nullopt},
    {"NorAnythingThatWouldFailAgain", 1, "GET", Failed(ErrorKind::kInvalid), std::nullopt},
    {"NorWhatWeEnded", 1, "GET", Failed(ErrorKind::kCancelled), std::nullopt},
    {"NorARefusedIdentity", 1, "GET", Failed(ErrorKind::kUnauthenticated), std::nullopt},
    {"BusyReadIsRepeated", 1, "GET", Status(503), 200ms},
    {"ThroughGateways", 1, "GET", Status(502), 200ms},
    {"SlowOnesToo", 1, "GET", Status(504), 200ms},
    {"ThrottledReadIsRepeated", 1, "GET", Status(429), 200ms},
    {"ThrottledWriteWithoutAHintIsNot", 1, "POST", Status(429), std::nullopt},
    {"BusyWriteWithoutAHintIsNot", 1, "PUT", Status(503), std::nullopt},
    {"ThrottledWriteWaitsAsAsked", 1, "POST", Status(429, "3"), 3s},
    {"BusyWriteWaitsAsAsked", 1, "DELETE", Status(503, "3"), 3s},
    {"GatewayTimeoutMayHaveWritten", 1, "POST", Status(504, "3"), std::nullopt},
    {"HintIsForReadsToo", 1, "GET", Status(504, "3"), 3s},
    {"NoWaitAtAllIsStillOurBackoff", 2, "POST", Status(429, "0"), 400ms},
    {"DateIsAHint", 1, "POST", Status(429, "Thu, 01 Jan 2026 00:00:07 GMT"), 7s},
    {"DateInThePastIsNow", 1, "POST", Status(429, "Thu, 01 Jan 2025 00:00:07 GMT"), 200ms},
    {"HintTooLongIsLeftToTheCaller", 1, "GET", Status(503, "31"), std::nullopt},
    {"NonsenseIsNoHintForAWrite", 1, "POST", Status(503, "soon"), std::nullopt},
    {"NonsenseIsNoHintForARead", 1, "GET", Status(503, "soon"), 200ms},
};

class PlanRetryTest : public testing::TestWithParam<Case> {};

TEST_P(PlanRetryTest, ChoosesTheDelay) {
  const Case& test = GetParam();
  EXPECT_EQ(PlanRetry(test.attempt, test.method, test.outcome, kNow, kPolicy), test.want);
}

INSTANTIATE_TEST_SUITE_P(All, PlanRetryTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ParseRetryAfter, TakesSecondsAndDates) {
  EXPECT_EQ(ParseRetryAfter("120", kNow), Duration(120s));
  EXPECT_EQ(ParseRetryAfter("99999999999", kNow), Duration(24h * 365));
  EXPECT_EQ(ParseRetryAfter("99999999999999999999", kNow), std::nullopt);
  EXPECT_EQ(ParseRetryAfter("-1", kNow), std::nullopt);
  EXPECT_EQ(ParseRetryAfter("", kNow), std::nullopt);
  EXPECT_EQ(ParseRetryAfter("Thursday, 01-Jan-26 00:01:00 GMT", kNow), Duration(60s));
  EXPECT_EQ(ParseRetryAfter("Thu Jan  1 00:01:00 2026", kNow), Duration(60s));
  EXPECT_EQ(ParseRetryAfter("Fri, 01 Jan 9999 00:00:00 GMT", kNow), Duration(24h * 365));
}

class RetryingHttpTest : public testing::Test {
 protected:
  HttpRequest Request(std::string method) {
    HttpRequest request;
    request.method = std::move(method);
    request.target = "/x";
    request.body = "body";
    return request;
  }

  Result<HttpResponse> Send(std::string method) {
    return RunTask(process_, http_.Send(Request(std::move(method)))).value();
  }

  VirtualWorld world_;
  VirtualProcess process_{world_};
  VirtualClock clock_{process_};
  SeededRandom random_{1};
  ScriptedHttp script_{process_.executor()};
  RetryingHttp http_{script_, clock_, random_, kPolicy};
};

const Error kDown(ErrorKind::kUnavailable, "down");

TEST_F(RetryingHttpTest, RepeatsUntilThereIsAnAnswer) {
  script_.Answer("GET /x", kDown);
  script_.Answer("GET /x", 503, "busy");
  script_.Answer("GET /x", 200, "hello");
  EXPECT_EQ(Send("GET")->body, "hello");
  EXPECT_EQ(world_.Elapsed().time_since_epoch(), 600ms);
}

TEST_F(RetryingHttpTest, SendsTheSameRequestAgain) {
  script_.Answer("POST /x", 429, "", {{"Retry-After", "5"}});
  script_.Answer("POST /x", 201, "made");
  EXPECT_EQ(Send("POST")->status, 201);
  EXPECT_EQ(world_.Elapsed().time_since_epoch(), 5s);
  ASSERT_EQ(script_.requests().size(), 2U);
  EXPECT_EQ(script_.requests()[1].body, "body");
}

TEST_F(RetryingHttpTest, GivesTheLastAnswerWhenItGivesUp) {
  for (int i = 0; i < kPolicy.max_attempts; ++i) script_.Answer("GET /x", 503, std::to_string(i));
  EXPECT_EQ(Send("GET")->body, "3");
  EXPECT_TRUE(script_.exhausted());
}

TEST_F(RetryingHttpTest, GivesTheLastErrorWhenItGivesUp) {
  for (int i = 0; i < kPolicy.max_attempts; ++i) script_.Answer("GET /x", kDown);
  EXPECT_EQ(Send("GET").error().message(), "down");
}

TEST_F(RetryingHttpTest, BeginsNoAttemptAfterTheDeadline) {
  for (int i = 0; i < 3; ++i) script_.Answer("GET /x", 503, "", {{"Retry-After", "25"}});
  EXPECT_EQ(Send("GET")->status, 503);
  EXPECT_TRUE(script_.exhausted());
  EXPECT_EQ(world_.Elapsed().time_since_epoch(), 50s);
}

TEST_F(RetryingHttpTest, SpreadsAttemptsButNeverEarlierThanAsked) {
  RetryPolicy policy = kPolicy;
  policy.jitter = 0.5;
  RetryingHttp http(script_, clock_, random_, policy);
  script_.Answer("GET /x", 503, "", {{"Retry-After", "10"}});
  script_.Answer("GET /x", 200, "");
  ASSERT_TRUE(RunTask(process_, http.Send(Request("GET"))).value());
  EXPECT_GT(world_.Elapsed().time_since_epoch(), 10s);
  EXPECT_LT(world_.Elapsed().time_since_epoch(), 15s);
}

Task<void> Note(Task<Result<HttpResponse>> task, std::vector<ErrorKind>& kinds) {
  const auto result = co_await std::move(task);
  if (!result) kinds.push_back(result.error().kind());
}

TEST_F(RetryingHttpTest, EndsWhenCancelledBetweenAttempts) {
  script_.Answer("GET /x", 503, "", {{"Retry-After", "10"}});
  std::vector<ErrorKind> kinds;
  TaskGroup group(process_.executor());
  group.Spawn([&] { return Note(http_.Send(Request("GET")), kinds); });
  world_.Advance(1s);
  group.Cancel();
  world_.Settle();
  EXPECT_EQ(kinds, std::vector{ErrorKind::kCancelled});
  EXPECT_EQ(group.size(), 0U);
}

TEST_F(RetryingHttpTest, StreamsAreOpenedOnce) {
  script_.Answer("GET /x", kDown);
  const auto opened = RunTask(process_, http_.Open(Request("GET"))).value();
  EXPECT_FALSE(opened);
  EXPECT_EQ(script_.log().size(), 1u);
}

struct RetryAfterCase {
  const char* name;
  Headers headers;
  std::optional<Duration> want;
};

class RetryAfterOfTest : public testing::TestWithParam<RetryAfterCase> {};

TEST_P(RetryAfterOfTest, ReadsSecondsAndDatesByTheServersClock) {
  EXPECT_EQ(RetryAfterOf(GetParam().headers), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, RetryAfterOfTest,
    testing::Values(
        RetryAfterCase{"Nothing", {}, std::nullopt},
        RetryAfterCase{"Seconds", {{"Retry-After", "7"}}, 7s},
        RetryAfterCase{"SecondsAndDate",
                       {{"Retry-After", "7"}, {"Date", "Wed, 18 Nov 2026 09:00:00 GMT"}},
                       7s},
        RetryAfterCase{"Date",
                       {{"Retry-After", "Wed, 18 Nov 2026 09:01:30 GMT"},
                        {"Date", "Wed, 18 Nov 2026 09:00:00 GMT"}},
                       90s},
        RetryAfterCase{
            "DateFromNowhere", {{"Retry-After", "Wed, 18 Nov 2026 09:01:30 GMT"}}, std::nullopt},
        RetryAfterCase{"Garbage", {{"Retry-After", "soon"}}, std::nullopt}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::net
