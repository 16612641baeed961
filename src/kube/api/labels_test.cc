#include "kube/api/labels.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

struct TextCase {
  const char* name;
  const char* text;
  const char* want;
};

const TextCase kTexts[] = {
    {"Empty", "", ""},
    {"OnlyBlanks", " \t\n", ""},
    {"Exists", "a", "a"},
    {"DoesNotExist", "!a", "!a"},
    {"Equals", "a=b", "a=b"},
    {"DoubleEqualsStaysAsWritten", "a==b", "a==b"},
    {"NotEquals", "a!=b", "a!=b"},
    {"In", "a in (b,c)", "a in (b,c)"},
    {"NotIn", "a notin (b)", "a notin (b)"},
    {"GreaterThan", "a>5", "a>5"},
    {"LessThan", "a<5", "a<5"},
    {"BlanksVanish", " a = b ,\tc in ( d , e ) ", "a=b,c in (d,e)"},
    {"NoBlankBeforeParenthesis", "a in(b)", "a in (b)"},
    {"ValuesAreSortedOnce", "a in (c,b,c)", "a in (b,c)"},
    {"KeysAreSorted", "c,b=1,a", "a,b=1,c"},
    {"SameKeyKeepsItsOrder", "b=1,a=2,b=0", "a=2,b=1,b=0"},
    {"EmptyValue", "a=", "a="},
    {"EmptyValueBeforeComma", "a=,b", "a=,b"},
    {"EmptyList", "a in ()", "a in ()"},
    {"EmptyValueInList", "a in (x,,y)", "a in (,x,y)"},
    {"OperatorWordsAreNames", "in in (in,notin),notin", "in in (in,notin),notin"},
    {"PrefixedKey", "example.com/a=b", "example.com/a=b"},
};

class LabelSelectorTextTest : public testing::TestWithParam<TextCase> {};

TEST_P(LabelSelectorTextTest, IsMadeCanonical) {
  const auto selector = ParseLabelSelector(GetParam().text);
  ASSERT_TRUE(selector) << selector.error().message();
  EXPECT_EQ(selector->ToString(), GetParam().want);
  EXPECT_EQ(*ParseLabelSelector(selector->ToString()), *selector);
}

INSTANTIATE_TEST_SUITE_P(All, LabelSelectorTextTest, testing::ValuesIn(kTexts),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* text;
  const char* says;
};

const BadCase kBad[] = {
    {"CommaOnly", ",", "found ',' at offset 0"},
    {"CommaLast", "a,", "found the end at offset 2"},
    {"TwoCommas", "a,,b", "found ',' at offset 2"},
    {"ValueWithoutKey", "=b", "found '=' at offset 0"},
    {"TwoWords", "a b", "found 'b' at offset 2"},
    {"InWithoutList", "a in b", "expected '('"},
    {"ListNotClosed", "a in (b", "expected ',' or ')'"},
    {"ListWithSymbol", "a in (=)", "expected ',' or ')'"},
    {"AbsentWithValue", "!a=b", "expected ',' or the end"},
    {"TwoValues", "a=b=c", "expected ',' or the end"},
    {"SymbolForValue", "a=(", "expected a value"},
    {"BangOnly", "!", "expected a key"},
    {"BangForOperator", "a!b", "expected one of"},
    {"KeyWithTwoSlashes", "a/b/c=d", "a valid label key"},
    {"BadValue", "a=-b", "a valid label"},
    {"BoundIsNotANumber", "a>x", "whole numbers"},
    {"BoundIsMissing", "a>", "whole numbers"},
    {"BoundIsTooLarge", "a>99999999999999999999", "whole numbers"},
};

class LabelSelectorBadTest : public testing::TestWithParam<BadCase> {};

