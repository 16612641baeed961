#include "kube/api/json_patch.h"

#include <gtest/gtest.h>

#include <string>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

struct Case {
  const char* name;
  const char* document;
  const char* patch;
  const char* want;
};

const Case kCases[] = {
    {"Nothing", R"({"a":1})", "[]", R"({"a":1})"},
    {"AddMember", R"({"a":1})", R"([{"op":"add","path":"/b","value":2}])", R"({"a":1,"b":2})"},
    {"AddReplacesAMember", R"({"a":1})", R"([{"op":"add","path":"/a","value":2}])", R"({"a":2})"},
    {"AddNull", R"({})", R"([{"op":"add","path":"/a","value":null}])", R"({"a":null})"},
    {"AddInsertsIntoAList", "[1,2]", R"([{"op":"add","path":"/1","value":9}])", "[1,9,2]"},
    {"AddAtTheEndByIndex", "[1,2]", R"([{"op":"add","path":"/2","value":9}])", "[1,2,9]"},
    {"AddAtTheEndByDash", "[1,2]", R"([{"op":"add","path":"/-","value":9}])", "[1,2,9]"},
    {"AddListAsOneItem", "[1]", R"([{"op":"add","path":"/-","value":[2,3]}])", "[1,[2,3]]"},
    {"AddWholeDocument", R"({"a":1})", R"([{"op":"add","path":"","value":[]}])", "[]"},
    {"AddDashIsAMemberOfObjects", "{}", R"([{"op":"add","path":"/-","value":1}])", R"({"-":1})"},
    {"RemoveMember", R"({"a":1,"b":2})", R"([{"op":"remove","path":"/a"}])", R"({"b":2})"},
    {"RemoveItem", "[1,2,3]", R"([{"op":"remove","path":"/1"}])", "[1,3]"},
    {"ReplaceMember", R"({"a":1})", R"([{"op":"replace","path":"/a","value":[]}])", R"({"a":[]})"},
    {"ReplaceItem", "[1,2]", R"([{"op":"replace","path":"/1","value":9}])", "[1,9]"},
    {"ReplaceWholeDocument", R"({"a":1})", R"([{"op":"replace","path":"","value":7}])", "7"},
    {"MoveMember", R"({"a":{"b":1},"c":{}})", R"([{"op":"move","from":"/a/b","path":"/c/d"}])",
     R"({"a":{},"c":{"d":1}})"},
    {"MoveItemCountsAfterRemoval", "[1,2,3]", R"([{"op":"move","from":"/0","path":"/2"}])",
     "[2,3,1]"},
    {"MoveToItself", R"({"a":1})", R"([{"op":"move","from":"/a","path":"/a"}])", R"({"a":1})"},
    {"MoveOverItsParent", R"({"a":{"b":{"c":1}}})", R"([{"op":"move","from":"/a/b","path":"/a"}])",
     R"({"a":{"c":1}})"},
    {"CopyMember", R"({"a":{"b":1}})", R"([{"op":"copy","from":"/a","path":"/c"}])",
     R"({"a":{"b":1},"c":{"b":1}})"},
    {"CopyIntoItself", R"({"a":1})", R"([{"op":"copy","from":"","path":"/b"}])",
     R"({"a":1,"b":{"a":1}})"},
    {"TestHolds", R"({"a":{"b":[1,"x"]}})", R"([{"op":"test","path":"/a","value":{"b":[1,"x"]}}])",
     R"({"a":{"b":[1,"x"]}})"},
    {"TestComparesNumbersByValue", R"({"a":1})", R"([{"op":"test","path":"/a","value":1.0}])",
     R"({"a":1})"},
    {"TestOverlooksOrderOfMembers", R"({"a":1,"b":2})",
     R"([{"op":"test","path":"","value":{"b":2,"a":1}}])", R"({"a":1,"b":2})"},
    {"EscapedPath", R"({"a/b":1,"m~n":2})",
     R"([{"op":"remove","path":"/a~1b"},{"op":"test","path":"/m~0n","value":2}])", R"({"m~n":2})"},
    {"EmptyKey", R"({"":1})", R"([{"op":"replace","path":"/","value":2}])", R"({"":2})"},
    {"OperationsSeeEarlierOnes", "{}",
     R"([{"op":"add","path":"/a","value":{}},{"op":"add","path":"/a/b","value":1}])",
     R"({"a":{"b":1}})"},
    {"UnknownMembersAreOverlooked", R"({"a":1})", R"([{"op":"remove","path":"/a","why":"old"}])",
     "{}"},
};

class JsonPatchTest : public testing::TestWithParam<Case> {};

