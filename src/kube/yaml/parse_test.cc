#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include <boost/json.hpp>

#include "kube/yaml/yaml.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;
using testing::HasSubstr;
using testing::StartsWith;

struct Case {
  const char* name;
  const char* yaml;
  const char* want;  // JSON
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.yaml; }

class ParseYamlTest : public testing::TestWithParam<Case> {};

TEST_P(ParseYamlTest, GivesTheValue) {
  const auto got = ParseYaml(GetParam().yaml, "test.yaml");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(*got, json::parse(GetParam().want)) << json::serialize(*got);
}

const Case kStructure[] = {
    {"EmptyTextIsNull", "", "null"},
    {"CommentsAreNull", "# nothing\n", "null"},
    {"BlockMapping", "a: 1\nb:\n  c: x\n", R"({"a":1,"b":{"c":"x"}})"},
    {"ListUnderItsKeyWithoutIndent", "a:\n- 1\n- b: 2\n  c: 3\n", R"({"a":[1,{"b":2,"c":3}]})"},
    {"MissingValueIsNull", "a:\nb:", R"({"a":null,"b":null})"},
    {"FlowStyle", "a: {b: [1, x, 'y'], c}", R"({"a":{"b":[1,"x","y"],"c":null}})"},
    {"ClosingBraceAtTheMargin", "a: {\n}\n", R"({"a":{}})"},
    {"LiteralBlock", "a: |\n  x\n   y\n\nb: |-\n  z\n", R"({"a":"x\n y\n","b":"z"})"},
    {"EmptyBlock", "a: |\n", R"({"a":""})"},
    {"BlockWithoutFinalNewline", "a: |\n  x", R"({"a":"x"})"},
    {"FoldedBlock", "a: >\n  x\n  y\n\n  z\n", R"({"a":"x y\nz\n"})"},
    {"QuotedOverLines", "a: \"x\n  y\"\nb: 'it''s'\n", R"({"a":"x y","b":"it's"})"},
    {"ManySingleQuotes", "a: 'x(''''), y'", R"({"a":"x(''), y"})"},
    {"WindowsLineEnds", "a: \"x\r\n  y\"\r\nb:\r\n  c: 1\r\n", R"({"a":"x y","b":{"c":1}})"},
    {"Escapes", R"(a: "\x41\u00e9\n\t\"\\")", R"({"a":"Aé\n\t\"\\"})"},
    {"ByteOrderMark",
     "\xEF\xBB\xBF"
     "a: 1",
     R"({"a":1})"},
    {"DocumentMarkers", "---\na: 1\n...\n", R"({"a":1})"},
    {"EmptyDocumentsDoNotCount", "---\n---\na: 1\n---\n# end\n", R"({"a":1})"},
    {"Json", "{\"a\":\t[1, 2.5, null, true, \"x\\/y\"]}", R"({"a":[1,2.5,null,true,"x/y"]})"},
    {"JsonCharactersInTwoHalves", R"({"a":"\ud83d\ude00"})", R"({"a":"😀"})"},
    {"IntegerBecomesAKey", "8080: a\n0x10: b", R"({"8080":"a","16":"b"})"},
    {"BooleanBecomesAKey", "on: a\nno: b", R"({"true":"a","false":"b"})"},
    {"FloatBecomesAKey", "1.5: a\n1e3: b\n1234567.5: c",
     R"({"1.5":"a","1000":"b","1.2345675e+06":"c"})"},
    {"QuotedKeyStaysText", "\"on\": a", R"({"on":"a"})"},
    {"DateStaysTextAsAKey", "2001-01-01: a", R"({"2001-01-01":"a"})"},
};
INSTANTIATE_TEST_SUITE_P(Structure, ParseYamlTest, testing::ValuesIn(kStructure),
                         [](const auto& test) { return std::string(test.param.name); });

const Case kReuse[] = {
    {"AliasCopies", "a: &x {b: [1]}\nc: *x", R"({"a":{"b":[1]},"c":{"b":[1]}})"},
    {"LaterAnchorReplacesEarlier", "a: &x 1\nb: &x 2\nc: *x", R"({"a":1,"b":2,"c":2})"},
    {"AliasAsKey", "a: &x k\n*x : 1", R"({"a":"k","k":1})"},
    {"AnchoredKey", "&x k: 1\na: *x", R"({"k":1,"a":"k"})"},
    {"NumberAliasAsKey", "a: &x 1.5\n*x : 1", R"({"a":1.5,"1.5":1})"},
    {"Merge", "a: &x {b: 1}\nc:\n  <<: *x\n  d: 2", R"({"a":{"b":1},"c":{"b":1,"d":2}})"},
    {"OwnKeysWinOverMerged", "<<: {a: 1, b: 1}\na: 2", R"({"a":2,"b":1})"},
    {"OwnKeysWinWhereverTheMergeStands", "a: 2\n<<: {a: 1}", R"({"a":2})"},
    {"EarlierMergedMappingWins", "<<: [{a: 1}, {a: 2, b: 3}]", R"({"a":1,"b":3})"},
    {"QuotedMergeIsAKey", "'<<': 1", R"({"<<":1})"},
    {"MergeSignAsValueIsText", "a: <<", R"({"a":"<<"})"},
};
INSTANTIATE_TEST_SUITE_P(Reuse, ParseYamlTest, testing::ValuesIn(kReuse),
                         [](const auto& test) { return std::string(test.param.name); });

struct BadCase {
  const char* name;
  std::string yaml;
  const char* want;  // start of the message
};

void PrintTo(const BadCase& c, std::ostream* out) { *out << c.name; }

class ParseYamlErrorTest : public testing::TestWithParam<BadCase> {};

TEST_P(ParseYamlErrorTest, SaysWhereAndWhat) {
  const auto got = ParseYaml(GetParam().yaml, "dir/m.yaml");
  ASSERT_FALSE(got) << json::serialize(*got);
  EXPECT_EQ(got.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(got.error().message(), StartsWith(GetParam().want));
}

std::string Repeat(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

// Ten levels of ten aliases each: a few hundred bytes that stand for ten thousand million values.
std::string AliasBomb() {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + Repeat(before + ", ", 9) +
            before + "]\n";
  }
  return text;
}

// Each anchor wraps the one before: shallow to write, deep to walk.
std::string AliasTower() {
  std::string text = "a0: &a0 x\n";
  for (int i = 1; i < 10; ++i) {
    text += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " " + Repeat("[", 100) + "*a" +
            std::to_string(i - 1) + Repeat("]", 100) + "\n";
  }
  return text;
}

const BadCase kErrors[] = {
    {"KeyTwice", "a: 1\nb: 2\na: 3", "dir/m.yaml:3:1: the key \"a\" stands twice"},
    {"KeyTwiceInJson", R"({"a": 1, "a": 2})", "dir/m.yaml:1:10: the key \"a\" stands twice"},
    {"KeyTwiceAfterConversion", "1: a\n'1': b", "dir/m.yaml:2:1: the key \"1\" stands twice"},
    {"Unclosed", "a: [1\nb: 2", "dir/m.yaml:2:2: did not find expected ',' or ']'"},
    {"MappingInALine", "a: b: c", "dir/m.yaml:1:5: mapping values are not allowed"},
    {"Tab", "a:\n\t- b", "dir/m.yaml:2:1: found character that cannot start any token"},
    {"NotUtf8", "a: 1\nb: \xFF", "dir/m.yaml:2:4: invalid leading UTF-8 octet"},
    {"ControlCharacter", "a: \x01", "dir/m.yaml:1:4: control characters are not allowed"},
    {"UnknownAlias", "a: *x", "dir/m.yaml:1:4: no anchor &x stands before this alias"},
    {"AnchorsEndWithTheirDocument", "a: &x 1\n---\nb: *x", "dir/m.yaml:3:4: no anchor &x"},
    {"AnchorInItself", "a: &x [*x]", "dir/m.yaml:1:8: the anchor &x contains itself"},
    {"AliasBomb", AliasBomb(), "dir/m.yaml:6:40: the aliases in this text expand to too much data"},
    {"AliasTower", AliasTower(), "dir/m.yaml:4:109: nested deeper than 256 levels"},
    {"TooDeep", Repeat("[", 300), "dir/m.yaml:1:257: nested deeper than 256 levels"},
    {"MergeOfAScalar", "<<: 1", "dir/m.yaml:1:5: `<<` takes a mapping or a list of mappings"},
    {"MergeOfAListOfScalars", "<<: [1]", "dir/m.yaml:1:5: `<<` takes"},
    {"NullKey", "~: 1", "dir/m.yaml:1:1: null cannot be a key"},
    {"MappingAsKey", "? {a: 1}\n: 2", "dir/m.yaml:1:3: a key must be text"},
    {"Infinity", "a: .inf", "dir/m.yaml:1:4: infinity and not-a-number"},
    {"WrongTag", "a: !!int x", "dir/m.yaml:1:4: the value does not fit its tag !!int"},
    {"Binary", "a: !!binary aGk=", "dir/m.yaml:1:4: !!binary is not supported"},
    {"Several", "a: 1\n---\nb: 2", "dir/m.yaml holds 2 documents where one is expected"},
};
INSTANTIATE_TEST_SUITE_P(All, ParseYamlErrorTest, testing::ValuesIn(kErrors),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ParseYamlDocuments, LeavesOutWhatHoldsNothing) {
  const auto got = ParseYamlDocuments("# head\n---\na: 1\n---\nnull\n---\n- b\n...\n", "m");
  ASSERT_TRUE(got) << got.error().message();
  EXPECT_EQ(*got, (std::vector<json::value>{json::parse(R"({"a":1})"), json::parse(R"(["b"])")}));
}

TEST(ParseYamlDocuments, FailsAsAWhole) {
  EXPECT_FALSE(ParseYamlDocuments("a: 1\n---\nb: [", "m"));
}

TEST(ParseYaml, NeverShowsAValue) {
  for (const char* text : {"token: !!int s3cret", "a: 'b' s3cret", "token: \"s3cret", "s3cret"}) {
    const auto got = ParseYaml(text, "m");
    if (!got) EXPECT_THAT(got.error().message(), Not(HasSubstr("s3cret")));
  }
}

}  // namespace
}  // namespace millwright::kube
