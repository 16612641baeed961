#include "kube/cel/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/cel/testing.h"

namespace millwright::kube::cel {
namespace {

TEST(CelTest, Literals) {
  const Case cases[] = {
      {"1", "1"},
      {"-1", "-1"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"9223372036854775808", "issue: ERROR: <input>:1:1: invalid int literal"},
      {"0x1F", "31"},
      {"-0xA", "-10"},
      {"3u", "3u"},
      {"1.5", "1.5"},
      {"1e3", "1000"},
      {".5", "0.5"},
      {"true", "true"},
      {"null", "null"},
      {"'a\\n'", "'a\n'"},
      {"\"it's\"", "'it's'"},
      {"r'a\\n'", "'a\\n'"},
      {"'''a'b'''", "'a'b'"},
      {"'\\u00e9\\x41\\101'", "'\u00e9AA'"},
      {"'abc", "issue: ERROR: <input>:1:1: Syntax error: token recognition error at: ''abc'"},
      {"'\\q'", "issue: ERROR: <input>:1:1: Syntax error: token recognition error at: ''\\q'"},
      {"[1, 2,]", "[1, 2]"},
      {"{'a': 1, 'b': 2}", "{'a': 1, 'b': 2}"},
      {"{'a': 1, 'a': 2}", "{'a': 2}"},
      {"1 // one", "1"},
      {"string(b'abc')", "'abc'"},
  };
  Expect(cases);
}

TEST(CelTest, Operators) {
  const Case cases[] = {
      {"1 + 2 * 3", "7"},
      {"(1 + 2) * 3", "9"},
      {"7 / 2", "3"},
      {"-7 % 3", "-1"},
      {"7.0 / 2.0", "3.5"},
      {"1 - 2 - 3", "-4"},
      {"9223372036854775807 + 1", "error: integer overflow"},
      {"1 / 0", "error: division by zero"},
      {"1 % 0", "error: modulus by zero"},
      {"1u - 2u", "error: unsigned integer overflow"},
      {"-(-3)", "3"},
      {"!true || true", "true"},
      {"'a' + 'b'", "'ab'"},
      {"[1] + [2]", "[1, 2]"},
      {"1 < 2 && 2 <= 2", "true"},
      {"1 < 1.5", "true"},
      {"2u > 1", "true"},
      {"'a' < 'b'", "true"},
      {"1 == 1.0",
       "issue: ERROR: <input>:1:3: found no matching overload for '_==_' applied to "
       "'(int, double)'"},
      {"dyn(1) == 1.0", "true"},
      {"dyn(1) == '1'", "false"},
      {"[1, 2] == [1, 2]", "true"},
      {"{'a': 1} == {'a': 1}", "true"},
      {"1 in [1, 2]", "true"},
      {"'a' in {'a': 1}", "true"},
      {"!('c' in ['a', 'b'])", "true"},
      {"[1, 2][1]", "2"},
      {"[1, 2][2]", "error: index out of bounds: 2"},
      {"{'a': 1}['a']", "1"},
      {"{'a': 1}.a", "1"},
      {"{'a': 1}['b']", "error: no such key: b"},
      {"true ? 1 : 2", "1"},
      {"false ? 1 : true ? 2 : 3", "2"},
      {"x + 1", "8"},
      {"x + 'a'", "error: no such overload"},
  };
  Expect(cases);
}

TEST(CelTest, LogicPassesOverErrorsThatDoNotMatter) {
  const Case cases[] = {
      {"1 / 0 > 0 || true", "true"},
      {"true || 1 / 0 > 0", "true"},
      {"1 / 0 > 0 && false", "false"},
      {"1 / 0 > 0 && true", "error: division by zero"},
      {"[0, 1].exists(i, 1 / i > 0)", "true"},
      {"[0, 1].all(i, 1 / i > 5)", "false"},
      {"[0].all(i, 1 / i > 5)", "error: division by zero"},
  };
  Expect(cases);
}

TEST(CelTest, Macros) {
  const Case cases[] = {
      {"has({'a': 1}.a)", "true"},
      {"has({'a': 1}.b)", "false"},
      {"has(x)", "issue: ERROR: <input>:1:5: invalid argument to has() macro"},
      {"[1, 2, 3].all(i, i > 0)", "true"},
      {"[1, 2, 3].exists(i, i > 2)", "true"},
      {"[1, 2, 2].exists_one(i, i == 2)", "false"},
      {"[1, 2, 3].map(i, i * 2)", "[2, 4, 6]"},
      {"[1, 2, 3].map(i, i > 1, i * 2)", "[4, 6]"},
      {"[1, 2, 3].filter(i, i > 1)", "[2, 3]"},
      {"{'a': 1, 'b': 2}.all(k, k < 'c')", "true"},
      {"{'a': 1, 'b': 2}.filter(k, k == 'a')", "['a']"},
      {"{'a': 1, 'b': 2}.all(k, v, v < 3)", "true"},
      {"['a', 'b'].exists(i, v, i == 1 && v == 'b')", "true"},
      {"['a', 'b'].transformList(i, v, string(i) + v)", "['0a', '1b']"},
      {"{'a': 1}.transformMap(k, v, v + 1)", "{'a': 2}"},
      {"{'a': 1}.transformMapEntry(k, v, {v: k})", "{1: 'a'}"},
      {"[[1, 2], [3]].all(l, l.all(i, i < 4))", "true"},
      {"[1, 1].transformMapEntry(i, v, {v: i})", "error: insert failed: key 1 already exists"},
      {"[1].all(1, true)", "issue: ERROR: <input>:1:9: argument must be a simple name"},
      {"names.all(n, names.exists_one(m, n == m))", "true"},
  };
  Expect(cases);
}

TEST(CelTest, RefusesWhatCannotWork) {
  const Case cases[] = {
      {"foo", "issue: ERROR: <input>:1:1: undeclared reference to 'foo' (in container '')"},
      {"foo()", "issue: ERROR: <input>:1:4: undeclared reference to 'foo' (in container '')"},
      {"1 + 'a'",
       "issue: ERROR: <input>:1:3: found no matching overload for '_+_' applied to "
       "'(int, string)'"},
      {"'a'.startsWith(1)",
       "issue: ERROR: <input>:1:15: found no matching overload for "
       "'startsWith' applied to 'string.(int)'"},
      {"names.foo",
       "issue: ERROR: <input>:1:6: type 'list(string)' does not support field "
       "selection"},
      {"1.all(i, true)",
       "issue: ERROR: <input>:1:1: expression of type 'int' cannot be range of a "
       "comprehension (must be list, map, or dynamic)"},
      {"[1, 'a']", "issue: ERROR: <input>:1:5: expected type 'int' but found 'string'"},
      // Mixed literals are of interest only where types fit.
      {"[1, 'a'] == 1",
       "issue: ERROR: <input>:1:10: found no matching overload for '_==_' applied to "
       "'(list(dyn), int)'"},
      {"1 && true", "issue: ERROR: <input>:1:1: expected type 'bool' but found 'int'"},
      {"true ? 1 : 'a'",
       "issue: ERROR: <input>:1:6: found no matching overload for '_?_:_' "
       "applied to '(bool, int, string)'"},
      {"1 +",
       "issue: ERROR: <input>:1:4: Syntax error: mismatched input '<EOF>' "
       "expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, "
       "NUM_UINT, STRING, BYTES, IDENTIFIER}"},
      {"(1", "issue: ERROR: <input>:1:3: Syntax error: missing ')' at '<EOF>'"},
      {"a b", "issue: ERROR: <input>:1:3: Syntax error: extraneous input 'b' expecting <EOF>"},
      {"#", "issue: ERROR: <input>:1:1: Syntax error: token recognition error at: '#'"},
      {"namespace", "issue: ERROR: <input>:1:1: reserved identifier: namespace"},
  };
  Expect(cases);
}

TEST(CelTest, NumbersOfDifferentTypesCompareByWorth) {
  const Case cases[] = {
      {"1 < 1u", "false"},
      {"-1 < 1u", "true"},
      {"dyn(1) == 1u", "true"},
      {"dyn(-1) == 18446744073709551615u", "false"},
      {"9223372036854775807 < 9223372036854775808.0", "false"},
      {"9223372036854775807 < 9223372036854777856.0", "true"},
      {"1.5 > 1u", "true"},
      {"double('NaN') < 1.0", "error: NaN values cannot be ordered"},
      {"dyn(double('NaN')) == 1.0", "false"},
      {"1 in [dyn(1.0)]", "true"},
      {"{1: 'a'}[dyn(1u)]", "'a'"},
  };
  Expect(cases);
}

TEST(CelTest, ArithmeticThatLeavesItsTypeIsAnError) {
  const Case cases[] = {
      {"9223372036854775807 * 2", "error: integer overflow"},
      {"-9223372036854775808 - 1", "error: integer overflow"},
      {"-(-9223372036854775808)", "error: integer overflow"},
      {"-9223372036854775808 / -1", "error: integer overflow"},
      {"-9223372036854775808 % -1", "error: integer overflow"},
      {"18446744073709551615u + 1u", "error: unsigned integer overflow"},
      {"18446744073709551615u * 2u", "error: unsigned integer overflow"},
      {"int(9223372036854775808.0)", "error: integer overflow"},
      {"int(18446744073709551615u)", "error: integer overflow"},
      {"uint(-1.0)", "error: unsigned integer overflow"},
      {"1.0 / 0.0 > 1.0", "true"},
  };
  Expect(cases);
}

TEST(CelTest, CollectionsAreEqualByWhatTheyHold) {
  const Case cases[] = {
      {"[1, 2] == [2, 1]", "false"},
      {"[[1], [2]] == [[1], [2]]", "true"},
      {"{'a': 1, 'b': 2} == {'b': 2, 'a': 1}", "true"},
      {"{'a': 1} == {'a': 2}", "false"},
      {"{'a': [1]} != {'a': [1]}", "false"},
      {"[1] in [[1], [2]]", "true"},
      {"'b' in {'a': 1}", "false"},
      {"[dyn(1)] == [dyn(1.0)]", "true"},
      {"size({'a': 1, 'b': 2}) + size([1]) + size('abc') + size(b'ab')", "8"},
  };
  Expect(cases);
}

TEST(CelTest, SaysWhatItCannotRun) {
  const auto run = [](std::string_view zone) {
    return Program::Compile(
               "timestamp('2026-01-01T00:00:00Z').getHours('" + std::string(zone) + "') == 1", {})
        ->unsupported();
  };
  EXPECT_EQ(run("+01:00"), "");
  EXPECT_EQ(run("UTC"), "");
  EXPECT_EQ(run("Europe/Berlin"), "the time zone Europe/Berlin is not known here");
}

TEST(CelTest, ShowsThePlace) {
  const auto program = Program::Compile("names.size() > 0 &&\n  names.foo", Names());
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message(),
            "ERROR: <input>:2:8: type 'list(string)' does not support field selection\n"
            " |   names.foo\n"
            " | .......^");
}

TEST(CelTest, ShowsAllThatIsWrongInItsOrder) {
  const auto program = Program::Compile("cel.bind(x, 1)", {});
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().message(),
            "ERROR: <input>:1:1: undeclared reference to 'cel' (in container '')\n"
            " | cel.bind(x, 1)\n"
            " | ^\n"
            "ERROR: <input>:1:9: undeclared reference to 'bind' (in container '')\n"
            " | cel.bind(x, 1)\n"
            " | ........^\n"
            "ERROR: <input>:1:10: undeclared reference to 'x' (in container '')\n"
            " | cel.bind(x, 1)\n"
            " | .........^");
}

TEST(CelTest, AHostileRuleEndsSoon) {
  std::string nested = "[1,2,3,4,5,6,7,8,9,10]";
  std::string rule = "true";
  for (char name = 'a'; name < 'i'; ++name) {
    rule = nested + ".all(" + name + ", " + rule + ")";
  }
  EXPECT_EQ(Eval(rule), "error: operation cancelled: actual cost limit exceeded");
  EXPECT_EQ(Eval("lists.range(1000000000).size()"),
            "error: operation cancelled: actual cost limit exceeded");

  const std::string deep(5000, '(');
  EXPECT_THAT(Eval(deep), testing::StartsWith("issue: ERROR: <input>:1:"));
  EXPECT_THAT(Eval(std::string(5000, '!') + "true"), testing::StartsWith("issue: ERROR"));
  std::string chain = "1";
  for (int i = 0; i < 5000; ++i) chain += "+1";
  EXPECT_THAT(Eval(chain), testing::StartsWith("issue: ERROR"));
  std::string dots = "x";
  for (int i = 0; i < 5000; ++i) dots += ".a";
  EXPECT_THAT(Eval(dots), testing::StartsWith("issue: ERROR"));
}

}  // namespace
}  // namespace millwright::kube::cel
