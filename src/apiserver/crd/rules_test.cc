// Rules of a definition: from its check to the judgement of its objects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/crd/resources_of.h"
#include "apiserver/crd/rules_condition.h"
#include "apiserver/crd/testing.h"
#include "apiserver/crd/validate.h"
#include "apiserver/rest/fit.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;

json::value CrdWithRule(json::value rule) {
  json::value crd = MakeCrd();
  crd.at_pointer("/spec/versions/0/schema/openAPIV3Schema/properties/spec")
      .get_object()["x-kubernetes-validations"] = json::array{std::move(rule)};
  return crd;
}

json::value Lathe(int replicas) {
  return {{"apiVersion", "example.org/v1"},
          {"kind", "Lathe"},
          {"metadata", {{"name", "a"}, {"namespace", "n"}}},
          {"spec", {{"replicas", replicas}}}};
}

std::vector<std::string> Texts(const std::vector<kube::FieldError>& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(kube::ToString(error));
  return texts;
}

TEST(RulesTest, ADefinitionWithARuleThatDoesNotCompileIsRefused) {
  EXPECT_THAT(ValidateCrd(CrdWithRule({{"rule", "self.replicas > 1"}}), nullptr), IsEmpty());
  EXPECT_THAT(
      Texts(ValidateCrd(CrdWithRule({{"rule", "self.teeth == 1"}}), nullptr)),
      ElementsAre(testing::AllOf(
          testing::StartsWith("spec.validation.openAPIV3Schema.properties[spec]."
                              "x-kubernetes-validations[0].rule: Invalid value: "),
          testing::HasSubstr("compilation failed: ERROR: <input>:1:5: undefined field 'teeth'"))));
}

TEST(RulesTest, ObjectsAreJudged) {
  const auto resources =
      ResourcesOf(CrdWithRule({{"rule", "self.replicas > 1"}, {"message", "more"}})).value();
  const Resource& lathes = *resources.at(0);
  std::vector<std::string> warnings;
  EXPECT_THAT(Texts(CheckObject(lathes, Lathe(2), nullptr, warnings)), IsEmpty());
  EXPECT_THAT(Texts(CheckObject(lathes, Lathe(1), nullptr, warnings)),
              ElementsAre("spec: Invalid value: more"));
  EXPECT_THAT(warnings, IsEmpty());
  // What was accepted once and is not touched is only warned about.
  const json::value old = Lathe(1);
  EXPECT_THAT(Texts(CheckObject(lathes, Lathe(1), &old, warnings)), IsEmpty());
  EXPECT_THAT(warnings, ElementsAre("spec: Invalid value: more"));
}

TEST(RulesTest, WhatDoesNotFitItsSchemaIsNotJudged) {
  const auto resources = ResourcesOf(CrdWithRule({{"rule", "self.replicas > 1"}})).value();
  json::value wrong = Lathe(1);
  wrong.at("spec").get_object()["replicas"] = "many";
  std::vector<std::string> warnings;
  EXPECT_THAT(
      Texts(CheckObject(*resources.at(0), wrong, nullptr, warnings)),
      ElementsAre(testing::StartsWith("spec.replicas: "),
                  "<nil>: Invalid value: null: some validation rules were not checked because the "
                  "object was invalid; correct the existing errors to complete validation"));
}

TEST(RulesTest, ADefinitionSaysWhichRulesAreNotRun) {
  EXPECT_EQ(RulesCondition(CrdWithRule({{"rule", "self.replicas > 1"}})).type, "");
  const json::value crd = CrdWithRule(
      {{"rule", "timestamp('2026-01-01T00:00:00Z').getHours('Europe/Berlin') == self.replicas"}});
  const CrdCondition condition = RulesCondition(crd);
  EXPECT_EQ(condition.type, kRulesNotRun);
  EXPECT_EQ(condition.status, "True");
  EXPECT_THAT(condition.message, testing::HasSubstr("Europe/Berlin"));

  const auto resources = ResourcesOf(crd).value();
  std::vector<std::string> warnings;
  EXPECT_THAT(CheckObject(*resources.at(0), Lathe(1), nullptr, warnings), IsEmpty());
  EXPECT_THAT(warnings, ElementsAre(testing::StartsWith("a rule was not run: spec: ")));
}

}  // namespace
}  // namespace millwright::apiserver
