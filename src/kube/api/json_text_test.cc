#include "kube/api/json_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <string>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

struct Case {
  const char* name;
  std::string text;
  json::value want;
};

const Case kCases[] = {
    {"Object", R"({"a":{"b":[1,true,null,"x"]}})", {{"a", {{"b", {1, true, nullptr, "x"}}}}}},
    {"Scalar", "true", true},
    {"BlanksAround", " \n\t[1]\r\n ", json::array{1}},
    {"EmptyObject", "{}", json::object()},
    {"EmptyArray", "[]", json::array()},
    {"EscapedKey", R"({"a\u002fb\n":1})", {{"a/b\n", 1}}},
    {"SurrogatePair", R"("\ud83d\ude00")", "\U0001F600"},
    {"LastDuplicateWins", R"({"a":1,"b":2,"a":3})", {{"a", 3}, {"b", 2}}},
    {"LargestInt", "9223372036854775807", INT64_MAX},
    {"SmallestInt", "-9223372036854775808", INT64_MIN},
    {"AboveIntIsUnsigned", "9223372036854775808", uint64_t{1} << 63},
    {"LargestUnsigned", "18446744073709551615", UINT64_MAX},
    {"AboveUnsignedIsDouble", "18446744073709551616", 18446744073709551616.0},
    {"BelowIntIsDouble", "-9223372036854775809", -9223372036854775808.0},
    {"HugeIntegerIsDouble", "1" + std::string(100, '0'), 1e100},
    {"WholeDoubleIsInt", "3.0", 3},
    {"WholeExponentIsInt", "3e2", 300},
    {"MinusZero", "-0.0", 0},
    {"Fraction", "0.5", 0.5},
    {"ExactDouble", "3.0517578125e-5", 3.0517578125e-5},
    {"NearestDouble", "0.1234567890123456789", 0.1234567890123456789},
    {"SmallestDouble", "4.9406564584124654e-324", 4.9406564584124654e-324},
    {"BelowSmallestIsZero", "1e-999", 0},
    {"LargestDouble", "1.7976931348623157e308", 1.7976931348623157e308},
};

class ParseJsonTest : public testing::TestWithParam<Case> {};

TEST_P(ParseJsonTest, Reads) {
  const auto value = ParseJson(GetParam().text);
  ASSERT_TRUE(value) << value.error().message();
  EXPECT_EQ(*value, GetParam().want);
  EXPECT_EQ(value->kind(), GetParam().want.kind());
  EXPECT_TRUE(ParseJson(GetParam().text, {.refuse_duplicate_keys = false}));
}

INSTANTIATE_TEST_SUITE_P(All, ParseJsonTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  std::string text;
  const char* says;
};

const BadCase kBad[] = {
    {"Empty", "", "ends too early"},
    {"Blanks", "  ", "ends too early"},
    {"Cut", R"({"a":)", "ends too early"},
    {"SecondValue", "{} {}", "offset 3: something follows"},
    {"TrailingComma", "[1,]", "offset 3"},
    {"SingleQuotes", "{'a':1}", "offset 1"},
    {"Comment", "/* */ 1", "offset 0"},
    {"NotANumber", "NaN", "offset 0"},
    {"LeadingZero", "01", "offset 1"},
    {"OutOfRange", "1e999", "out of range"},
    {"InvalidUtf8", "\"\xff\"", "offset 1"},
    {"OverlongUtf8", "\"\xc0\xaf\"", "offset 1"},
    {"SurrogateInUtf8", "\"\xed\xa0\x80\"", "offset"},
    {"LoneSurrogate", R"("\ud800")", "offset"},
    {"InvalidUtf8InKey", "{\"\xff\":1}", "offset 2"},
    {"ControlCharacter", "\"\x01\"", "offset 1"},
};

class ParseBadJsonTest : public testing::TestWithParam<BadCase> {};

