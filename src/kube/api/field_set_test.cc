#include "kube/api/field_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

FieldSet Set(std::string_view text) {
  auto set = FieldSet::FromJson(json::parse(text));
  EXPECT_TRUE(set) << set.error().message();
  return set ? *set : FieldSet();
}

std::string Text(const FieldSet& set) { return json::serialize(set.ToJson()); }

struct ElementCase {
  const char* name;
  const char* encoded;
  const char* shown;
};

const ElementCase kElements[] = {
    {"Field", "f:spec", ".spec"},
    {"FieldWithDotsAndSlashes", "f:example.com/a.b", ".example.com/a.b"},
    {"EmptyField", "f:", "."},
    {"Key", R"(k:{"name":"a"})", R"([name="a"])"},
    {"KeyOfSeveralFields", R"(k:{"containerPort":80,"protocol":"TCP"})",
     R"([containerPort=80,protocol="TCP"])"},
    {"Value", R"(v:"x")", R"([="x"])"},
    {"NumberValue", "v:1", "[=1]"},
    {"BoolValue", "v:true", "[=true]"},
    {"NullValue", "v:null", "[=null]"},
    {"Index", "i:3", "[3]"},
    {"HtmlIsEscapedInValues", R"(v:"\u003ca\u003e")", R"([="<a>"])"},
};

class PathElementTest : public testing::TestWithParam<ElementCase> {};

TEST_P(PathElementTest, HasAnEncodedAndAReadableForm) {
  const auto element = PathElement::Decode(GetParam().encoded);
  ASSERT_TRUE(element && *element);
  EXPECT_EQ((*element)->Encode(), GetParam().encoded);
  EXPECT_EQ((*element)->ToString(), GetParam().shown);
}

INSTANTIATE_TEST_SUITE_P(All, PathElementTest, testing::ValuesIn(kElements),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(PathElement, SortsKeyFieldsByName) {
  const auto element = PathElement::Decode(R"(k:{"b":1,"a":2})");
  EXPECT_EQ((*element)->Encode(), R"(k:{"a":2,"b":1})");
}

TEST(PathElement, SkipsKindsOfALaterVersion) {
  const auto element = PathElement::Decode("x:whatever");
  ASSERT_TRUE(element);
  EXPECT_FALSE(*element);
}

TEST(PathElement, RefusesWhatIsNoElement) {
  for (const char* text : {"", "f", "spec", "k:1", "k:{", "v:", "i:x", "i:1x", "v:{\"a\""}) {
    EXPECT_FALSE(PathElement::Decode(text)) << text;
  }
}

TEST(PathElement, TakesWholeAndBrokenNumbersAsEqual) {
  EXPECT_EQ(PathElement::Value(1), PathElement::Value(1.0));
  EXPECT_NE(PathElement::Value(1), PathElement::Value("1"));
}

TEST(FieldSet, ReadsAndWritesFieldsV1) {
  const char* text =
      R"({"f:metadata":{"f:labels":{".":{},"f:app":{}}},)"
      R"("f:spec":{"f:list":{"k:{\"name\":\"a\"}":{".":{},"f:name":{}}},"f:set":{"v:\"x\"":{}}}})";
  EXPECT_EQ(Text(Set(text)), text);
}

TEST(FieldSet, WritesElementsInOrder) {
  EXPECT_EQ(Text(Set(R"({"i:0":{},"v:2":{},"v:1":{},"k:{\"a\":1}":{},"f:b":{},"f:a":{}})")),
            R"({"f:a":{},"f:b":{},"k:{\"a\":1}":{},"v:1":{},"v:2":{},"i:0":{}})");
}

TEST(FieldSet, ListsMembersByLevel) {
  const FieldSet set = Set(
      R"({"f:status":{".":{},"f:c":{".":{},"f:a":{}},"f:e":{}},"f:spec":{"f:x":{"k:{\"n\":\"a\"}":{"f:i":{}}}}})");
  EXPECT_THAT(set.Paths(), testing::ElementsAre(".status", R"(.spec.x[n="a"].i)", ".status.c",
                                                ".status.e", ".status.c.a"));
  EXPECT_EQ(set.size(), 5U);
}

