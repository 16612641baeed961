#include "kube/api/schema_parse.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_build.h"
#include "kube/api/schema_error.h"
#include "kube/api/schema_object_meta.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

std::vector<std::string> Faults(const char* document) {
  const auto schema = ParseSchema(json::parse(document));
  std::vector<std::string> texts;
  if (schema) return texts;
  EXPECT_EQ(schema.error().kind(), ErrorKind::kInvalid);
  for (const auto& error : schema.error().detail<FieldErrors>()->errors()) {
    texts.push_back(ToString(error));
  }
  return texts;
}

TEST(ParseSchema, ReadsEverythingAndWritesItBack) {
  const json::value document = json::parse(R"({
    "title": "t", "description": "d", "type": "object", "nullable": true, "default": {"a": "x"},
    "required": ["a"], "minProperties": 1, "maxProperties": 9,
    "properties": {
      "a": {"type": "string", "minLength": 1, "maxLength": 5, "pattern": "^x", "enum": ["x", "xy"],
            "format": "hostname"},
      "b": {"type": "number", "minimum": 0.5, "maximum": 2.5, "exclusiveMinimum": true,
            "exclusiveMaximum": true, "multipleOf": 0.5},
      "c": {"type": "array", "items": {"type": "object", "properties": {"k": {"type": "string"}}},
            "minItems": 1, "maxItems": 3, "uniqueItems": true, "x-kubernetes-list-type": "map",
            "x-kubernetes-list-map-keys": ["k"]},
      "d": {"x-kubernetes-int-or-string": true, "anyOf": [{"type": "integer"}, {"type": "string"}]},
      "e": {"type": "object", "x-kubernetes-embedded-resource": true,
            "x-kubernetes-preserve-unknown-fields": true},
      "f": {"type": "object", "additionalProperties": {"type": "boolean"},
            "x-kubernetes-map-type": "atomic"},
      "g": {"type": "object", "additionalProperties": true},
      "h": {"type": "object", "additionalProperties": false}
    },
    "allOf": [{"required": ["b"]}], "oneOf": [{"required": ["c"]}], "not": {"required": ["zz"]},
    "x-kubernetes-validations": [{"rule": "self.a != ''", "message": "m", "messageExpression": "e",
      "reason": "FieldValueInvalid", "fieldPath": ".a", "optionalOldSelf": true}]
  })");
  const auto schema = ParseSchema(document);
  ASSERT_TRUE(schema) << schema.error().message();
  EXPECT_EQ(JsonText(ToJson(*schema)), JsonText(document));
  ASSERT_EQ(schema->rules.size(), 1U);
  EXPECT_EQ(schema->rules[0].optional_old_self, true);
}

TEST(ParseSchema, SkipsWhatItDoesNotKnow) {
  EXPECT_THAT(Faults(R"({"type":"object","x-foo":1,"example":{},"externalDocs":{}})"),
              testing::IsEmpty());
}

TEST(ParseSchema, TakesNullAsNotSaid) {
  const auto schema = ParseSchema(json::parse(R"({"type":null,"default":null,"properties":null})"));
  ASSERT_TRUE(schema);
  EXPECT_FALSE(schema->default_value);
  EXPECT_EQ(JsonText(ToJson(*schema)), "{}");
}

struct FaultCase {
  const char* name;
  const char* document;
  const char* want;
};