TEST_P(LabelSelectorBadTest, IsRefused) {
  const auto selector = ParseLabelSelector(GetParam().text);
  ASSERT_FALSE(selector);
  EXPECT_EQ(selector.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(selector.error().message().find(GetParam().says), std::string::npos)
      << selector.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, LabelSelectorBadTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

struct MatchCase {
  const char* name;
  const char* text;
  Labels labels;
  bool want;
};

const MatchCase kMatches[] = {
    {"EverythingMatchesNoLabels", "", {}, true},
    {"EqualsMatches", "a=b", {{"a", "b"}}, true},
    {"EqualsNeedsTheValue", "a=b", {{"a", "c"}}, false},
    {"EqualsNeedsTheKey", "a=b", {}, false},
    {"NotEqualsHoldsForAnotherValue", "a!=b", {{"a", "c"}}, true},
    {"NotEqualsFailsForTheValue", "a!=b", {{"a", "b"}}, false},
    {"NotEqualsHoldsWithoutTheKey", "a!=b", {}, true},
    {"InMatchesAny", "a in (b,c)", {{"a", "c"}}, true},
    {"InNeedsTheKey", "a in (b,c)", {{"x", "c"}}, false},
    {"NotInFailsForAny", "a notin (b,c)", {{"a", "c"}}, false},
    {"NotInHoldsWithoutTheKey", "a notin (b,c)", {}, true},
    {"EmptyValueIsAValue", "a=", {{"a", ""}}, true},
    {"EmptyValueIsNotAbsence", "a=", {}, false},
    {"ExistsTakesAnyValue", "a", {{"a", ""}}, true},
    {"DoesNotExist", "!a", {{"b", ""}}, true},
    {"DoesNotExistFails", "!a", {{"a", ""}}, false},
    {"GreaterIsStrict", "a>5", {{"a", "5"}}, false},
    {"GreaterComparesNumbers", "a>5", {{"a", "10"}}, true},
    {"LessComparesNumbers", "a<10", {{"a", "9"}}, true},
    {"NumbersNeedANumber", "a<10", {{"a", "few"}}, false},
    {"NumbersNeedTheKey", "a<10", {}, false},
    {"AllMustHold", "a=b,c", {{"a", "b"}}, false},
};

class LabelSelectorMatchTest : public testing::TestWithParam<MatchCase> {};

TEST_P(LabelSelectorMatchTest, ChoosesByLabels) {
  EXPECT_EQ(ParseLabelSelector(GetParam().text)->Matches(GetParam().labels), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, LabelSelectorMatchTest, testing::ValuesIn(kMatches),
                         [](const auto& test) { return std::string(test.param.name); });

const TextCase kObjects[] = {
    {"Empty", "{}", ""},
    {"NullParts", R"({"matchLabels":null,"matchExpressions":null})", ""},
    {"MatchLabels", R"({"matchLabels":{"b":"1","a":"2"}})", "a=2,b=1"},
    {"In", R"({"matchExpressions":[{"key":"a","operator":"In","values":["c","b"]}]})",
     "a in (b,c)"},
    {"NotIn", R"({"matchExpressions":[{"key":"a","operator":"NotIn","values":["b"]}]})",
     "a notin (b)"},
    {"Exists", R"({"matchExpressions":[{"key":"a","operator":"Exists"}]})", "a"},
    {"DoesNotExist", R"({"matchExpressions":[{"key":"a","operator":"DoesNotExist","values":[]}]})",
     "!a"},
    {"Both", R"({"matchLabels":{"b":"1"},"matchExpressions":[{"key":"a","operator":"Exists"}]})",
     "a,b=1"},
};

class LabelSelectorObjectTest : public testing::TestWithParam<TextCase> {};

TEST_P(LabelSelectorObjectTest, IsDecoded) {
  const auto selector = DecodeLabelSelector(boost::json::parse(GetParam().text));
  ASSERT_TRUE(selector) << selector.error().message();
  EXPECT_EQ(selector->ToString(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, LabelSelectorObjectTest, testing::ValuesIn(kObjects),
                         [](const auto& test) { return std::string(test.param.name); });

const BadCase kBadObjects[] = {
    {"List", "[]", "must be an object"},
    {"LabelsAreAList", R"({"matchLabels":[]})", "matchLabels"},
    {"LabelIsANumber", R"({"matchLabels":{"a":1}})", "strings"},
    {"LabelValueIsBad", R"({"matchLabels":{"a":"-"}})", "a valid label"},
    {"ExpressionsAreAnObject", R"({"matchExpressions":{}})", "matchExpressions"},
    {"ExpressionIsAString", R"({"matchExpressions":["a"]})", "must be an object"},
    {"NoKey", R"({"matchExpressions":[{"operator":"Exists"}]})", "must have a key"},
    {"NoOperator", R"({"matchExpressions":[{"key":"a"}]})", "the operator"},
    {"UnknownOperator", R"({"matchExpressions":[{"key":"a","operator":"Gt","values":["1"]}]})",
     "the operator"},
    {"InWithoutValues", R"({"matchExpressions":[{"key":"a","operator":"In"}]})",
     "at least one value"},
    {"ExistsWithValues", R"({"matchExpressions":[{"key":"a","operator":"Exists","values":["b"]}]})",
     "takes no values"},
    {"ValuesAreNumbers", R"({"matchExpressions":[{"key":"a","operator":"In","values":[1]}]})",
     "strings"},
};

class LabelSelectorBadObjectTest : public testing::TestWithParam<BadCase> {};

TEST_P(LabelSelectorBadObjectTest, IsRefused) {
  const auto selector = DecodeLabelSelector(boost::json::parse(GetParam().text));
  ASSERT_FALSE(selector);
  EXPECT_NE(selector.error().message().find(GetParam().says), std::string::npos)
      << selector.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, LabelSelectorBadObjectTest, testing::ValuesIn(kBadObjects),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(LabelSelector, NullSelectsNothingAndEmptyEverything) {
  const LabelSelector nothing = *DecodeLabelSelector(nullptr);
  EXPECT_TRUE(nothing.IsNothing());
  EXPECT_FALSE(nothing.Matches({}));
  EXPECT_FALSE(nothing.Matches({{"a", "b"}}));
  EXPECT_EQ(nothing, LabelSelector::Nothing());

  const LabelSelector everything = *DecodeLabelSelector(boost::json::object());
  EXPECT_TRUE(everything.IsEverything());
  EXPECT_TRUE(everything.Matches({{"a", "b"}}));
  EXPECT_EQ(everything, LabelSelector::Everything());
}

TEST(LabelSelector, NegationsAreOpposites) {
  EXPECT_TRUE(rc::check([] {
    const auto letter = rc::gen::element<std::string>("a", "b", "c");
    Labels labels;
    for (const auto& name : *rc::gen::container<std::vector<std::string>>(letter))
      labels[name] = *letter;
    const std::string key = *letter;
    const std::string value = *letter;
    const auto matches = [&](const std::string& text) {
      return ParseLabelSelector(text)->Matches(labels);
    };
    RC_ASSERT(matches(key + "=" + value) != matches(key + "!=" + value));
    RC_ASSERT(matches(key + " in (" + value + ",a)") != matches(key + " notin (" + value + ",a)"));
    RC_ASSERT(matches(key) != matches("!" + key));
  }));
}

}  // namespace
}  // namespace millwright::kube