TEST_P(ParseBadJsonTest, IsRefusedWithTheOffset) {
  const auto value = ParseJson(GetParam().text);
  ASSERT_FALSE(value);
  EXPECT_EQ(value.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(value.error().message().find(GetParam().says), std::string::npos)
      << value.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, ParseBadJsonTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

struct DuplicateCase {
  const char* name;
  const char* text;
  const char* path;
};

const DuplicateCase kDuplicates[] = {
    {"AtTheTop", R"({"a":1,"a":2})", "\"a\""},
    {"Nested", R"({"spec":{"b":1,"c":{"d":1},"b":2}})", "\"spec.b\""},
    {"InAList", R"({"list":[0,{"x":[{}]},{"a":1,"a":1}]})", "\"list[2].a\""},
    {"InNestedLists", R"([[],[1,{"a":1,"a":1}]])", "\"[1][1].a\""},
    {"WrittenDifferently", R"({"a":1,"\u0061":2})", "\"a\""},
};

class DuplicateKeyTest : public testing::TestWithParam<DuplicateCase> {};

TEST_P(DuplicateKeyTest, IsRefusedWithItsPathWhenStrict) {
  EXPECT_TRUE(ParseJson(GetParam().text));
  const auto value = ParseJson(GetParam().text, {.refuse_duplicate_keys = true});
  ASSERT_FALSE(value);
  EXPECT_NE(value.error().message().find("duplicate field " + std::string(GetParam().path)),
            std::string::npos)
      << value.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, DuplicateKeyTest, testing::ValuesIn(kDuplicates),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ParseJson, SameKeyInDifferentObjectsIsNoDuplicate) {
  EXPECT_TRUE(
      ParseJson(R"({"a":{"a":[{"a":1},{"a":1}]},"b":{"a":1}})", {.refuse_duplicate_keys = true}));
}

TEST(ParseJson, HoldsToItsLimits) {
  const std::string deep = std::string(1000, '[') + std::string(1000, ']');
  EXPECT_TRUE(ParseJson(deep));
  const auto deeper = ParseJson("[" + deep + "]");
  ASSERT_FALSE(deeper);
  EXPECT_NE(deeper.error().message().find("nested deeper than 1000 levels"), std::string::npos);

  EXPECT_TRUE(ParseJson("[1]", {.max_bytes = 3}));
  const auto longer = ParseJson("[12]", {.max_bytes = 3});
  ASSERT_FALSE(longer);
  EXPECT_NE(longer.error().message().find("4 bytes is longer than 3"), std::string::npos);
}

TEST(ParseJson, ReadsDoublesExactly) {
  EXPECT_TRUE(rc::check([](int64_t mantissa, int8_t exponent) {
    const std::string text = std::to_string(mantissa) + "e" + std::to_string(exponent);
    const auto value = ParseJson(text);
    RC_ASSERT(value.has_value());
    RC_ASSERT(value->to_number<double>() == std::strtod(text.c_str(), nullptr));
  }));
}

class AccessTest : public testing::Test {
 protected:
  const json::value tree_ = json::parse(
      R"({"spec":{"name":"x","count":3,"on":true,"list":[1],"map":{"k":"v"},"none":null}})");
};

TEST_F(AccessTest, FindsByPath) {
  EXPECT_EQ(Find(tree_, ""), &tree_);
  EXPECT_EQ(*Find(tree_, "spec.map.k"), "v");
  EXPECT_TRUE(Find(tree_, "spec.none")->is_null());
  EXPECT_EQ(Find(tree_, "spec.missing.k"), nullptr);
  EXPECT_EQ(Find(tree_, "spec.name.k"), nullptr);
  EXPECT_EQ(Find(tree_, "spec.list.0"), nullptr);
}

TEST_F(AccessTest, GivesTheFallbackForWhatIsMissingOrOfAnotherType) {
  EXPECT_EQ(GetString(tree_, "spec.name"), "x");
  EXPECT_EQ(GetString(tree_, "spec.count", "?"), "?");
  EXPECT_EQ(GetInt(tree_, "spec.count"), 3);
  EXPECT_EQ(GetInt(tree_, "spec.name", -1), -1);
  EXPECT_TRUE(GetBool(tree_, "spec.on"));
  EXPECT_TRUE(GetBool(tree_, "spec.off", true));
  EXPECT_EQ(GetObject(tree_, "spec.map")->size(), 1U);
  EXPECT_EQ(GetObject(tree_, "spec.list"), nullptr);
  EXPECT_EQ(GetArray(tree_, "spec.list")->size(), 1U);
  EXPECT_EQ(GetArray(tree_, "spec.none"), nullptr);
}

}  // namespace
}  // namespace millwright::kube
