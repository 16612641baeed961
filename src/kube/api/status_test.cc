#include "kube/api/status.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

const char* const kPodNotFound =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
  "message":"pods \"x\" not found","reason":"NotFound","details":{"name":"x","kind":"pods"},"code":404})";
const char* const kTypeNotFound =
    R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
  "message":"the server could not find the requested resource","reason":"NotFound","details":{},"code":404})";

std::string Body(std::string_view reason, int code) {
  return json::serialize(json::value{{"kind", "Status"},
                                     {"apiVersion", "v1"},
                                     {"status", "Failure"},
                                     {"message", "what happened"},
                                     {"reason", reason},
                                     {"code", code}});
}

struct KindCase {
  const char* name;
  int http_status;
  std::string body;
  ErrorKind want;
};

const KindCase kKinds[] = {
    {"NotFound", 404, Body("NotFound", 404), ErrorKind::kNotFound},
    {"AlreadyExists", 409, Body("AlreadyExists", 409), ErrorKind::kAlreadyExists},
    {"Conflict", 409, Body("Conflict", 409), ErrorKind::kConflict},
    {"ConflictWithoutReason", 409, "", ErrorKind::kConflict},
    {"Expired", 410, Body("Expired", 410), ErrorKind::kExpired},
    {"Gone", 410, Body("Gone", 410), ErrorKind::kExpired},
    {"GoneWithoutReason", 410, "", ErrorKind::kExpired},
    {"TooManyRequests", 429, Body("TooManyRequests", 429), ErrorKind::kThrottled},
    {"TooManyRequestsFromAProxy", 429, "slow down", ErrorKind::kThrottled},
    {"Unauthorized", 401, Body("Unauthorized", 401), ErrorKind::kUnauthenticated},
    {"Forbidden", 403, Body("Forbidden", 403), ErrorKind::kPermission},
    {"BadRequest", 400, Body("BadRequest", 400), ErrorKind::kInvalid},
    {"MethodNotAllowed", 405, Body("MethodNotAllowed", 405), ErrorKind::kInvalid},
    {"NotAcceptable", 406, Body("NotAcceptable", 406), ErrorKind::kInvalid},
    {"TooLarge", 413, "", ErrorKind::kInvalid},
    {"UnsupportedMediaType", 415, Body("UnsupportedMediaType", 415), ErrorKind::kInvalid},
    {"Invalid", 422, Body("Invalid", 422), ErrorKind::kInvalid},
    {"Redirect", 302, "", ErrorKind::kInvalid},
    {"InternalError", 500, Body("InternalError", 500), ErrorKind::kUnavailable},
    {"ServerTimeoutDidNothing", 500, Body("ServerTimeout", 500), ErrorKind::kUnavailable},
    {"ServerTimeoutAsGatewayTimeout", 504, Body("ServerTimeout", 504), ErrorKind::kUnavailable},
    {"TimeoutMayHaveDoneIt", 504, Body("Timeout", 504), ErrorKind::kInDoubt},
    {"GatewayTimeoutMayHaveDoneIt", 504, "<html>gateway timeout</html>", ErrorKind::kInDoubt},
    {"BadGateway", 502, "<html>", ErrorKind::kUnavailable},
    {"ServiceUnavailable", 503, Body("ServiceUnavailable", 503), ErrorKind::kUnavailable},
    {"RequestTimeoutWasNotBegun", 408, "", ErrorKind::kUnavailable},
    {"UnknownReasonFallsBackToTheCode", 500, Body("StorageReadError", 500),
     ErrorKind::kUnavailable},
    {"ReasonBeatsTheCode", 500, Body("Conflict", 500), ErrorKind::kConflict},
    {"SuccessIsOurBug", 200, "", ErrorKind::kInternal},
};

class ErrorFromTest : public testing::TestWithParam<KindCase> {};

TEST_P(ErrorFromTest, HasTheKindThatCallsForTheRightReaction) {
  const Error error = ErrorFrom(GetParam().http_status, GetParam().body);
  EXPECT_EQ(error.kind(), GetParam().want) << error.message();
  EXPECT_NE(error.detail<StatusDetail>(), nullptr);
  EXPECT_FALSE(error.message().empty());
}

INSTANTIATE_TEST_SUITE_P(All, ErrorFromTest, testing::ValuesIn(kKinds),
                         [](const auto& test) { return std::string(test.param.name); });

struct WaitCase {
  const char* name;
  int64_t in_status;
  std::optional<std::chrono::seconds> in_header;
  std::optional<std::chrono::nanoseconds> want;
};

const WaitCase kWaits[] = {
    {"None", 0, std::nullopt, std::nullopt},
    {"FromTheStatus", 5, std::nullopt, 5s},
    {"FromTheHeader", 0, 7s, 7s},
    {"HeaderWins", 5, 7s, 7s},
    {"AtOnceIsAHint", 0, 0s, 0s},
    {"NegativeIsAtOnce", 0, -3s, 0s},
    {"NegativeInTheStatusIsNone", -3, std::nullopt, std::nullopt},
    {"NobodyWaitsLongerThanADay", INT64_MAX, std::nullopt, 24h},
    {"NorByTheHeader", 0, std::chrono::seconds::max(), 24h},
};