TEST_P(JsonPatchTest, IsApplied) {
  const auto result =
      ApplyJsonPatch(json::parse(GetParam().document), json::parse(GetParam().patch));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(*result, json::parse(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, JsonPatchTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  const char* document;
  const char* patch;
  const char* says;
};

const BadCase kBad[] = {
    {"NotAList", "{}", "{}", "must be a list"},
    {"OperationIsNoObject", "{}", "[1]", "operation 0 (? '?'): it must be an object"},
    {"NoOp", "{}", R"([{"path":"/a"}])", "'op' must be a string"},
    {"UnknownOp", "{}", R"([{"op":"merge","path":"/a"}])",
     "operation 0 (merge '/a'): 'op' must be one of"},
    {"NoPath", "{}", R"([{"op":"remove"}])", "'path' must be a string"},
    {"PathWithoutSlash", "{}", R"([{"op":"remove","path":"a"}])", "must begin with '/'"},
    {"BadEscape", "{}", R"([{"op":"remove","path":"/~2"}])", "must be written '~0'"},
    {"NoValue", "{}", R"([{"op":"add","path":"/a"}])", "'value' is missing"},
    {"NoFrom", "{}", R"([{"op":"copy","path":"/a"}])", "'from' must be a string"},
    {"AddToNothing", "{}", R"([{"op":"add","path":"/a/b","value":1}])", "nothing to add it to"},
    {"AddToScalar", R"({"a":1})", R"([{"op":"add","path":"/a/b","value":1}])",
     "an object or a list"},
    {"AddBeyondTheEnd", "[1]", R"([{"op":"add","path":"/2","value":1}])",
     "the list of 1 has no such index"},
    {"AddAtNegativeIndex", "[1]", R"([{"op":"add","path":"/-1","value":1}])", "no such index"},
    {"AddAtIndexWithLeadingZero", "[1]", R"([{"op":"add","path":"/00","value":1}])",
     "no such index"},
    {"AddAtWord", "[1]", R"([{"op":"add","path":"/x","value":1}])", "no such index"},
    {"RemoveNothing", "{}", R"([{"op":"remove","path":"/a"}])", "there is nothing at that path"},
    {"RemoveEndOfList", "[1]", R"([{"op":"remove","path":"/-"}])", "there is nothing at that path"},
    {"RemoveDocument", "{}", R"([{"op":"remove","path":""}])", "cannot be removed"},
    {"ReplaceNothing", "{}", R"([{"op":"replace","path":"/a","value":1}])",
     "there is nothing at that path"},
    {"MoveNothing", "{}", R"([{"op":"move","from":"/a","path":"/b"}])", "path to move from"},
    {"MoveIntoItself", R"({"a":{}})", R"([{"op":"move","from":"/a","path":"/a/b"}])",
     "into itself"},
    {"CopyNothing", "{}", R"([{"op":"copy","from":"/a","path":"/b"}])", "path to copy from"},
    {"TestFails", R"({"a":1})", R"([{"op":"test","path":"/a","value":2}])",
     "the test failed: the value"},
    {"TestOfNothing", "{}", R"([{"op":"test","path":"/a","value":null}])",
     "the test failed: there is nothing"},
    {"TestTellsTextFromNumber", R"({"a":1})", R"([{"op":"test","path":"/a","value":"1"}])",
     "the test failed"},
    {"SecondOperationIsNamed", "{}",
     R"([{"op":"add","path":"/a","value":1},{"op":"remove","path":"/b"}])",
     "operation 1 (remove '/b')"},
};

class JsonPatchBadTest : public testing::TestWithParam<BadCase> {};

TEST_P(JsonPatchBadTest, IsRefusedWithTheOperation) {
  const auto result =
      ApplyJsonPatch(json::parse(GetParam().document), json::parse(GetParam().patch));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind(), ErrorKind::kInvalid);
  EXPECT_NE(result.error().message().find(GetParam().says), std::string::npos)
      << result.error().message();
}

INSTANTIATE_TEST_SUITE_P(All, JsonPatchBadTest, testing::ValuesIn(kBad),
                         [](const auto& test) { return std::string(test.param.name); });

Result<json::value> Lenient(const char* document, const char* patch) {
  return ApplyJsonPatch(json::parse(document), json::parse(patch), {.lenient = true});
}

TEST(LenientJsonPatch, AllowsWhatKubeApiserverAllows) {
  EXPECT_EQ(Lenient("{}", R"([{"op":"replace","path":"/a","value":1}])")->at("a"), 1);
  EXPECT_TRUE(Lenient("{}", R"([{"op":"test","path":"/a","value":null}])"));
  EXPECT_FALSE(Lenient("{}", R"([{"op":"test","path":"/a","value":1}])"));
  EXPECT_FALSE(Lenient("{}", R"([{"op":"test","path":"/a/b","value":null}])"));
  EXPECT_FALSE(Lenient("{}", R"([{"op":"replace","path":"/a/b","value":1}])"));
  EXPECT_FALSE(Lenient("[]", R"([{"op":"replace","path":"/0","value":1}])"));
}

json::value Repeated(const char* operation, size_t times) {
  return json::array(times, json::parse(operation));
}

TEST(JsonPatch, HoldsToTheNumberOfOperations) {
  const char* const test = R"({"op":"test","path":"","value":{}})";
  EXPECT_TRUE(ApplyJsonPatch(json::object(), Repeated(test, 10'000)));
  EXPECT_FALSE(ApplyJsonPatch(json::object(), Repeated(test, 10'001)));
}

TEST(JsonPatch, CannotGrowADocumentExponentially) {
  const auto result = ApplyJsonPatch(json::parse(R"({"a":[1]})"),
                                     Repeated(R"({"op":"copy","from":"/a","path":"/a/-"})", 1000));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message().find("copies or moves too much"), std::string::npos)
      << result.error().message();
}

TEST(JsonPatch, CannotNestADocumentTooDeep) {
  json::value patch = json::array();
  std::string path;
  for (int i = 0; i < 20; ++i) {
    patch.as_array().push_back({{"op", "copy"}, {"from", ""}, {"path", path + "/a"}});
    path += path + "/a";  // the deepest member after that copy
  }
  const auto result = ApplyJsonPatch(json::object(), patch);
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message().find("nested too deep"), std::string::npos)
      << result.error().message();
}

TEST(JsonPatch, CannotShiftLongListsForEver) {
  const json::array list(100'000, json::value(0));
  const auto result =
      ApplyJsonPatch(list, Repeated(R"({"op":"add","path":"/0","value":0})", 10'000));
  EXPECT_FALSE(result);
}

}  // namespace
}  // namespace millwright::kube
