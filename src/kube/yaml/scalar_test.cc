#include "kube/yaml/scalar.h"

#include <gtest/gtest.h>

#include <limits>
#include <ostream>
#include <string>

#include <boost/json.hpp>

#include "kube/yaml/number.h"
#include "kube/yaml/timestamp.h"

namespace millwright::kube::yaml {
namespace {

namespace json = boost::json;

struct Case {
  std::string_view text;
  json::value want;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.text; }

class PlainScalarTest : public testing::TestWithParam<Case> {};

// What sigs.k8s.io/yaml 1.6.0 gives for each of these.
TEST_P(PlainScalarTest, IsReadAsGoReadsIt) {
  const auto got = ResolveScalar({.text = GetParam().text});
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(got->kind(), GetParam().want.kind());
  EXPECT_EQ(*got, GetParam().want) << json::serialize(*got);
}

TEST_P(PlainScalarTest, IsTextInQuotes) {
  const auto got = ResolveScalar({.text = GetParam().text, .plain = false});
  ASSERT_TRUE(got);
  EXPECT_EQ(*got, json::value(json::string(GetParam().text)));
}

TEST_P(PlainScalarTest, IsAmbiguousIfItIsNotText) {
  if (GetParam().want.is_string()) return;
  EXPECT_TRUE(IsAmbiguous(GetParam().text));
}

const std::int64_t kMinInt = std::numeric_limits<std::int64_t>::min();

const Case kPlain[] = {
    {"", nullptr},
    {"~", nullptr},
    {"null", nullptr},
    {"Null", nullptr},
    {"NULL", nullptr},
    {"nuLL", "nuLL"},
    {"true", true},
    {"True", true},
    {"TRUE", true},
    {"tRue", "tRue"},
    {"yes", true},
    {"Yes", true},
    {"YES", true},
    {"y", true},
    {"Y", true},
    {"on", true},
    {"On", true},
    {"ON", true},
    {"false", false},
    {"False", false},
    {"FALSE", false},
    {"no", false},
    {"No", false},
    {"NO", false},
    {"n", false},
    {"N", false},
    {"off", false},
    {"Off", false},
    {"OFF", false},
    {"0", 0},
    {"-0", 0},
    {"+1", 1},
    {"-12", -12},
    {"1_000", 1000},
    {"0x1F", 31},
    {"-0x10", -16},
    {"0XfF", 255},
    {"0b101", 5},
    {"-0b11", -3},
    {"0o17", 15},
    {"0777", 511},
    {"00", 0},
    {"-07", -7},
    {"08", 8},
    {"0x", "0x"},
    {"0b2", "0b2"},
    {"0xg", "0xg"},
    {"_1", "_1"},
    {"1_", 1},
    {"0x_F", 15},
    {"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
    {"-9223372036854775808", kMinInt},
    {"9223372036854775808", std::uint64_t{1} << 63},
    {"18446744073709551615", ~std::uint64_t{0}},
    {"18446744073709551616", 18446744073709551616.0},
    {"+9223372036854775808", std::uint64_t{9223372036854776000U}},
    {"0.5", 0.5},
    {".5", 0.5},
    {"-.5", -0.5},
    {"+.5", 0.5},
    {"1.", 1},
    {"1.0", 1},
    {"1e3", 1000},
    {"12e03", 12000},
    {"1.5e-3", 0.0015},
    {"1e20", 1e20},
    {"1e21", 1e21},
    {"1e400", "1e400"},
    {"1e-400", 0},
    {".5e400", ".5e400"},
    {"1.2345678901234567e17", 123456789012345660},
    {"1e", "1e"},
    {"1.2.3", "1.2.3"},
    {".", "."},
    {"..", ".."},
    {"+", "+"},
    {"-", "-"},
    {"0x1p3", "0x1p3"},
    {"inf", "inf"},
    {"NaN", "NaN"},
    {"1e5_0", 1e50},
    {"1:30", "1:30"},
    {"2001-01-01", "2001-01-01"},
    {"2001-01-01T00:00:00Z", "2001-01-01T00:00:00Z"},
    {"<<", "<<"},
    {"=", "="},
    {"10Gi", "10Gi"},
    {"v1", "v1"},
    {"1.28.3", "1.28.3"},
    {"100m", "100m"},
};
INSTANTIATE_TEST_SUITE_P(All, PlainScalarTest, testing::ValuesIn(kPlain));

struct TagCase {
  std::string_view tag;
  std::string_view text;
  std::string_view want;  // JSON; empty if it does not fit
};

void PrintTo(const TagCase& c, std::ostream* out) { *out << c.tag << ' ' << c.text; }

class TaggedScalarTest : public testing::TestWithParam<TagCase> {};

TEST_P(TaggedScalarTest, IsReadAsTheTagSays) {
  const auto got = ResolveScalar({.text = GetParam().text, .tag = GetParam().tag, .plain = false});
  ASSERT_EQ(got.has_value(), !GetParam().want.empty());
  if (got) EXPECT_EQ(*got, json::parse(GetParam().want));
}

const TagCase kTagged[] = {
    {"tag:yaml.org,2002:str", "12", R"("12")"},
    {"tag:yaml.org,2002:str", "", R"("")"},
    {"tag:yaml.org,2002:int", "12", "12"},
    {"tag:yaml.org,2002:int", "1.5", ""},
    {"tag:yaml.org,2002:int", "x", ""},
    {"tag:yaml.org,2002:float", "3", "3"},
    {"tag:yaml.org,2002:float", "2.5", "2.5"},
    {"tag:yaml.org,2002:float", "x", ""},
    {"tag:yaml.org,2002:bool", "yes", "true"},
    {"tag:yaml.org,2002:bool", "1", ""},
    {"tag:yaml.org,2002:null", "", "null"},
    {"tag:yaml.org,2002:null", "x", ""},
    {"tag:yaml.org,2002:timestamp", "2001-01-01", R"("2001-01-01")"},
    {"tag:yaml.org,2002:timestamp", "soon", ""},
    {"tag:yaml.org,2002:binary", "aGk=", ""},
    {"!", "12", R"("12")"},
    {"!mine", "12", R"("12")"},
};
INSTANTIATE_TEST_SUITE_P(All, TaggedScalarTest, testing::ValuesIn(kTagged));

TEST(ResolveScalar, RefusesWhatJsonCannotHold) {
  for (const char* text : {".inf", "-.INF", "+.Inf", ".nan", ".NaN"}) {
    EXPECT_FALSE(ResolveScalar({.text = text})) << text;
  }
}

TEST(FloatText, IsAsGoFormatsIt) {
  EXPECT_EQ(FloatText(0.5), "0.5");
  EXPECT_EQ(FloatText(123456.5), "123456.5");
  EXPECT_EQ(FloatText(1234567.5), "1.2345675e+06");
  EXPECT_EQ(FloatText(1e6), "1e+06");
  EXPECT_EQ(FloatText(100000.0), "100000");
  EXPECT_EQ(FloatText(1e-4), "0.0001");
  EXPECT_EQ(FloatText(1e-5), "1e-05");
  EXPECT_EQ(FloatText(-1e100), "-1e+100");
  EXPECT_EQ(FloatText(123456789.25F), "1.2345679e+08");
}

TEST(IsTimestamp, KnowsTheFormsOfYaml) {
  for (const char* text : {"2001-12-14T21:59:43.10-05:00", "2001-12-14t21:59:43Z", "2001-1-2 3:4:5",
                           "2001-12-14", "2001-12-14 21:59:43.1"}) {
    EXPECT_TRUE(IsTimestamp(text)) << text;
  }
  for (const char* text : {"", "2001", "2001-12", "2001-13-01", "2001-12-32", "2001-12-14T21:59:43",
                           "2001-12-14 21:59", "01-12-14", "2001-12-14x", "2001-12-14T25:00:00Z"}) {
    EXPECT_FALSE(IsTimestamp(text)) << text;
  }
}

}  // namespace
}  // namespace millwright::kube::yaml
