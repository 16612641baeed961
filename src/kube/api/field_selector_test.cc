#include "kube/api/field_selector.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

namespace millwright::kube {
namespace {

struct TextCase {
  const char* name;
  const char* text;
  const char* want;
};

const TextCase kTexts[] = {
    {"Empty", "", ""},
    {"Equals", "metadata.name=foo", "metadata.name=foo"},
    {"DoubleEqualsIsEquals", "metadata.name==foo", "metadata.name=foo"},
    {"NotEquals", "status.phase!=Running", "status.phase!=Running"},
    {"Several", "status.phase!=Running,metadata.name=foo",
     "metadata.name=foo,status.phase!=Running"},
    {"EmptyValue", "spec.nodeName=", "spec.nodeName="},
    {"StrayCommasAreOverlooked", ",a=b,,c=d,", "a=b,c=d"},
    {"EscapedComma", R"(a=b\,c)", R"(a=b\,c)"},
    {"EscapedEquals", R"(a=b\=c)", R"(a=b\=c)"},
    {"EscapedBackslash", R"(a=b\\,c=d)", R"(a=b\\,c=d)"},
    {"BangInAValue", "a=!b", "a=!b"},
    {"BlanksCount", "a= b", "a= b"},
};

class FieldSelectorTextTest : public testing::TestWithParam<TextCase> {};

TEST_P(FieldSelectorTextTest, IsMadeCanonical) {
  const auto selector = ParseFieldSelector(GetParam().text);
  ASSERT_TRUE(selector) << selector.error().message();
  EXPECT_EQ(selector->ToString(), GetParam().want);
  EXPECT_EQ(*ParseFieldSelector(selector->ToString()), *selector);
}

INSTANTIATE_TEST_SUITE_P(All, FieldSelectorTextTest, testing::ValuesIn(kTexts),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* text;
};

const BadCase kBad[] = {
    {"NoOperator", "metadata.name"},
    {"BangIsNoOperator", "a!b"},
    {"NoPath", "=b"},
    {"NoPathBeforeNotEquals", "!=b"},
    {"EqualsInAValue", "a=b=c"},
    {"DoubleEqualsInAValue", "a==b==c"},
    {"UnknownEscape", R"(a=b\x)"},
    {"BackslashLast", R"(a=b\)"},
};

class FieldSelectorBadTest : public testing::TestWithParam<BadCase> {};

TEST_P(FieldSelectorBadTest, IsRefused) {
  const auto selector = ParseFieldSelector(GetParam().text);
  ASSERT_FALSE(selector);
  EXPECT_EQ(selector.error().kind(), ErrorKind::kInvalid);
}

INSTANTIATE_TEST_SUITE_P(All, FieldSelectorBadTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

struct MatchCase {
  const char* name;
  const char* text;
  std::map<std::string, std::string> fields;
  bool want;
};

const MatchCase kMatches[] = {
    {"EverythingMatches", "", {}, true},
    {"EqualsMatches", "a=b", {{"a", "b"}}, true},
    {"EqualsNeedsTheValue", "a=b", {{"a", "c"}}, false},
    {"NotEqualsHolds", "a!=b", {{"a", "c"}}, true},
    {"AbsentIsEmpty", "a=", {}, true},
    {"AbsentDiffers", "a!=b", {}, true},
    {"AllMustHold", "a=b,c=d", {{"a", "b"}}, false},
    {"ValuesAreUnescaped", R"(a=b\,c)", {{"a", "b,c"}}, true},
};

class FieldSelectorMatchTest : public testing::TestWithParam<MatchCase> {};

TEST_P(FieldSelectorMatchTest, ChoosesByFields) {
  const auto lookup = [](std::string_view path) {
    const auto& fields = GetParam().fields;
    const auto field = fields.find(std::string(path));
    return field == fields.end() ? std::string() : field->second;
  };
  EXPECT_EQ(ParseFieldSelector(GetParam().text)->Matches(lookup), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, FieldSelectorMatchTest, testing::ValuesIn(kMatches),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FieldSelector, TellsTheOneValueAPathMustHave) {
  const FieldSelector selector = *ParseFieldSelector("metadata.name=foo,status.phase!=Running");
  ASSERT_NE(selector.RequiredValue("metadata.name"), nullptr);
  EXPECT_EQ(*selector.RequiredValue("metadata.name"), "foo");
  EXPECT_EQ(selector.RequiredValue("status.phase"), nullptr);
  EXPECT_EQ(selector.RequiredValue("metadata.namespace"), nullptr);
}

TEST(FieldSelector, AnyValueSurvivesItsText) {
  EXPECT_TRUE(rc::check([](const std::string& value, bool equal) {
    const FieldSelector selector({{"spec.nodeName", equal, value}});
    const auto again = ParseFieldSelector(selector.ToString());
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == selector);
  }));
}

}  // namespace
}  // namespace millwright::kube
