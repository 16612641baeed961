#include "net/server_parser.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace millwright::net {
namespace {

const ServerLimits kLimits{.header_bytes = 256, .body_bytes = 16};

struct Case {
  const char* name;
  std::string bytes;
  int status;  // of the rejection; 0: a request
  std::string want = "";
};

// The request in one line: method, target, body, what is left, and what HTTP/1.0 or "close"
// changes.
std::string Describe(const IncomingRequest& request, const std::string& rest) {
  std::string text =
      request.http.method + " " + request.http.target + " [" + request.http.body + "]";
  if (request.http_1_0) text += " 1.0";
  if (!request.keep_alive) text += " close";
  if (!rest.empty()) text += " rest: " + rest;
  return text;
}

std::string Repeat(std::string_view text, int times) {
  std::string repeated;
  for (int i = 0; i < times; ++i) repeated += text;
  return repeated;
}

const Case kCases[] = {
    {"Get", "GET /a?b=c HTTP/1.1\r\nHost: h\r\n\r\n", 0, "GET /a?b=c []"},
    {"AnyMethod", "BREW /pot HTTP/1.1\r\nHost: h\r\n\r\n", 0, "BREW /pot []"},
    {"Length", "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc", 0, "PUT /a [abc]"},
    {"Chunks",
     "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
     "2\r\nab\r\n1;x=y\r\nc\r\n0\r\n\r\n",
     0, "PUT /a [abc]"},
    {"ChunksWithATrailer",
     "PUT /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nabc\r\n0\r\nA: "
     "b\r\n\r\n",
     0, "PUT /a [abc]"},
    {"TheNextRequestIsLeft", "GET /a HTTP/1.1\r\nHost: h\r\n\r\nGET /b", 0,
     "GET /a [] rest: GET /b"},
    {"HoweverMuchIsLeft",
     "PUT /a HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx" + std::string(300, 'y'), 0,
     "PUT /a [x] rest: " + std::string(300, 'y')},
    {"EmptyLinesBefore", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 0, "GET / []"},
    {"Close", "GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n", 0, "GET / [] close"},
    {"Old", "GET / HTTP/1.0\r\n\r\n", 0, "GET / [] 1.0 close"},
    {"OldButKept", "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", 0, "GET / [] 1.0"},
    {"OfferOfHttp2IsIgnored",
     "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
     "HTTP2-Settings: A\r\n\r\n",
     0, "GET / []"},
    {"UpgradeIsRefused",
     "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", 400},
    {"NoHost", "GET / HTTP/1.1\r\n\r\n", 400},
    {"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400},
    {"NoTarget", "GET HTTP/1.1\r\nHost: h\r\n\r\n", 400},
    {"NoVersion", "GET /\r\nHost: h\r\n\r\n", 400},
    {"OtherVersion", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 400},
    {"OtherProtocol", "\x16\x03\x01\x02\x01\x01\x02\x03\r\n\r\n", 400},
    {"BlankInAField", "GET / HTTP/1.1\r\nHo st: h\r\n\r\n", 400},
    {"BlankBeforeTheColon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400},
    {"ControlInAValue", "GET / HTTP/1.1\r\nHost: h\x01\r\n\r\n", 400},
    {"LengthIsNoNumber", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n", 400},
    {"LengthIsNegative", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\n", 400},
    {"TwoLengths", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
     400},
    {"LengthAndChunks",
     "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
    {"ChunksAndLength",
     "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n", 400},
    {"OtherCoding", "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501},
    {"TwoCodings", "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501},
    {"ChunksInOldHttp", "PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 501},
    {"ChunkSizeIsNoNumber", "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
     400},
    {"ChunkLongerThanSaid",
     "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabcd\r\n", 400},
    {"ChunkHeaderWithoutEnd",
     "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1;" + std::string(300, 'x'),
     400},
    {"LengthBeyondTheLimit", "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 17\r\n\r\n", 413},
    {"LengthBeyondAllNumbers",
     "PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999999999999999\r\n\r\n", 400},
    {"ChunksBeyondTheLimit",
     "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
     "8\r\nabcdefgh\r\n8\r\nabcdefgh\r\n1\r\na\r\n0\r\n\r\n",
     413},
    {"HeadBeyondTheLimit", "GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(300, 'a') + "\r\n\r\n",
     431},
    {"ManyFieldsBeyondTheLimit", "GET / HTTP/1.1\r\nHost: h\r\n" + Repeat("A: b\r\n", 50) + "\r\n",
     431},
    {"TargetBeyondTheLimit", "GET /" + std::string(300, 'a'), 431},
    {"OtherExpectation", "PUT / HTTP/1.1\r\nHost: h\r\nExpect: miracles\r\n\r\n", 417},
};

class RequestParserTest : public testing::TestWithParam<Case> {};

TEST_P(RequestParserTest, ParsesAtOnce) {
  RequestParser parser(kLimits);
  std::string bytes = GetParam().bytes;
  const auto fed = parser.Feed(bytes);
  EXPECT_EQ(fed ? 0 : fed.error().status, GetParam().status);
  if (!fed) return;
  ASSERT_TRUE(parser.is_done());
  EXPECT_EQ(Describe(parser.Take(), bytes), GetParam().want);
}

// How the bytes are cut on their way must not matter.
TEST_P(RequestParserTest, ParsesByteByByte) {
  RequestParser parser(kLimits);
  std::string unread;
  std::string rest = GetParam().bytes;
  int status = 0;
  while (!rest.empty() && status == 0 && !parser.is_done()) {
    unread += rest.front();
    rest.erase(0, 1);
    const auto fed = parser.Feed(unread);
    if (!fed) status = fed.error().status;
  }
  EXPECT_EQ(status, GetParam().status);
  if (status != 0) return;
  ASSERT_TRUE(parser.is_done());
  EXPECT_EQ(Describe(parser.Take(), unread + rest), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, RequestParserTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

// The request, if one comes of it; `cuts` are the sizes in which the bytes come.
std::optional<std::string> RequestIn(const std::string& bytes,
                                     const std::vector<std::size_t>& cuts) {
  RequestParser parser(kLimits);
  std::string unread;
  std::string rest = bytes;
  for (std::size_t i = 0; !rest.empty() && !parser.is_done(); ++i) {
    const std::size_t size = std::min(rest.size(), i < cuts.size() ? cuts[i] : rest.size());
    unread += rest.substr(0, size);
    rest.erase(0, size);
    if (!parser.Feed(unread)) return std::nullopt;
  }
  if (!parser.is_done()) return std::nullopt;
  return Describe(parser.Take(), unread + rest);
}

TEST(RequestParserTest, NothingDependsOnHowBytesAreCut) {
  const std::vector<std::string> parts = {"Transfer-Encoding: chunked\r\n",
                                          "Content-Length: 3\r\n",
                                          "Expect: 100-continue\r\n",
                                          "3\r\nabc\r\n",
                                          "0\r\n",
                                          "GET / HTTP/1.1\r\n",
                                          "\r\n",
                                          "\r",
                                          "A:",
                                          "abc",
                                          ";x",
                                          "\xff"};
  const auto part_lists = rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(parts));
  const auto cut_lists =
      rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(1, 9));
  EXPECT_TRUE(rc::check("the same bytes, the same request", [&] {
    std::string bytes = "PUT / HTTP/1.1\r\nHost: h\r\n";
    for (const std::string& part : *part_lists) bytes += part;
    RC_ASSERT(RequestIn(bytes, *cut_lists) == RequestIn(bytes, {}));
  }));
}

TEST(RequestParserTest, RepeatedFieldsStayInOrder) {
  RequestParser parser(kLimits);
  std::string bytes = "GET / HTTP/1.1\r\nhost: h\r\nX-B: 1\r\nX-a:\t2 \r\nX-B: 3\r\n\r\n";
  ASSERT_TRUE(parser.Feed(bytes).has_value());
  const Headers want{{"host", "h"}, {"X-B", "1"}, {"X-B", "3"}, {"X-a", "2"}};
  EXPECT_EQ(parser.Take().http.headers, want);
}

TEST(RequestParserTest, TrailersAreNotFields) {
  RequestParser parser(kLimits);
  std::string bytes =
      "PUT / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Remote-User: "
      "root\r\n\r\n";
  ASSERT_TRUE(parser.Feed(bytes).has_value());
  ASSERT_TRUE(parser.is_done());
  EXPECT_EQ(parser.Take().http.headers.Find("X-Remote-User"), std::nullopt);
}

TEST(RequestParserTest, TellsOfTheExpectationBeforeTheBody) {
  RequestParser parser(kLimits);
  std::string bytes = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n";
  ASSERT_TRUE(parser.Feed(bytes).has_value());
  EXPECT_FALSE(parser.expects_continue());
  bytes += "\r\n";
  ASSERT_TRUE(parser.Feed(bytes).has_value());
  EXPECT_TRUE(parser.is_header_done());
  EXPECT_TRUE(parser.expects_continue());
  EXPECT_FALSE(parser.is_done());
}

}  // namespace
}  // namespace millwright::net
