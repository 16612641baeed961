#include "kube/watch/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/api/status.h"

namespace millwright::kube {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

// The event as "type raw-object", or its refusal in brackets.
std::string Parsed(EventParser& parser, std::string_view line) {
  static constexpr std::string_view kNames[] = {"added", "modified", "deleted", "bookmark",
                                                "error"};
  std::string seen;
  const simdjson::padded_string padded(line);
  const Result<void> parsed = parser.Parse(padded, [&](EventType type, JsonObject object) {
    std::string_view raw;
    EXPECT_FALSE(object.raw_json().get(raw));
    seen = std::string(kNames[static_cast<int>(type)]) + " " + std::string(raw);
    return Ok();
  });
  return parsed ? seen : "(" + parsed.error().message() + ")";
}

struct EventCase {
  const char* name;
  const char* line;
  const char* want;
};

class EventParserTest : public testing::TestWithParam<EventCase> {};

TEST_P(EventParserTest, FindsTypeAndObject) {
  EventParser parser;
  EXPECT_EQ(Parsed(parser, GetParam().line), GetParam().want);
  // It is as good as new.
  EXPECT_EQ(Parsed(parser, R"({"type":"ADDED","object":{}})"), "added {}");
}

INSTANTIATE_TEST_SUITE_P(
    All, EventParserTest,
    testing::Values(
        EventCase{"Added", R"({"type":"ADDED","object":{"a":1}})", R"(added {"a":1})"},
        EventCase{"Modified", R"({"type":"MODIFIED","object":{}})", "modified {}"},
        EventCase{"Deleted", R"({"type":"DELETED","object":{}})", "deleted {}"},
        EventCase{"Bookmark", R"({"type":"BOOKMARK","object":{}})", "bookmark {}"},
        EventCase{"Error", R"({"type":"ERROR","object":{}})", "error {}"},
        EventCase{"ObjectFirst", R"({"object":{"type":"x"},"type":"ADDED"})",
                  R"(added {"type":"x"})"},
        EventCase{"MoreFields", R"({"x":[1],"type":"ADDED","y":{},"object":{}})", "added {}"},
        EventCase{"UnknownType", R"({"type":"RENAMED","object":{}})", "(unknown watch event type)"},
        EventCase{"NoType", R"({"object":{}})", "(not a watch event: it has no type)"},
        EventCase{"TypeIsNoText", R"({"type":1,"object":{}})",
                  "(not a watch event: it has no type)"},
        EventCase{"NoObject", R"({"type":"ADDED"})", "(not a watch event: it has no object)"},
        EventCase{"ObjectIsAList", R"({"type":"ADDED","object":[]})",
                  "(not a watch event: it has no object)"},
        EventCase{"ObjectIsNull", R"({"type":"ADDED","object":null})",
                  "(not a watch event: it has no object)"},
        EventCase{"AList", "[]", "(not a watch event: it has no type)"},
        EventCase{"AWebPage", "<html>", "(not a watch event: it has no type)"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(EventParserTest, PassesOnWhatTheVisitorSays) {
  EventParser parser;
  const simdjson::padded_string line(std::string_view(R"({"type":"ADDED","object":{}})"));
  const auto parsed = parser.Parse(
      line, [](EventType, JsonObject) { return Result<void>(Fail(ErrorKind::kExpired, "no")); });
  EXPECT_EQ(parsed.error().kind(), ErrorKind::kExpired);
}

// Reads the object of an event by the function given.
template <class Read>
auto ReadFrom(std::string_view object, Read read) {
  simdjson::ondemand::parser parser;
  const simdjson::padded_string padded(object);
  simdjson::ondemand::document document;
  JsonObject parsed;
  EXPECT_FALSE(parser.iterate(padded).get(document));
  EXPECT_FALSE(document.get_object().get(parsed));
  return read(parsed);
}

struct BookmarkCase {
  const char* name;
  const char* object;
  const char* version;  // null: refused
  bool ends;
};

class ReadBookmarkTest : public testing::TestWithParam<BookmarkCase> {};

TEST_P(ReadBookmarkTest, SaysHowFarWeAre) {
  const auto bookmark = ReadFrom(GetParam().object, ReadBookmark);
  ASSERT_EQ(bookmark.has_value(), GetParam().version != nullptr);
  if (!bookmark) return;
  EXPECT_EQ(bookmark->resource_version, ResourceVersion(GetParam().version));
  EXPECT_EQ(bookmark->ends_initial_events, GetParam().ends);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadBookmarkTest,
    testing::Values(
        BookmarkCase{"Plain", R"({"kind":"Node","metadata":{"resourceVersion":"7"}})", "7", false},
        BookmarkCase{
            "EndOfTheInitialEvents",
            R"({"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}})",
            "7", true},
        BookmarkCase{
            "SaysItIsNotTheEnd",
            R"({"metadata":{"resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"false"}}})",
            "7", false},
        BookmarkCase{"OtherAnnotations",
                     R"({"metadata":{"annotations":{"a":"true"},"resourceVersion":"7"}})", "7",
                     false},
        BookmarkCase{"OfNothing", "{}", "", false},
        BookmarkCase{"NumberForAVersion", R"({"metadata":{"resourceVersion":7}})", nullptr, false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ReadErrorEventTest, IsTheStatusInIt) {
  const Error error = ReadFrom(
      R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"too old","reason":"Expired",
          "details":{"retryAfterSeconds":3},"code":410})",
      ReadErrorEvent);
  EXPECT_EQ(error.kind(), ErrorKind::kExpired);
  EXPECT_EQ(error.message(), "too old");
  EXPECT_EQ(error.retry_after(), 3s);
  ASSERT_NE(error.detail<StatusDetail>(), nullptr);
  EXPECT_EQ(error.detail<StatusDetail>()->status().code, 410);
}

TEST(ReadErrorEventTest, OneWithoutAStatusIsTheServersFault) {
  EXPECT_EQ(ReadFrom(R"({"oops":1})", ReadErrorEvent).kind(), ErrorKind::kUnavailable);
}

}  // namespace
}  // namespace millwright::kube