class RetryAfterTest : public testing::TestWithParam<WaitCase> {};

TEST_P(RetryAfterTest, IsTakenFromWhereItIs) {
  json::value body = json::parse(Body("TooManyRequests", 429));
  body.as_object()["details"] = {{"retryAfterSeconds", GetParam().in_status}};
  EXPECT_EQ(ErrorFrom(429, json::serialize(body), GetParam().in_header).retry_after(),
            GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, RetryAfterTest, testing::ValuesIn(kWaits),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(IsMissingResourceType, TellsAMissingTypeFromAMissingObject) {
  EXPECT_FALSE(IsMissingResourceType(ErrorFrom(404, kPodNotFound)));
  EXPECT_TRUE(IsMissingResourceType(ErrorFrom(404, kTypeNotFound)));
  EXPECT_TRUE(IsMissingResourceType(ErrorFrom(404, "404 page not found\n")));
  EXPECT_TRUE(IsMissingResourceType(ErrorFrom(404, "")));
  EXPECT_FALSE(IsMissingResourceType(ErrorFrom(410, "")));
  EXPECT_FALSE(IsMissingResourceType(Error(ErrorKind::kNotFound, "from elsewhere")));
}

TEST(ErrorFrom, SpeaksToPeople) {
  EXPECT_EQ(ErrorFrom(404, kPodNotFound).message(), "pods \"x\" not found");
  EXPECT_EQ(ErrorFrom(404, "404 page not found\n").message(), "HTTP 404: 404 page not found");
  EXPECT_EQ(ErrorFrom(503, "").message(), "HTTP 503");
  EXPECT_EQ(ErrorFrom(502, "<html>\r\n  <b>Bad\tGateway</b>\x01").message(),
            "HTTP 502: <html> <b>Bad Gateway</b>");
  EXPECT_EQ(ErrorFrom(401, Body("Unauthorized", 401)).message(),
            "the server does not accept our credentials: what happened");
}

TEST(ErrorFrom, CutsLongTexts) {
  EXPECT_EQ(ErrorFrom(500, std::string(100'000, 'x')).message(),
            "HTTP 500: " + std::string(200, 'x') + "...");
  Status status;
  status.code = 500;
  for (int i = 0; i < 2000; ++i) status.message += "\u00fc";
  status.message.insert(0, "x");  // so that the cut would fall into a character
  const std::string message = ErrorFrom(status).message();
  EXPECT_EQ(message.size(), 2047U + 3U);
  EXPECT_TRUE(message.ends_with("\u00fc..."));
}

TEST(Status, KeepsEverythingInJson) {
  Status status;
  status.message = "Node \"a\" is invalid";
  status.reason = "Invalid";
  status.code = 422;
  status.details = {.name = "a",
                    .group = "g",
                    .kind = "Node",
                    .uid = "u",
                    .causes = {{"FieldValueInvalid", "must be x", "spec.a"}, {"", "only text", ""}},
                    .retry_after_seconds = 3};
  const json::object encoded = EncodeStatus(status);
  EXPECT_EQ(DecodeStatus(encoded), status);
  EXPECT_EQ(ParseStatus(422, json::serialize(encoded)), status);
  EXPECT_EQ(encoded.at("kind"), "Status");
  EXPECT_EQ(encoded.at("apiVersion"), "v1");
  EXPECT_EQ(encoded.at("details").at("causes").at(0).at("reason"), "FieldValueInvalid");
}

TEST(Status, IsRecognisedByItsKind) {
  EXPECT_FALSE(DecodeStatus(json::parse(R"({"kind":"Pod","apiVersion":"v1","status":"Failure"})")));
  EXPECT_FALSE(DecodeStatus(json::parse("[]")));
  EXPECT_EQ(ParseStatus(404, R"({"error":"nope"})").reason, "NotFound");
}

TEST(Status, OverlooksFieldsOfAWrongType) {
  const auto status = DecodeStatus(json::parse(
      R"({"kind":"Status","apiVersion":"v1","message":7,"reason":"Gone","details":{"causes":[1,{}]},"code":"x"})"));
  ASSERT_TRUE(status);
  EXPECT_EQ(status->message, "");
  EXPECT_EQ(status->reason, "Gone");
  EXPECT_EQ(status->code, 0);
  EXPECT_EQ(status->details.causes.size(), 2U);
}

TEST(ErrorFrom, TakesAnyBody) {
  EXPECT_TRUE(rc::check([](const std::string& body) {
    const int code = *rc::gen::inRange(300, 600);
    const Error error = ErrorFrom(code, body);
    RC_ASSERT(error.detail<StatusDetail>()->status().code == code);
    RC_ASSERT(error.message().find('\n') == std::string::npos);
  }));
}

}  // namespace
}  // namespace millwright::kube
