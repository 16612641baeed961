#include "net/server_message.h"

#include <gtest/gtest.h>

namespace millwright::net {
namespace {

constexpr WallTime kNow = WallTime(std::chrono::seconds(1767225600));
constexpr const char* kDate = "Date: Thu, 01 Jan 2026 00:00:00 GMT\r\n";

struct Case {
  const char* name;
  HttpResponse response;
  Framing framing;
  std::string want;
};

using Body = Framing::Body;

const Case kCases[] = {
    {"Length",
     {200, {{"Content-Type", "a/b"}}, ""},
     {Body::kLength, 7, false, true},
     std::string("HTTP/1.1 200 OK\r\n") + kDate + "Content-Type: a/b\r\nContent-Length: 7\r\n\r\n"},
    {"Chunked",
     {200, {}, ""},
     {Body::kChunked, 0, false, true},
     std::string("HTTP/1.1 200 OK\r\n") + kDate + "Transfer-Encoding: chunked\r\n\r\n"},
    {"UntilClose",
     {200, {}, ""},
     {Body::kUntilClose, 0, true, false},
     std::string("HTTP/1.0 200 OK\r\n") + kDate + "Connection: close\r\n\r\n"},
    {"LastOfItsConnection",
     {404, {}, ""},
     {Body::kLength, 0, false, false},
     std::string("HTTP/1.1 404 Not Found\r\n") + kDate +
         "Content-Length: 0\r\nConnection: close\r\n\r\n"},
    {"OldHttpMustBeTold",
     {200, {}, ""},
     {Body::kLength, 0, true, true},
     std::string("HTTP/1.0 200 OK\r\n") + kDate +
         "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n"},
    {"NoContentHasNoLength",
     {204, {}, ""},
     {Body::kLength, 0, false, true},
     std::string("HTTP/1.1 204 No Content\r\n") + kDate + "\r\n"},
    {"NoContentHasNoChunks",
     {204, {}, ""},
     {Body::kChunked, 0, false, true},
     std::string("HTTP/1.1 204 No Content\r\n") + kDate + "\r\n"},
    {"FramingIsNotTheHandlers",
     {200,
      {{"content-length", "1"}, {"Transfer-Encoding", "x"}, {"connection", "y"}, {"Date", "z"}},
      ""},
     {Body::kLength, 3, false, true},
     std::string("HTTP/1.1 200 OK\r\n") + kDate + "Content-Length: 3\r\n\r\n"},
    {"ValuesCannotAddFields",
     {200, {{"Warning", "299 - \"a\r\nSet-Cookie: b\""}}, ""},
     {Body::kLength, 0, false, true},
     std::string("HTTP/1.1 200 OK\r\n") + kDate +
         "Warning: 299 - \"a  Set-Cookie: b\"\r\nContent-Length: 0\r\n\r\n"},
    {"ImpossibleNamesAreLeftOut",
     {200, {{"A b", "1"}, {"", "2"}, {"C:", "3"}}, ""},
     {Body::kLength, 0, false, true},
     std::string("HTTP/1.1 200 OK\r\n") + kDate + "Content-Length: 0\r\n\r\n"},
    {"UnknownStatus",
     {299, {}, ""},
     {Body::kLength, 0, false, true},
     std::string("HTTP/1.1 299 <unknown-status>\r\n") + kDate + "Content-Length: 0\r\n\r\n"},
};

class ComposeHeadTest : public testing::TestWithParam<Case> {};

TEST_P(ComposeHeadTest, Composes) {
  EXPECT_EQ(ComposeHead(GetParam().response, GetParam().framing, kNow), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ComposeHeadTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ComposeChunkTest, SaysTheLengthInHexadecimal) {
  EXPECT_EQ(ComposeChunk("abc"), "3\r\nabc\r\n");
  EXPECT_EQ(ComposeChunk(std::string(255, 'x')).substr(0, 5), "ff\r\nx");
}

TEST(FormatHttpDateTest, WritesOtherDates) {
  using namespace std::chrono_literals;
  // The example of RFC 9110.
  EXPECT_EQ(FormatHttpDate(WallTime(784111777s)), "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(FormatHttpDate(WallTime(1709210096s + 999ms)), "Thu, 29 Feb 2024 12:34:56 GMT");
}

}  // namespace
}  // namespace millwright::net
