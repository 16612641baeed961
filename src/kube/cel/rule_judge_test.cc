#include "kube/cel/rule_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"

namespace millwright::kube::cel {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

// A resource whose spec has these properties and these rules.
Schema SchemaWith(const std::string& properties, const std::string& rules) {
  return *ParseSchema(json::parse(R"({"type":"object","properties":{"spec":{"type":"object",)"
                                  R"("properties":{)" +
                                  properties + R"(},"x-kubernetes-validations":[)" + rules +
                                  "]}}}"));
}

std::vector<std::string> Texts(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  for (const FieldError& error : errors) texts.push_back(kube::ToString(error));
  return texts;
}

json::value Object(std::string_view spec) {
  return json::parse(R"({"apiVersion":"v1","kind":"K","metadata":{"name":"n"},"spec":)" +
                     std::string(spec) + "}");
}

Judgement Judge(const Schema& schema, std::string_view spec, std::string_view old = "") {
  const auto judge = RuleJudge::Make(schema);
  const json::value now = Object(spec);
  if (old.empty()) return judge->Judge(now, nullptr);
  const json::value before = Object(old);
  return judge->Judge(now, &before);
}

constexpr const char* kSize = R"("a":{"type":"integer"},"b":{"type":"integer"})";

TEST(RuleJudgeTest, ASchemaWithoutRulesNeedsNoJudge) {
  EXPECT_EQ(RuleJudge::Make(SchemaWith(kSize, "")), nullptr);
}

TEST(RuleJudgeTest, ABrokenRuleIsRefusedWithItsWords) {
  const auto judged = [](const char* rule) {
    return Texts(Judge(SchemaWith(kSize, rule), R"({"a":1,"b":2})").errors);
  };
  EXPECT_THAT(judged(R"({"rule":"self.a < self.b"})"), IsEmpty());
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b"})"),
              ElementsAre("spec: Invalid value: failed rule: self.a > self.b"));
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b","message":" too small "})"),
              ElementsAre("spec: Invalid value: too small"));
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b","message":"m",)"
                     R"x("messageExpression":"string(self.a) + ' is too small'"})x"),
              ElementsAre("spec: Invalid value: 1 is too small"));
  // An expression that fails, or says nothing, leaves the message.
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b","message":"m","messageExpression":"' '"})"),
              ElementsAre("spec: Invalid value: m"));
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b","message":"m",)"
                     R"x("messageExpression":"string(1 / 0)"})x"),
              ElementsAre("spec: Invalid value: m"));
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b","message":"m","fieldPath":".a",)"
                     R"("reason":"FieldValueForbidden"})"),
              ElementsAre("spec.a: Forbidden: m"));
  EXPECT_THAT(judged(R"({"rule":"self.a > self.b","message":"m","reason":"FieldValueDuplicate"})"),
              ElementsAre("spec: Duplicate value"));
}

TEST(RuleJudgeTest, ARuleThatFailsRefuses) {
  EXPECT_THAT(
      Texts(
          Judge(SchemaWith(kSize, R"({"rule":"self.b / self.a > 0"})"), R"({"a":0,"b":2})").errors),
      ElementsAre("spec: Invalid value: \"object\": division by zero evaluating rule: "
                  "self.b / self.a > 0"));
  EXPECT_THAT(
      Texts(Judge(SchemaWith(kSize, R"({"rule":"self.a > 0"})"), "{}").errors),
      ElementsAre("spec: Invalid value: \"object\": no such key: a evaluating rule: self.a > 0"));
  EXPECT_THAT(
      Texts(Judge(SchemaWith(R"("i":{"x-kubernetes-int-or-string":true})",
                             R"x({"rule":"self.i.startsWith('a')"})x"),
                  R"({"i":5})")
                .errors),
      ElementsAre("spec: Invalid value: \"object\": 'no such overload': call arguments did not "
                  "match a supported operator, function or macro signature for rule: "
                  "self.i.startsWith('a')"));
}

TEST(RuleJudgeTest, TransitionRulesNeedAPast) {
  const Schema schema = SchemaWith(kSize, R"({"rule":"self.a >= oldSelf.a","message":"shrinks"})");
  EXPECT_THAT(Judge(schema, R"({"a":1})").errors, IsEmpty());
  EXPECT_THAT(Judge(schema, R"({"a":2})", R"({"a":1})").errors, IsEmpty());
  EXPECT_THAT(Texts(Judge(schema, R"({"a":1})", R"({"a":2})").errors),
              ElementsAre("spec: Invalid value: shrinks"));
}

TEST(RuleJudgeTest, AnOptionalPastIsAskedForAlsoWhenThereIsNone) {
  const Schema schema =
      SchemaWith(kSize, R"({"rule":"oldSelf.hasValue() || self.a == 1","optionalOldSelf":true,)"
                        R"("message":"begins with one"})");
  EXPECT_THAT(Texts(Judge(schema, R"({"a":2})").errors),
              ElementsAre("spec: Invalid value: begins with one"));
  EXPECT_THAT(Judge(schema, R"({"a":1})").errors, IsEmpty());
  EXPECT_THAT(Judge(schema, R"({"a":2})", R"({"a":1})").errors, IsEmpty());
}

