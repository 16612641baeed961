#include "kube/api/typed_text.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/typed_value.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

TEST(FloatText, IsGosPercentV) {
  const std::pair<double, const char*> cases[] = {
      {0, "0"},
      {1, "1"},
      {100000, "100000"},
      {1000000, "1e+06"},
      {-2.5, "-2.5"},
      {0.0001, "0.0001"},
      {0.00001, "1e-05"},
      {123456789, "1.23456789e+08"},
      {1e21, "1e+21"},
      {1e100, "1e+100"},
      {1234567.5, "1.2345675e+06"},
      {0.1, "0.1"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(FloatText(number), text);
}

TEST(TypedText, WritesNumbersAsJavaScript) {
  const std::pair<double, const char*> cases[] = {
      {1000000, "1000000"}, {1e20, "100000000000000000000"},
      {1e21, "1e+21"},      {0.000001, "0.000001"},
      {1e-7, "1e-7"},       {1.5e-9, "1.5e-9"},
      {-0.5, "-0.5"},
  };
  for (const auto& [number, text] : cases) EXPECT_EQ(JsonText(number), text);
}

TEST(TypedText, SortsKeysAndEscapesHtml) {
  EXPECT_EQ(JsonText(json::parse(R"({"b":[1,null,true],"a":"<&>\u2028\n\u0001"})")),
            R"({"a":"\u003c\u0026\u003e\u2028\n\u0001","b":[1,null,true]})");
}

TEST(QuotedText, IsGosPercentQ) {
  EXPECT_EQ(QuotedText("a\"\\\n\t\x01\x7f"), R"("a\"\\\n\t\x01\x7f")");
  EXPECT_EQ(QuotedText("é😀"), R"("é😀")");
  EXPECT_EQ(QuotedText("\u00a0\u200b\u2028"), R"("\u00a0\u200b\u2028")");
  EXPECT_EQ(QuotedText("\xff\xc3"), R"("\xff\xc3")");
}

TEST(ValueText, ShowsHugeNumbersAsGoHoldsThem) {
  EXPECT_EQ(ValueText(json::value(UINT64_C(9223372036854775808))), "9.223372036854776e+18");
  EXPECT_EQ(ValueText(json::value(INT64_C(9007199254740993))), "9007199254740993");
}

TEST(CompareValues, OrdersNumbersByValueAndKindsByRank) {
  const json::array order =
      json::parse(
          R"([-1.5,0,1,1.5,9007199254740992,9007199254740993,9223372036854775808,1e300,"","a",false,true,[],[1],{},{"a":1},null])")
          .as_array();
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::size_t j = 0; j < order.size(); ++j) {
      EXPECT_EQ(CompareValues(order[i], order[j]) < 0, i < j) << order[i] << " " << order[j];
    }
  }
}

TEST(SameValue, IgnoresTheOrderOfKeysAndTheSpellingOfNumbers) {
  EXPECT_TRUE(SameValue(json::parse(R"({"a":1,"b":2.0})"), json::parse(R"({"b":2,"a":1.0})")));
  EXPECT_FALSE(SameValue(json::parse("[1,2]"), json::parse("[2,1]")));
  EXPECT_FALSE(SameValue(json::parse("9007199254740993"), json::parse("9007199254740992.0")));
}

TEST(IsNestedTooDeep, CountsListsAndObjects) {
  json::value value = 1;
  for (int i = 0; i < kMaxNesting; ++i) {
    EXPECT_FALSE(IsNestedTooDeep(value));
    if (i % 2 == 0) {
      value = json::array({std::move(value)});
    } else {
      value = json::object({{"a", std::move(value)}});
    }
  }
  EXPECT_FALSE(IsNestedTooDeep(value));
  EXPECT_TRUE(IsNestedTooDeep(json::array({value})));
}

}  // namespace
}  // namespace millwright::kube
