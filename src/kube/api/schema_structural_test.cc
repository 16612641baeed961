#include "kube/api/schema_structural.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

std::vector<std::string> Faults(const char* document) {
  const auto schema = ParseSchema(json::parse(document));
  EXPECT_TRUE(schema) << schema.error().message();
  std::vector<std::string> texts;
  if (!schema) return texts;
  for (const auto& error : CheckStructural(*schema, "s")) texts.push_back(ToString(error));
  return texts;
}

struct StructuralCase {
  const char* name;
  const char* document;
  std::vector<std::string> want;
};

void PrintTo(const StructuralCase& test, std::ostream* out) { *out << test.document; }

// Every answer here was given by kube-apiserver 1.36's own libraries.
const StructuralCase kCases[] = {
    {"PlainObject", R"({"type":"object","properties":{"spec":{"type":"object"}}})", {}},
    {"MissingTypeAtTheRoot", R"({})", {"s.type: Required value: must not be empty at the root"}},
    {"MissingTypeOfAField",
     R"({"type":"object","properties":{"a":{}}})",
     {"s.properties[a].type: Required value: must not be empty for specified object fields"}},
    {"MissingTypeOfItems",
     R"({"type":"object","properties":{"a":{"type":"array","items":{}}}})",
     {"s.properties[a].items.type: Required value: must not be empty for specified array items"}},
    {"UnknownFieldsNeedNoType",
     R"({"type":"object","properties":{"a":{"x-kubernetes-preserve-unknown-fields":true}}})",
     {}},
    {"ListWithoutItems",
     R"({"type":"object","properties":{"a":{"type":"array"}}})",
     {"s.properties[a].items: Required value: must be specified"}},
    {"RootIsAnObject",
     R"({"type":"string"})",
     {"s.type: Invalid value: \"string\": must be object at the root"}},
    {"RootIsNotNullable",
     R"({"type":"object","nullable":true})",
     {"s.nullable: Forbidden: nullable cannot be true at the root"}},
    {"RootHasNoFreeFields",
     R"({"type":"object","additionalProperties":{"type":"string"}})",
     {"s.additionalProperties: Forbidden: must not be used at the root"}},
    {"TypeInsideOfAnyOf",
     R"({"type":"object","properties":{"a":{"type":"string","anyOf":[{"type":"string"}]}}})",
     {"s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural"}},
    {"IntOrStringMaySayItsTypes",
     R"({"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true,
         "anyOf":[{"type":"integer"},{"type":"string"}]},
         "b":{"x-kubernetes-int-or-string":true,
         "allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"pattern":"^a"}]}}})",
     {}},
    {"IntOrStringInAnotherOrder",
     R"({"type":"object","properties":{"a":{"x-kubernetes-int-or-string":true,
         "anyOf":[{"type":"string"},{"type":"integer"}]}}})",
     {"s.properties[a].anyOf[0].type: Forbidden: must be empty to be structural",
      "s.properties[a].anyOf[1].type: Forbidden: must be empty to be structural"}},
    {"DefaultAndTextInsideOfNot",
     R"({"type":"object","properties":{"a":{"type":"object","not":{"default":1,"description":"x"}}}})",
     {"s.properties[a].not.default: Forbidden: must be undefined to be structural",
      "s.properties[a].not.description: Forbidden: must be empty to be structural"}},
    {"FieldOnlyInsideOfOneOf",
     R"({"type":"object","oneOf":[{"properties":{"spec":{"minimum":1}}}]})",
     {"s.properties[spec]: Required value: because it is defined in s.oneOf[0].properties[spec]"}},
    {"MetadataMayRestrictNames",
     R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"name":{"type":"string","maxLength":3}}}}})",
     {}},
    {"MetadataMayNotSayMore",
     R"({"type":"object","properties":{"metadata":{"type":"object","properties":{"labels":{"type":"object"}}}}})",
     {"s.properties[metadata]: Forbidden: must not specify anything other than name and "
      "generateName, "
      "but metadata is implicitly specified"}},
    {"KindIsAString",
     R"({"type":"object","properties":{"kind":{"type":"integer"}}})",
     {"s.properties[kind].type: Invalid value: \"integer\": must be string"}},
    {"EmbeddedResource",
     R"({"type":"object","properties":{"a":{"x-kubernetes-embedded-resource":true,"type":"object"}}})",
     {"s.properties[a].properties: Required value: must not be empty if "
      "x-kubernetes-embedded-resource "
      "is true without x-kubernetes-preserve-unknown-fields"}},
    {"ListMapWithoutKeys",
     R"({"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"map",
         "items":{"type":"object","properties":{"n":{"type":"string"}}}}}})",
     {"s.properties[a].x-kubernetes-list-map-keys: Required value: must not be empty if "
      "x-kubernetes-list-type is map"}},
    {"ListMapKeyMayBeMissing",
     R"({"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"map",
         "x-kubernetes-list-map-keys":["n"],
         "items":{"type":"object","properties":{"n":{"type":"string"}}}}}})",
     {"s.properties[a].items.properties[n].default: Required value: this property is in "
      "x-kubernetes-list-map-keys, so it must have a default or be a required property"}},
    {"KeysOfSomethingElse",
     R"({"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-map-keys":["n"],
         "items":{"type":"string"}}}})",
     {"s.properties[a].x-kubernetes-list-type: Required value: must be map if "
      "x-kubernetes-list-map-keys is non-empty"}},
    {"SetOfObjects",
     R"({"type":"object","properties":{"a":{"type":"array","x-kubernetes-list-type":"set",
         "items":{"type":"object"}}}})",
     {"s.properties[a].items.x-kubernetes-map-type: Invalid value: null: must be atomic as item of "
      "a "
      "list with x-kubernetes-list-type=set"}},
    {"ListTypeOfAString",
     R"({"type":"object","properties":{"a":{"type":"string","x-kubernetes-list-type":"set"}}})",
     {"s.properties[a].type: Invalid value: \"string\": must be array if x-kubernetes-list-type is "
      "specified"}},
    {"UniqueItems",
     R"({"type":"object","properties":{"a":{"type":"array","uniqueItems":true,"items":{"type":"string"}}}})",
     {"s.properties[a].uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime "
      "complexity becomes quadratic"}},
    {"PropertiesAndFreeFields",
     R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},
         "additionalProperties":{"type":"string"}}}})",
     {"s.properties[a].additionalProperties: Forbidden: additionalProperties and properties are "
      "mutual "
      "exclusive"}},
    {"InvalidDefault",
     R"({"type":"object","properties":{"a":{"type":"integer","minimum":1,"default":0}}})",
     {"s.properties[a].default: Invalid value: 0:  in body should be greater than or equal to 1"}},
    {"UnprunedDefault",
     R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string"}},
         "default":{"zz":1}}}})",
     {"s.properties[a].default: Invalid value: {\"zz\":1}: must not have unknown fields"}},
    {"DefaultOfTheKind",
     R"({"type":"object","properties":{"kind":{"type":"string","default":"x"}}})",
     {"s.properties[kind].default: Forbidden: must not be set in top-level kind"}},
    {"RuleWithoutRule",
     R"({"type":"object","x-kubernetes-validations":[{"rule":" "}]})",
     {"s.x-kubernetes-validations[0].rule: Required value: rule is not specified"}},
    {"RuleOfSeveralLines",
     R"({"type":"object","x-kubernetes-validations":[{"rule":"a\nb"}]})",
     {"s.x-kubernetes-validations[0].message: Required value: message must be specified if rule "
      "contains line breaks"}},
};

class StructuralTest : public testing::TestWithParam<StructuralCase> {};

TEST_P(StructuralTest, SaysWhatAServerWouldRefuse) {
  EXPECT_THAT(Faults(GetParam().document), testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, StructuralTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::kube
