#include "kube/api/json_pointer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

struct Case {
  const char* name;
  const char* text;
  JsonPointer want;
};

const Case kCases[] = {
    {"WholeDocument", "", {}},
    {"Member", "/a", {"a"}},
    {"EmptyMember", "/", {""}},
    {"Nested", "/a/0/b", {"a", "0", "b"}},
    {"EmptyPartsCount", "//a/", {"", "a", ""}},
    {"EscapedSlash", "/a~1b", {"a/b"}},
    {"EscapedTilde", "/a~0b", {"a~b"}},
    {"EscapesAreReadOnce", "/~01", {"~1"}},
};

class JsonPointerTest : public testing::TestWithParam<Case> {};

TEST_P(JsonPointerTest, IsReadAndWritten) {
  const auto pointer = ParseJsonPointer(GetParam().text);
  ASSERT_TRUE(pointer) << pointer.error().message();
  EXPECT_EQ(*pointer, GetParam().want);
  EXPECT_EQ(FormatJsonPointer(*pointer), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(All, JsonPointerTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(JsonPointer, RefusesWhatIsNone) {
  for (const char* text : {"a", "a/b", "/~", "/~2", "/a~"})
    EXPECT_FALSE(ParseJsonPointer(text)) << text;
}

TEST(JsonPointer, FindsMembersAndItems) {
  boost::json::value tree = boost::json::parse(R"({"a":[{"b":1}],"":{"0":2}})");
  const auto find = [&tree](std::string_view text) -> const boost::json::value* {
    const JsonPointer pointer = *ParseJsonPointer(text);
    return FindPointer(tree, pointer, pointer.size());
  };
  EXPECT_EQ(find(""), &tree);
  EXPECT_EQ(*find("/a/0/b"), 1);
  EXPECT_EQ(*find("//0"), 2);
  for (const char* text : {"/b", "/a/1", "/a/-", "/a/00", "/a/-1", "/a/+0", "/a/x", "/a/0/b/c"}) {
    EXPECT_EQ(find(text), nullptr) << text;
  }
}

TEST(JsonPointer, AnyPartSurvivesItsText) {
  EXPECT_TRUE(rc::check([](const JsonPointer& pointer) {
    RC_ASSERT(*ParseJsonPointer(FormatJsonPointer(pointer)) == pointer);
  }));
}

}  // namespace
}  // namespace millwright::kube
