#include "kube/api/schema_prune.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_default.h"
#include "kube/api/schema_parse.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

Schema Parsed(const char* document) {
  auto schema = ParseSchema(json::parse(document));
  EXPECT_TRUE(schema) << schema.error().message();
  return schema ? *std::move(schema) : Schema();
}

struct PruneCase {
  const char* name;
  const char* schema;  // of the field "spec"
  const char* spec;
  const char* want;
  std::vector<std::string> pruned;
};

void PrintTo(const PruneCase& test, std::ostream* out) { *out << test.spec; }

const PruneCase kPrunes[] = {
    {"KnownFieldsStay",
     R"({"type":"object","properties":{"a":{"type":"string"}}})",
     R"({"a":"x"})",
     R"({"a":"x"})",
     {}},
    {"UnknownFieldsGo",
     R"({"type":"object","properties":{"a":{"type":"string"}}})",
     R"({"a":"x","b":1,"c":{"d":1}})",
     R"({"a":"x"})",
     {"spec.b", "spec.c"}},
    {"EvenOfTheWrongType", R"({"type":"string"})", R"({"a":1})", R"({})", {"spec.a"}},
    {"InLists",
     R"({"type":"array","items":{"type":"object","properties":{"a":{"type":"string"}}}})",
     R"([{"a":"x"},{"b":1}])",
     R"([{"a":"x"},{}])",
     {"spec[1].b"}},
    {"InMaps",
     R"({"type":"object","additionalProperties":{"type":"object","properties":{"a":{"type":"string"}}}})",
     R"({"k":{"b":1}})",
     R"({"k":{}})",
     {"spec.k.b"}},
    {"MapsOfAnythingKeepTheirKeysOnly",
     R"({"type":"object","additionalProperties":true})",
     R"({"k":{"b":1},"l":1})",
     R"({"k":{},"l":1})",
     {"spec.k.b"}},
    {"PreservedFieldsStay",
     R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})",
     R"({"b":{"c":[{"d":1}]}})",
     R"({"b":{"c":[{"d":1}]}})",
     {}},
    {"KnownFieldsBelowPreservedAreLookedInto",
     R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,
         "properties":{"a":{"type":"object","properties":{"x":{"type":"string"}}}}})",
     R"({"a":{"x":"","y":1},"b":{"y":1}})",
     R"({"a":{"x":""},"b":{"y":1}})",
     {"spec.a.y"}},
    {"ListsThatPreserveDoSoForTheirItems",
     R"({"type":"array","x-kubernetes-preserve-unknown-fields":true,
         "items":{"type":"object","properties":{"a":{"type":"string"}}}})",
     R"([{"a":"x","b":1}])",
     R"([{"a":"x","b":1}])",
     {}},
    {"EmbeddedResourcesHaveMetadata",
     R"({"type":"object","x-kubernetes-embedded-resource":true,
         "properties":{"spec":{"type":"object"}}})",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","zz":1},"spec":{},"zz":1})",
     R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{}})",
     {"spec.metadata.zz", "spec.zz"}},
    {"OtherObjectsHaveNone",
     R"({"type":"object","properties":{}})",
     R"({"apiVersion":"v1","kind":"x","metadata":{}})",
     R"({})",
     {"spec.apiVersion", "spec.kind", "spec.metadata"}},
    {"NullsStay",
     R"({"type":"object","properties":{"a":{"type":"string"}}})",
     R"({"a":null})",
     R"({"a":null})",
     {}},
};

class PruneTest : public testing::TestWithParam<PruneCase> {};

TEST_P(PruneTest, RemovesWhatIsUnknown) {
  const Schema schema =
      Parsed((std::string(R"({"type":"object","properties":{"spec":)") + GetParam().schema + "}}")
                 .c_str());
  json::value resource = json::object({{"spec", json::parse(GetParam().spec)}});
  const auto pruned = Prune(schema, resource);
  ASSERT_TRUE(pruned);
  EXPECT_THAT(*pruned, testing::ElementsAreArray(GetParam().pruned));
  EXPECT_EQ(JsonText(resource.at("spec")), JsonText(json::parse(GetParam().want)));
}