const FaultCase kFaults[] = {
    {"NotAnObject", "[]", "openAPIV3Schema: Invalid value: []: must be a schema object"},
    {"UnknownType", R"({"properties":{"a":{"type":"int"}}})",
     "openAPIV3Schema.properties[a].type: Unsupported value: \"int\": supported values: \"array\", "
     "\"boolean\", \"integer\", \"number\", \"object\", \"string\""},
    {"NullType", R"({"type":"null"})",
     "openAPIV3Schema.type: Forbidden: type cannot be set to null, use nullable as an alternative"},
    {"Reference", R"({"items":{"$ref":"#/x"}})",
     "openAPIV3Schema.items.$ref: Forbidden: $ref is not supported"},
    {"Definitions", R"({"definitions":{}})",
     "openAPIV3Schema.definitions: Forbidden: definitions is not supported"},
    {"ItemsAsList", R"({"items":[]})",
     "openAPIV3Schema.items: Forbidden: items must be a schema object and not an array"},
    {"ListType", R"({"x-kubernetes-list-type":"bag"})",
     "openAPIV3Schema.x-kubernetes-list-type: Unsupported value: \"bag\": supported values: "
     "\"atomic\", \"set\", \"map\""},
    {"PreserveFalse", R"({"x-kubernetes-preserve-unknown-fields":false})",
     "openAPIV3Schema.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or "
     "undefined"},
    {"Pattern", R"({"pattern":"a("})",
     "openAPIV3Schema.pattern: Invalid value: \"a(\": must be a valid regular expression, but "
     "isn't: "
     "error parsing regexp: missing closing ): `a(`"},
    {"WrongKindOfWord", R"({"minLength":"1"})",
     "openAPIV3Schema.minLength: Invalid value: \"1\": must be of type integer"},
    {"DeepInside", R"({"additionalProperties":{"allOf":[{},{"not":{"type":1}}]}})",
     "openAPIV3Schema.additionalProperties.allOf[1].not.type: Invalid value: 1: must be of type "
     "string"},
};

class ParseFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(ParseFaultTest, NamesThePlace) {
  EXPECT_THAT(Faults(GetParam().document), testing::ElementsAre(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, ParseFaultTest, testing::ValuesIn(kFaults),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ParseSchema, RefusesBottomlessNesting) {
  json::value deep = json::object();
  for (int i = 0; i < 1000; ++i) deep = json::object({{"items", std::move(deep)}});
  const auto schema = ParseSchema(deep);
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().message(), "openAPIV3Schema: Forbidden: the schema is nested too deep");
}

TEST(ParseSchema, RefusesMonsters) {
  json::array many(60'000, json::object());
  const auto schema = ParseSchema(json::object({{"allOf", std::move(many)}}));
  ASSERT_FALSE(schema);
  EXPECT_EQ(schema.error().message(), "openAPIV3Schema: Forbidden: the schema is too large");
}

TEST(Pattern, FollowsGo) {
  EXPECT_TRUE(Pattern::Compile("b")->Matches("abc"));
  EXPECT_FALSE(Pattern::Compile("^b$")->Matches("abc"));
  EXPECT_FALSE(Pattern::Compile("^a$")->Matches("a\n"));
  EXPECT_TRUE(Pattern::Compile("^(?<x>a)(?P<y>b)[(?<]$")->Matches("ab<"));
  EXPECT_TRUE(Pattern::Compile(R"(^\p{L}+$)")->Matches("é"));
  for (const char* broken : {"(?=a)", "a**", "[", "\\C", "\\8", "(?P<a", "a{2000}", "(?!x)"}) {
    EXPECT_FALSE(Pattern::Compile(broken)) << broken;
  }
}

TEST(Builders, SayWhatADocumentWouldSay) {
  const Schema schema = Described(
      Requiring(
          ObjectSchema(
              {{"ports", ListMapSchema(ObjectSchema({{"port", IntegerSchema("int32")}}), {"port"})},
               {"tags", SetSchema(StringSchema())},
               {"size", WithDefault(IntOrStringSchema(), 1)},
               {"labels", Atomic(MapSchema(StringSchema()))},
               {"raw", OpaqueSchema()}}),
          {"ports"}),
      "a thing");
  EXPECT_EQ(JsonText(ToJson(schema)),
            JsonText(json::parse(
                R"({"type":"object","description":"a thing","required":["ports"],"properties":{
        "ports":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["port"],
          "items":{"type":"object","properties":{"port":{"type":"integer","format":"int32"}}}},
        "tags":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}},
        "size":{"x-kubernetes-int-or-string":true,"default":1},
        "labels":{"type":"object","additionalProperties":{"type":"string"},"x-kubernetes-map-type":"atomic"},
        "raw":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}})")));
}

TEST(Builders, KnowObjectMeta) {
  EXPECT_TRUE(ParseSchema(ToJson(ObjectMetaSchema())));
  EXPECT_EQ(ObjectMetaSchema().properties.at("ownerReferences")->list_map_keys,
            std::vector<std::string>{"uid"});
}

}  // namespace
}  // namespace millwright::kube