TEST(FieldSet, MergesTwoSpellingsOfOneElement) {
  EXPECT_EQ(Text(Set(R"({"k:{\"a\":1,\"b\":2}":{"f:x":{}},"k:{\"b\":2,\"a\":1}":{}})")),
            R"({"k:{\"a\":1,\"b\":2}":{".":{},"f:x":{}}})");
}

TEST(FieldSet, TakesANodeOfUnknownElementsAsAMember) {
  EXPECT_EQ(Text(Set(R"({"f:a":{"z:1":{}}})")), R"({"f:a":{}})");
}

TEST(FieldSet, RefusesWhatIsNoSet) {
  for (const char* text : {"[]", "1", "null", R"({"f:a":1})", R"({"nonsense":{}})"}) {
    EXPECT_FALSE(FieldSet::FromJson(json::parse(text))) << text;
  }
}

TEST(FieldSet, RefusesBottomlessNesting) {
  json::value deep = json::object();
  for (int i = 0; i < 1000; ++i) deep = json::object({{"f:a", std::move(deep)}});
  EXPECT_FALSE(FieldSet::FromJson(deep));
}

TEST(FieldSet, KnowsItsMembers) {
  const FieldSet set = Set(R"({"f:spec":{"f:a":{}}})");
  const auto spec = PathElement::Field("spec");
  EXPECT_TRUE(set.Contains(FieldPath{spec, PathElement::Field("a")}));
  EXPECT_FALSE(set.Contains(FieldPath{spec}));
  EXPECT_FALSE(set.Contains(FieldPath{spec, PathElement::Field("b")}));
  EXPECT_FALSE(set.Contains(FieldPath{}));
}

TEST(FieldSet, DoesNotHoldTheWholeObject) {
  FieldSet set;
  set.Insert(FieldPath{});
  EXPECT_TRUE(set.empty());
}

struct OperationCase {
  const char* name;
  const char* a;
  const char* b;
  const char* united;
  const char* shared;
  const char* difference;
  const char* recursive;
};

const OperationCase kOperations[] = {
    {"Disjoint", R"({"f:a":{}})", R"({"f:b":{}})", R"({"f:a":{},"f:b":{}})", "{}", R"({"f:a":{}})",
     R"({"f:a":{}})"},
    {"Equal", R"({"f:a":{}})", R"({"f:a":{}})", R"({"f:a":{}})", R"({"f:a":{}})", "{}", "{}"},
    {"ChildWithoutParent", R"({"f:a":{"f:b":{}}})", R"({"f:a":{}})", R"({"f:a":{".":{},"f:b":{}}})",
     "{}", R"({"f:a":{"f:b":{}}})", "{}"},
    {"ParentWithoutChild", R"({"f:a":{}})", R"({"f:a":{"f:b":{}}})", R"({"f:a":{".":{},"f:b":{}}})",
     "{}", R"({"f:a":{}})", R"({"f:a":{}})"},
    {"ParentAndChildWithoutParent", R"({"f:a":{".":{},"f:b":{}}})", R"({"f:a":{}})",
     R"({"f:a":{".":{},"f:b":{}}})", R"({"f:a":{}})", R"({"f:a":{"f:b":{}}})", "{}"},
};

class FieldSetOperationTest : public testing::TestWithParam<OperationCase> {};

TEST_P(FieldSetOperationTest, Combines) {
  const FieldSet a = Set(GetParam().a);
  const FieldSet b = Set(GetParam().b);
  EXPECT_EQ(Text(a.Union(b)), GetParam().united);
  EXPECT_EQ(Text(a.Intersection(b)), GetParam().shared);
  EXPECT_EQ(Text(a.Difference(b)), GetParam().difference);
  EXPECT_EQ(Text(a.RecursiveDifference(b)), GetParam().recursive);
}

INSTANTIATE_TEST_SUITE_P(All, FieldSetOperationTest, testing::ValuesIn(kOperations),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FieldSet, LeavesAreMembersWithNothingBelow) {
  EXPECT_EQ(Text(Set(R"({"f:a":{".":{},"f:b":{}},"f:c":{}})").Leaves()),
            R"({"f:a":{"f:b":{}},"f:c":{}})");
}

// Few elements, so that random sets overlap.
FieldSet RandomSet() {
  const auto element = rc::gen::element<std::string>("f:a", "f:b", R"(k:{"n":1})", "v:1", "i:0");
  const auto path = rc::gen::container<std::vector<std::string>>(element);
  FieldSet set;
  for (const auto& names :
       *rc::gen::scale(0.2, rc::gen::container<std::vector<std::vector<std::string>>>(path))) {
    FieldPath steps;
    for (const auto& name : names) steps.push_back(**PathElement::Decode(name));
    set.Insert(steps);
  }
  return set;
}

RC_GTEST_PROP(FieldSetLaws, SurvivesItsTextForm, ()) {
  const FieldSet set = RandomSet();
  RC_ASSERT(*FieldSet::FromJson(set.ToJson()) == set);
}

RC_GTEST_PROP(FieldSetLaws, UnionAndIntersectionDoNotMindTheOrder, ()) {
  const FieldSet a = RandomSet();
  const FieldSet b = RandomSet();
  RC_ASSERT(a.Union(b) == b.Union(a));
  RC_ASSERT(a.Intersection(b) == b.Intersection(a));
  RC_ASSERT(a.Union(a) == a);
  RC_ASSERT(a.Intersection(a) == a);
}

RC_GTEST_PROP(FieldSetLaws, UnionIsAssociative, ()) {
  const FieldSet a = RandomSet();
  const FieldSet b = RandomSet();
  const FieldSet c = RandomSet();
  RC_ASSERT(a.Union(b).Union(c) == a.Union(b.Union(c)));
}

RC_GTEST_PROP(FieldSetLaws, DifferenceAndIntersectionMakeUpTheWhole, ()) {
  const FieldSet a = RandomSet();
  const FieldSet b = RandomSet();
  RC_ASSERT(a.Difference(b).Union(a.Intersection(b)) == a);
  RC_ASSERT(a.Difference(b).Intersection(b).empty());
  RC_ASSERT(a.Difference(a).empty());
}

RC_GTEST_PROP(FieldSetLaws, RecursiveDifferenceTakesAtLeastAsMuch, ()) {
  const FieldSet a = RandomSet();
  const FieldSet b = RandomSet();
  const FieldSet recursive = a.RecursiveDifference(b);
  RC_ASSERT(recursive.Difference(a.Difference(b)).empty());
}

RC_GTEST_PROP(FieldSetLaws, ContainsWhatItLists, ()) {
  const FieldSet set = RandomSet();
  std::size_t count = 0;
  set.ForEach([&](const FieldPath& path) {
    ++count;
    RC_ASSERT(set.Contains(path));
  });
  RC_ASSERT(count == set.size());
}

}  // namespace
}  // namespace millwright::kube