INSTANTIATE_TEST_SUITE_P(All, PruneTest, testing::ValuesIn(kPrunes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Prune, KnowsTheResourceItself) {
  const Schema schema = Parsed(R"({"type":"object","properties":{"spec":{"type":"object"}}})");
  json::value resource = json::parse(
      R"({"apiVersion":"v1","kind":"K","metadata":{"name":"a","creationTimestamp":null,"labels":{"x":"y"},
          "odd":1,"ownerReferences":[{"uid":"u","odd":2}]},"odd":3})");
  const auto pruned = Prune(schema, resource);
  EXPECT_THAT(*pruned,
              testing::ElementsAre("metadata.odd", "metadata.ownerReferences[0].odd", "odd"));
  EXPECT_EQ(JsonText(resource),
            R"({"apiVersion":"v1","kind":"K","metadata":{"labels":{"x":"y"},"name":"a",)"
            R"("ownerReferences":[{"uid":"u"}]}})");
}

TEST(Prune, RefusesBottomlessObjects) {
  json::value deep = json::object();
  for (int i = 0; i < 1000; ++i) deep = json::array({std::move(deep)});
  EXPECT_FALSE(Prune(Schema(), deep));
  EXPECT_FALSE(ApplyDefaults(Schema(), deep));
}

struct DefaultCase {
  const char* name;
  const char* schema;
  const char* spec;
  const char* want;
};

const DefaultCase kDefaults[] = {
    {"FillsWhatIsMissing",
     R"({"type":"object","properties":{"a":{"type":"string","default":"x"}}})", R"({})",
     R"({"a":"x"})"},
    {"KeepsWhatIsThere", R"({"type":"object","properties":{"a":{"type":"string","default":"x"}}})",
     R"({"a":""})", R"({"a":""})"},
    {"ReplacesAForbiddenNull",
     R"({"type":"object","properties":{"a":{"type":"string","default":"x"}}})", R"({"a":null})",
     R"({"a":"x"})"},
    {"KeepsAnAllowedNull",
     R"({"type":"object","properties":{"a":{"type":"string","nullable":true,"default":"x"}}})",
     R"({"a":null})", R"({"a":null})"},
    {"DropsAForbiddenNullWithoutADefault",
     R"({"type":"object","properties":{"a":{"type":"string"}}})", R"({"a":null})", R"({})"},
    {"DoesNotMakeUpObjects",
     R"({"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"string","default":"x"}}}}})",
     R"({})", R"({})"},
    {"FillsIntoADefaultedObject",
     R"({"type":"object","properties":{"a":{"type":"object","default":{},
         "properties":{"b":{"type":"string","default":"x"}}}}})",
     R"({})", R"({"a":{"b":"x"}})"},
    {"FillsItems",
     R"({"type":"object","properties":{"a":{"type":"array","items":{"type":"object",
         "properties":{"b":{"type":"string","default":"x"}}}}}})",
     R"({"a":[{},{"b":"y"},null]})", R"({"a":[{"b":"x"},{"b":"y"},null]})"},
    {"FillsValuesOfMaps",
     R"({"type":"object","properties":{"a":{"type":"object","additionalProperties":{"type":"object",
         "default":{"c":1},"properties":{"b":{"type":"string","default":"x"},"c":{"type":"integer"}}}}}})",
     R"({"a":{"k":{},"l":null}})", R"({"a":{"k":{"b":"x"},"l":{"b":"x","c":1}}})"},
    {"LeavesUnknownFieldsAlone",
     R"({"type":"object","x-kubernetes-preserve-unknown-fields":true,"properties":{}})",
     R"({"z":null})", R"({"z":null})"},
};

class DefaultTest : public testing::TestWithParam<DefaultCase> {};

TEST_P(DefaultTest, FillsIn) {
  const Schema schema =
      Parsed((std::string(R"({"type":"object","properties":{"spec":)") + GetParam().schema + "}}")
                 .c_str());
  json::value resource = json::object({{"spec", json::parse(GetParam().spec)}});
  ASSERT_TRUE(ApplyDefaults(schema, resource));
  EXPECT_EQ(JsonText(resource.at("spec")), JsonText(json::parse(GetParam().want)));
}

INSTANTIATE_TEST_SUITE_P(All, DefaultTest, testing::ValuesIn(kDefaults),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace millwright::kube
