#include "kube/api/merge_patch.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>
#include <utility>
#include <vector>

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

// The first half is the table of RFC 7386, appendix A.
const Case kCases[] = {
    {"ReplacesAMember", R"({"a":"b"})", R"({"a":"c"})", R"({"a":"c"})"},
    {"AddsAMember", R"({"a":"b"})", R"({"b":"c"})", R"({"a":"b","b":"c"})"},
    {"NullRemovesAMember", R"({"a":"b"})", R"({"a":null})", "{}"},
    {"NullLeavesTheOthers", R"({"a":"b","b":"c"})", R"({"a":null})", R"({"b":"c"})"},
    {"TextReplacesAList", R"({"a":["b"]})", R"({"a":"c"})", R"({"a":"c"})"},
    {"ListReplacesText", R"({"a":"c"})", R"({"a":["b"]})", R"({"a":["b"]})"},
    {"MergesInside", R"({"a":{"b":"c"}})", R"({"a":{"b":"d","c":null}})", R"({"a":{"b":"d"}})"},
    {"ListReplacesList", R"({"a":[{"b":"c"}]})", R"({"a":[1]})", R"({"a":[1]})"},
    {"WholeLists", R"(["a","b"])", R"(["c","d"])", R"(["c","d"])"},
    {"ListOverObject", R"({"a":"b"})", R"(["c"])", R"(["c"])"},
    {"NullOverObject", R"({"a":"foo"})", "null", "null"},
    {"TextOverObject", R"({"a":"foo"})", R"("bar")", R"("bar")"},
    {"NullInTheDocumentStays", R"({"e":null})", R"({"a":1})", R"({"e":null,"a":1})"},
    {"ObjectOverList", "[1,2]", R"({"a":"b","c":null})", R"({"a":"b"})"},
    {"NullsInNewObjectsVanish", "{}", R"({"a":{"bb":{"ccc":null}}})", R"({"a":{"bb":{}}})"},

    {"NullsInListsStay", "{}", R"({"a":[null,{"b":null}]})", R"({"a":[null,{"b":null}]})"},
    {"EmptyPatchChangesNothing", R"({"a":1})", "{}", R"({"a":1})"},
    {"NullForWhatIsNotThere", R"({"a":1})", R"({"b":null})", R"({"a":1})"},
    {"ObjectOverText", R"({"a":"x"})", R"({"a":{"b":1}})", R"({"a":{"b":1}})"},
};

class MergePatchTest : public testing::TestWithParam<Case> {};

TEST_P(MergePatchTest, IsApplied) {
  const auto result =
      ApplyMergePatch(json::parse(GetParam().document), json::parse(GetParam().patch));
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(*result, json::parse(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, MergePatchTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct DiffCase {
  const char* name;
  const char* before;
  const char* after;
  const char* want;
};

const DiffCase kDiffs[] = {
    {"Same", R"({"a":{"b":[1]}})", R"({"a":{"b":[1]}})", "{}"},
    {"SameNumber", R"({"a":1})", R"({"a":1.0})", "{}"},
    {"SameNull", R"({"a":null})", R"({"a":null})", "{}"},
    {"Changed", R"({"a":1,"b":2})", R"({"a":1,"b":3})", R"({"b":3})"},
    {"Added", R"({"a":1})", R"({"a":1,"b":{"c":1}})", R"({"b":{"c":1}})"},
    {"Removed", R"({"a":1,"b":2})", R"({"a":1})", R"({"b":null})"},
    {"Nested", R"({"a":{"b":1,"c":2,"d":3}})", R"({"a":{"b":1,"c":9}})",
     R"({"a":{"c":9,"d":null}})"},
    {"EmptiedObject", R"({"a":{"b":1}})", R"({"a":{}})", R"({"a":{"b":null}})"},
    {"NewEmptyObject", "{}", R"({"a":{}})", R"({"a":{}})"},
    {"ListsAreWhole", R"({"a":[1,2]})", R"({"a":[1]})", R"({"a":[1]})"},
    {"TurnedNullIsRemoved", R"({"a":1})", R"({"a":null})", R"({"a":null})"},
    {"NewNullIsNothing", "{}", R"({"a":null,"b":{"c":null}})", R"({"b":{}})"},
    {"WholeDocument", "[1]", R"({"a":1})", R"({"a":1})"},
};

class CreateMergePatchTest : public testing::TestWithParam<DiffCase> {};

TEST_P(CreateMergePatchTest, IsSmall) {
  const auto patch =
      CreateMergePatch(json::parse(GetParam().before), json::parse(GetParam().after));
  ASSERT_TRUE(patch) << patch.error().message();
  EXPECT_EQ(*patch, json::parse(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, CreateMergePatchTest, testing::ValuesIn(kDiffs),
                         [](const auto& test) { return std::string(test.param.name); });

// A small tree without nulls, grown from random numbers.
json::value Tree(const std::vector<uint8_t>& numbers, size_t& next, int depth) {
  const auto take = [&] { return next < numbers.size() ? numbers[next++] : uint8_t{0}; };
  const int shape = take() % 5;
  if (shape >= 3 && depth < 4) {
    json::object object;
    for (int count = take() % 4; count > 0; --count) {
      object[std::string(1, static_cast<char>('a' + take() % 3))] = Tree(numbers, next, depth + 1);
    }
    return object;
  }
  if (shape == 2) return json::array{take() % 2, "x"};
  return shape == 1 ? json::value("text") : json::value(take() % 3);
}

TEST(CreateMergePatch, MakesAfterOfBefore) {
  EXPECT_TRUE(rc::check([](const std::vector<uint8_t>& one, const std::vector<uint8_t>& two) {
    size_t start = 0;
    const json::value before = Tree(one, start, 0);
    start = 0;
    const json::value after = Tree(two, start, 0);
    const auto patch = CreateMergePatch(before, after);
    RC_ASSERT(patch.has_value());
    RC_ASSERT(*ApplyMergePatch(before, *patch) == after);
    RC_ASSERT((*patch == json::object()) == (before == after) || !before.is_object() ||
              !after.is_object());
  }));
}

TEST(MergePatch, RefusesWhatIsTooDeep) {
  json::value deep = 1;
  for (int i = 0; i < 1001; ++i) deep = json::object{{"a", std::move(deep)}};
  EXPECT_FALSE(ApplyMergePatch(json::object(), deep));
  EXPECT_FALSE(ApplyMergePatch(deep, json::object()));
  EXPECT_FALSE(CreateMergePatch(json::object(), deep));
}

}  // namespace
}  // namespace millwright::kube
