#include <gtest/gtest.h>

#include <rapidcheck.h>

#include <limits>
#include <ostream>
#include <string>

#include <boost/json.hpp>

#include "kube/yaml/number.h"
#include "kube/yaml/yaml.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

struct Case {
  const char* name;
  const char* json;
  const char* want;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.json; }

class ToYamlTest : public testing::TestWithParam<Case> {};

TEST_P(ToYamlTest, WritesIt) { EXPECT_EQ(ToYaml(json::parse(GetParam().json)), GetParam().want); }

TEST_P(ToYamlTest, IsReadBack) {
  const auto again = ParseYaml(GetParam().want, "written");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(ToYaml(*again), GetParam().want);
}

const Case kCases[] = {
    {"Null", "null", "null\n"},
    {"EmptyObject", "{}", "{}\n"},
    {"EmptyList", "[]", "[]\n"},
    {"EmptyInside", R"({"a":{},"b":[]})", "a: {}\nb: []\n"},
    {"KeysInOrder", R"({"kind":"Pod","apiVersion":"v1"})", "apiVersion: v1\nkind: Pod\n"},
    {"ListUnderItsKey", R"({"a":["x",{"b":1,"c":[2]}]})", "a:\n- x\n- b: 1\n  c:\n  - 2\n"},
    {"ListOfLists", "[[1,[2]],[]]", "- - 1\n  - - 2\n- []\n"},
    {"Integers", R"([-1,18446744073709551615])", "- -1\n- 18446744073709551615\n"},
    {"Floats", "[0.5,1.0,1e21,-2.5e-9]", "- 0.5\n- 1\n- 1e+21\n- -2.5e-09\n"},
    {"LooksLikeBoolean", R"({"a":"yes","y":"true"})", "a: \"yes\"\n\"y\": \"true\"\n"},
    {"LooksLikeNumber", R"(["1","0x1","1e3",".5","1_0"])",
     "- \"1\"\n- \"0x1\"\n- \"1e3\"\n- \".5\"\n- \"1_0\"\n"},
    {"LooksLikeNull", R"(["","~","null"])", "- \"\"\n- \"~\"\n- \"null\"\n"},
    {"LooksLikeTime", R"(["2001-01-01T00:00:00Z","12:30"])",
     "- \"2001-01-01T00:00:00Z\"\n- \"12:30\"\n"},
    {"LooksLikeSyntax", R"(["- a","a: b","a #b","#a","{a}","*a","a:","' x","@a","%a","!a"])",
     "- '- a'\n- 'a: b'\n- 'a #b'\n- '#a'\n- '{a}'\n- '*a'\n- 'a:'\n- ''' x'\n- '@a'\n- '%a'\n- "
     "'!a'\n"},
    {"HarmlessPunctuation", R"(["a:b","a#b","-a","a,b","it's","http://x/?a=b&c"])",
     "- a:b\n- a#b\n- -a\n- a,b\n- it's\n- http://x/?a=b&c\n"},
    {"SpacesAtTheEdges", R"([" a","a "])", "- ' a'\n- 'a '\n"},
    {"DocumentMarkers", R"(["---","...","--- a"])", "- '---'\n- '...'\n- '--- a'\n"},
    {"Lines", R"({"a":"x\ny\n","b":"x\ny","c":"x\n\n"})",
     "a: |\n  x\n  y\nb: |-\n  x\n  y\nc: |+\n  x\n\n"},
    {"LinesInAList", R"([["x\n  y"]])", "- - |-\n    x\n      y\n"},
    {"LinesAtTheTop", R"("x\ny")", "|-\n  x\n  y\n"},
    {"LinesThatNeedQuotes", R"([" x\ny","x \ny","\nx","x\ny\t"])",
     "- \" x\\ny\"\n- \"x \\ny\"\n- \"\\nx\"\n- \"x\\ny\\t\"\n"},
    {"ControlCharacters", R"(["\u0001","a\tb","\u2028","\u0085","\ufeff"])",
     "- \"\\x01\"\n- \"a\\tb\"\n- \"\\u2028\"\n- \"\\x85\"\n- \"\\uFEFF\"\n"},
    {"OtherScripts", R"(["é","日本","😀"])", "- é\n- 日本\n- 😀\n"},
    {"MergeSignAsKey", R"({"<<":1})", "\"<<\": 1\n"},
    {"NewlineInKey", R"({"a\nb":1})", "\"a\\nb\": 1\n"},
};
INSTANTIATE_TEST_SUITE_P(All, ToYamlTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ToYaml, AnnouncesLongKeys) {
  const std::string key(200, 'k');
  const json::value value = {{key, {{"a", 1}}}};
  EXPECT_EQ(ToYaml(value), "? " + key + "\n:\n  a: 1\n");
  EXPECT_EQ(*ParseYaml(ToYaml(value), "written"), value);
}

TEST(ToYaml, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(ToYaml(json::value("a\xFF")), "\"a\xEF\xBF\xBD\"\n");
}

// Pieces that matter to YAML, put together at random.
rc::Gen<std::string> SomeText() {
  const auto piece = rc::gen::element<std::string>(
      "a", "1", "0", " ", "  ", "\n", "\t", "\r", "'", "''", "\"", "\\", "-", "- ", ":", ": ", "#",
      " #", "?", "[", "]", "{", "}", ",", "|", ">", "&", "*", "!", "%", "@", "`", "~", "=", "<<",
      ".", "yes", "null", "e", "_", "é", "\u00a0", "\u0085", "\u2028", "\ufeff", "😀", "\x01",
      "\x7f", "---", "...");
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    std::string text;
    for (const std::string& part : pieces) text += part;
    return text;
  });
}

double SomeDouble() {
  const double number = *rc::gen::arbitrary<double>();
  return std::isfinite(number) ? number : 0.25;
}

json::value SomeValue(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 8 : 6)) {
    case 0: return nullptr;
    case 1: return *rc::gen::arbitrary<bool>();
    case 2: return *rc::gen::arbitrary<std::int64_t>();
    case 3: return yaml::NumberValue(SomeDouble());
    case 4:
    case 5: return json::value(*SomeText());
    case 6: {
      json::array array;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) array.push_back(SomeValue(depth - 1));
      return array;
    }
    default: {
      json::object object;
      for (int i = *rc::gen::inRange(0, 4); i > 0; --i) object[*SomeText()] = SomeValue(depth - 1);
      return object;
    }
  }
}

TEST(ToYaml, GivesBackEveryValue) {
  EXPECT_TRUE(rc::check("ParseYaml(ToYaml(v)) == v", [] {
    const json::value value = SomeValue(4);
    const auto again = ParseYaml(ToYaml(value), "written");
    RC_ASSERT(again.has_value());
    RC_ASSERT(*again == value);
  }));
}

}  // namespace
}  // namespace millwright::kube
