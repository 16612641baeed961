#include "kube/cel/rule_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"

namespace millwright::kube::cel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> Check(const std::string& schema) {
  std::vector<std::string> texts;
  for (const FieldError& error : CheckRules(*ParseSchema(json::parse(schema)), "s")) {
    texts.push_back(kube::ToString(error));
  }
  return texts;
}

std::string WithRule(const std::string& rule) {
  return R"({"type":"object","properties":{"a":{"type":"integer"},
             "m":{"type":"object","additionalProperties":{"type":"string"}}},
             "x-kubernetes-validations":[)" +
         rule + "]}";
}

TEST(RuleCheckTest, AcceptsWhatCompiles) {
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a > 1","fieldPath":".a"})")), IsEmpty());
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a > 1","fieldPath":".m['x.y']"})")), IsEmpty());
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a > oldSelf.a"})")), IsEmpty());
}

TEST(RuleCheckTest, RefusesWhatDoesNot) {
  EXPECT_THAT(
      Check(WithRule(R"({"rule":"self.b > 1"})")),
      ElementsAre(R"(s.x-kubernetes-validations[0].rule: Invalid value: {"Rule":"self.b \u003e 1",)"
                  R"("Message":"","MessageExpression":"","Reason":null,"FieldPath":"",)"
                  R"("OptionalOldSelf":null}: compilation failed: )"
                  "ERROR: <input>:1:5: undefined field 'b'\n | self.b > 1\n | ....^"));
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a"})")),
              ElementsAre(testing::EndsWith(": cel expression must evaluate to a bool")));
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a == 1","messageExpression":"1"})")),
              ElementsAre(testing::AllOf(
                  testing::StartsWith("s.x-kubernetes-validations[0].messageExpression: "),
                  testing::EndsWith(": messageExpression must evaluate to a string"))));
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a == 1","fieldPath":".nowhere"})")),
              ElementsAre("s.x-kubernetes-validations[0].fieldPath: Invalid value: \".nowhere\": "
                          "must be a valid path"));
}

TEST(RuleCheckTest, ItemsWithoutAnIdentityHaveNoPast) {
  EXPECT_THAT(
      Check(R"({"type":"object","properties":{"l":{"type":"array","items":{"type":"string",
               "x-kubernetes-validations":[{"rule":"self == oldSelf"}]}}}})"),
      ElementsAre("s.properties[l].items.x-kubernetes-validations[0].rule: Invalid value: "
                  "\"self == oldSelf\": oldSelf cannot be used on the uncorrelatable portion of "
                  "the schema within s.properties[l]"));
  EXPECT_THAT(Check(WithRule(R"({"rule":"self.a == 1","optionalOldSelf":true})")),
              ElementsAre("s.x-kubernetes-validations[0].optionalOldSelf: Invalid value: true: may "
                          "not be set if oldSelf is not used in rule"));
}

TEST(RuleCheckTest, DefaultsHaveToKeepTheRules) {
  const auto with_default = [](const char* value) {
    return Check(R"({"type":"object","properties":{"o":{"type":"object","default":{"x":)" +
                 std::string(value) +
                 R"(},"properties":{"x":{"type":"integer",
                 "x-kubernetes-validations":[{"rule":"self > 5","message":"five"}]}}}}})");
  };
  EXPECT_THAT(with_default("6"), IsEmpty());
  EXPECT_THAT(with_default("1"), ElementsAre("s.properties[o].default.x: Invalid value: 1: five"));
}

TEST(RuleCheckTest, NamesTheRulesThatCannotBeRun) {
  const Schema schema = *ParseSchema(json::parse(
      R"({"type":"object","properties":{"t":{"type":"string","format":"date-time"}},
          "x-kubernetes-validations":[{"rule":"self.t.getHours('Europe/Berlin') < 12"}]})"));
  const auto found = UnsupportedRules(schema, "s");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].field, "s.x-kubernetes-validations[0].rule");
  EXPECT_EQ(found[0].detail, "the time zone Europe/Berlin is not known here");
}

}  // namespace
}  // namespace millwright::kube::cel