TEST(RuleJudgeTest, ItemsHaveAPastByTheirKeys) {
  const Schema schema = SchemaWith(
      R"("l":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
         "items":{"type":"object","required":["n"],
                  "properties":{"n":{"type":"string"},"v":{"type":"integer"}},
                  "x-kubernetes-validations":[{"rule":"self.v == oldSelf.v","message":"moved"}]}})",
      "");
  EXPECT_THAT(Texts(Judge(schema, R"({"l":[{"n":"y","v":3},{"n":"x","v":2}]})",
                          R"({"l":[{"n":"x","v":1}]})")
                        .errors),
              ElementsAre("spec.l[1]: Invalid value: moved"));
}

TEST(RuleJudgeTest, MapsAndScalarsHaveRulesToo) {
  const Schema schema = SchemaWith(
      R"("m":{"type":"object","additionalProperties":{"type":"string",
         "x-kubernetes-validations":[{"rule":"self != 'bad'","message":"no"}]}})",
      "");
  EXPECT_THAT(Texts(Judge(schema, R"({"m":{"k":"bad","l":"good"}})").errors),
              ElementsAre("spec.m[k]: Invalid value: \"bad\": no"));
}

TEST(RuleJudgeTest, WhatHasNotChangedIsForgiven) {
  const Schema schema = SchemaWith(kSize, R"({"rule":"self.a > 5","message":"small"})");
  const Judgement same = Judge(schema, R"({"a":1})", R"({"a":1})");
  EXPECT_THAT(same.errors, IsEmpty());
  EXPECT_THAT(Texts(same.forgiven), ElementsAre("spec: Invalid value: small"));
  EXPECT_THAT(Texts(Judge(schema, R"({"a":1,"b":1})", R"({"a":1})").errors),
              ElementsAre("spec: Invalid value: small"));
}

TEST(RuleJudgeTest, DataIsSeenAsItsSchemaSays) {
  const char* properties =
      R"("when":{"type":"string","format":"date-time"},"day":{"type":"string","format":"date"},
         "span":{"type":"string","format":"duration"},"bytes":{"type":"string","format":"byte"},
         "ratio":{"type":"number"},"either":{"x-kubernetes-int-or-string":true},
         "set":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
         "namespace":{"type":"string"},"dash-ed":{"type":"integer"},
         "maybe":{"type":"string","nullable":true},
         "free":{"type":"object","x-kubernetes-preserve-unknown-fields":true})";
  const char* data =
      R"({"when":"2026-01-02T03:04:05Z","day":"2026-01-02","span":"90s","bytes":"YWI=","ratio":1,
          "either":"5%","set":["a","b"],"namespace":"n","dash-ed":3,"maybe":null,"free":{"x":1}})";
  for (const char* rule : {
           "self.when.getFullYear() == 2026",
           "self.day < self.when",
           "self.span == duration('1m30s')",
           "self.bytes == b'ab'",
           "self.ratio < 1.5",
           "type(self.either) == string && self.either == '5%'",
           "self.set == ['b', 'a']",
           "(self.set + ['a', 'c']).size() == 3",
           "self.__namespace__ == 'n'",
           "self.namespace == 'n'",
           "self.dash__dash__ed == 3",
           "has(self.free) && self.free == self.free",
           "!has(self.missing) || true",
       }) {
    const std::string quoted = json::serialize(json::value{{"rule", rule}});
    const auto errors = Texts(Judge(SchemaWith(properties, quoted), data).errors);
    if (std::string_view(rule).contains("missing")) {
      EXPECT_EQ(errors.size(), 1U);
    } else {
      EXPECT_THAT(errors, IsEmpty()) << rule;
    }
  }
}

TEST(RuleJudgeTest, TheRootKnowsItsName) {
  const Schema schema = *ParseSchema(json::parse(
      R"x({"type":"object","x-kubernetes-validations":[
          {"rule":"self.metadata.name == 'n' && self.kind == 'K'"},
          {"rule":"self.metadata.name.startsWith('x')","message":"name"}]})x"));
  EXPECT_THAT(Texts(Judge(schema, "{}").errors), ElementsAre("<nil>: Invalid value: name"));
}

TEST(RuleJudgeTest, TheWorkIsBounded) {
  const Schema schema = SchemaWith(
      R"("l":{"type":"array","items":{"type":"integer"}})",
      R"x({"rule":"self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))"},{"rule":"false"})x");
  json::array items;
  for (int i = 0; i < 200; ++i) items.emplace_back(i);
  const auto errors = Texts(Judge(schema, R"({"l":)" + json::serialize(items) + "}").errors);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0], testing::HasSubstr("no further validation rules will be run"));
}

}  // namespace
}  // namespace millwright::kube::cel
