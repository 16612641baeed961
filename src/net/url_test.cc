#include "net/url.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>
#include <string>
#include <vector>

namespace millwright::net {
namespace {

struct Case {
  const char* name;
  std::string text;
  std::optional<Target> want;
};

const Case kCases[] = {
    {"Root", "/", Target{}},
    {"Segments", "/api/v1/nodes", Target{{"api", "v1", "nodes"}, {}}},
    {"SlashAtTheEndAddsNothing", "/api/v1/", Target{{"api", "v1"}, {}}},
    {"EmptySegmentsAreKept", "/api//nodes", Target{{"api", "", "nodes"}, {}}},
    {"EscapesAreDecoded", "/a%20b/%C3%BC", Target{{"a b", "ü"}, {}}},
    {"EscapedSlashStaysInItsSegment", "/a%2Fb", Target{{"a/b"}, {}}},
    {"LowerCaseDigits", "/%c3%bc", Target{{"ü"}, {}}},
    {"PlusInAPathIsAPlus", "/a+b", Target{{"a+b"}, {}}},
    {"DotsAreLeftAlone", "/a/../b/.", Target{{"a", "..", "b", "."}, {}}},
    {"RawUtf8", "/ü", Target{{"ü"}, {}}},
    {"Query", "/x?limit=1&watch=true", Target{{"x"}, {{"limit", "1"}, {"watch", "true"}}}},
    {"KeysRepeatInOrder", "/x?a=2&b=0&a=1", Target{{"x"}, {{"a", "2"}, {"b", "0"}, {"a", "1"}}}},
    {"KeyWithoutValue", "/x?watch", Target{{"x"}, {{"watch", ""}}}},
    {"EmptyKey", "/x?=v", Target{{"x"}, {{"", "v"}}}},
    {"EmptyPiecesAreSkipped", "/x?&&a=1&", Target{{"x"}, {{"a", "1"}}}},
    {"EmptyQuery", "/x?", Target{{"x"}, {}}},
    {"QueryDecodesBothSides", "/x?l%61bel=a%3Db%26c", Target{{"x"}, {{"label", "a=b&c"}}}},
    {"PlusInAQueryIsABlank", "/x?s=a+in+(b)%2B", Target{{"x"}, {{"s", "a in (b)+"}}}},
    {"EqualsInAValue", "/x?selector=a=b,c!=d", Target{{"x"}, {{"selector", "a=b,c!=d"}}}},
    {"QuestionMarkInAValue", "/x?a=?", Target{{"x"}, {{"a", "?"}}}},
    {"ControlsInAQueryValueAreData", "/x?a=%0A%00", Target{{"x"}, {{"a", std::string("\n\0", 2)}}}},
    {"WholeUrl", "http://host:80/a?b=c", Target{{"a"}, {{"b", "c"}}}},
    {"WholeUrlWithoutPath", "https://host", Target{}},
    {"WholeUrlWithOnlyAQuery", "http://host?a=b", Target{{}, {{"a", "b"}}}},
    {"Empty", "", std::nullopt},
    {"Star", "*", std::nullopt},
    {"HostAndPort", "example.com:443", std::nullopt},
    {"NoSlash", "api/v1", std::nullopt},
    {"OnlyAQuery", "?a=b", std::nullopt},
    {"Fragment", "/a#b", std::nullopt},
    {"Blank", "/a b", std::nullopt},
    {"RawControl", "/a\tb", std::nullopt},
    {"EscapedNulInThePath", "/a%00", std::nullopt},
    {"EscapedNewlineInThePath", "/a%0ab", std::nullopt},
    {"EscapeCutOff", "/a%2", std::nullopt},
    {"EscapeWithoutDigits", "/a%", std::nullopt},
    {"EscapeWithOtherLetters", "/a%zz", std::nullopt},
    {"EscapeWithASign", "/a%+1", std::nullopt},
    {"EscapeAcrossSegments", "/a%2/0", std::nullopt},
    {"BadEscapeInAKey", "/a?%=1", std::nullopt},
    {"BadEscapeInAValue", "/a?b=%1", std::nullopt},
};

class ParseTargetTest : public testing::TestWithParam<Case> {};

TEST_P(ParseTargetTest, Parses) {
  const auto target = ParseTarget(GetParam().text);
  ASSERT_EQ(target.has_value(), GetParam().want.has_value());
  if (!target) {
    EXPECT_EQ(target.error().kind(), ErrorKind::kInvalid);
    return;
  }
  EXPECT_EQ(*target, *GetParam().want) << FormatTarget(*target);
}

INSTANTIATE_TEST_SUITE_P(All, ParseTargetTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(TargetTest, FindsTheFirstOfAKey) {
  const Target target{{}, {{"a", "1"}, {"a", "2"}, {"b", ""}}};
  EXPECT_EQ(target.Find("a"), "1");
  EXPECT_EQ(target.Find("b"), "");
  EXPECT_EQ(target.Find("c"), std::nullopt);
}

TEST(FormatTargetTest, EscapesEachPart) {
  EXPECT_EQ(FormatTarget({{"a/b", "c d"}, {{"k&", "=v+"}}}), "/a%2Fb/c%20d?k%26=%3Dv%2B");
  EXPECT_EQ(FormatTarget({}), "/");
}

TEST(FormatTargetTest, IsTakenApartAgain) {
  EXPECT_TRUE(rc::check("any path and query survives", [] {
    const auto byte = rc::gen::inRange<int>(0x20, 0x7F);
    const auto segment =
        rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::cast<char>(byte)));
    Target target;
    target.segments = *rc::gen::container<std::vector<std::string>>(segment);
    for (auto& [key, value] :
         *rc::gen::arbitrary<std::vector<std::pair<std::string, std::string>>>()) {
      target.query.push_back({key, value});
    }
    const auto parsed = ParseTarget(FormatTarget(target));
    RC_ASSERT(parsed.has_value());
    RC_ASSERT(*parsed == target);
  }));
}

TEST(PercentEncodeTest, LeavesOnlyUnreservedCharacters) {
  EXPECT_EQ(PercentEncode("AZaz09-._~"), "AZaz09-._~");
  EXPECT_EQ(PercentEncode(std::string_view("\0 /?#[]@!$&'()*+,;=%\xFF", 21)),
            "%00%20%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%25%FF");
}

TEST(PercentDecodeTest, LeavesPlusAlone) { EXPECT_EQ(PercentDecode("a+%41").value(), "a+A"); }

}  // namespace
}  // namespace millwright::net
