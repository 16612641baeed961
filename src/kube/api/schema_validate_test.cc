#include "kube/api/schema_validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_parse.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

Schema SchemaOfX(const char* document) {
  auto schema = ParseSchema(json::parse(
      std::string(R"({"type":"object","properties":{"spec":{"type":"object","properties":{"x":)") +
      document + "}}}}"));
  EXPECT_TRUE(schema) << schema.error().message();
  return schema ? *std::move(schema) : Schema();
}

json::value WithX(const char* value) {
  return json::parse(R"({"apiVersion":"v1","kind":"K","metadata":{"name":"a"},"spec":{"x":)" +
                     std::string(value) + "}}");
}

std::vector<std::string> Texts(const std::vector<FieldError>& errors) {
  std::vector<std::string> texts;
  for (const auto& error : errors) texts.push_back(ToString(error));
  return texts;
}

struct ValidateCase {
  const char* name;
  const char* schema;
  const char* value;
  std::vector<std::string> want;
};

void PrintTo(const ValidateCase& test, std::ostream* out) { *out << test.schema << test.value; }

// Every answer here was given by kube-apiserver 1.36's own libraries.
const ValidateCase kCases[] = {
    {"RightType", R"({"type":"integer"})", "5", {}},
    {"WrongType",
     R"({"type":"integer"})",
     R"("5")",
     {R"(spec.x: Invalid value: "string": spec.x in body must be of type integer: "string")"}},
    {"NullIsNoType",
     R"({"type":"string"})",
     "null",
     {R"(spec.x: Invalid value: "null": spec.x in body must be of type string: "null")"}},
    {"NullWhereAllowed", R"({"type":"string","nullable":true})", "null", {}},
    {"WholeFloatIsAnInteger", R"({"type":"integer"})", "1.0", {}},
    {"IntegerIsANumber", R"({"type":"number"})", "1", {}},
    {"FractionIsNoInteger",
     R"({"type":"integer"})",
     "1.5",
     {R"(spec.x: Invalid value: "number": spec.x in body must be of type integer: "number")",
      R"(<nil>: Invalid value: "": Checked value must be of type integer (default format) in spec.x)"}},
    {"IntOrString",
     R"({"x-kubernetes-int-or-string":true})",
     "true",
     {R"(spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean")"}},
    {"LargestInteger", R"({"type":"integer"})", "9223372036854775807", {}},
    {"LargestIntegerIsTooLargeForInt32",
     R"({"type":"integer","format":"int32"})",
     "9223372036854775807",
     {R"(<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x)"}},
    {"Minimum",
     R"({"type":"integer","minimum":0})",
     "-1",
     {"spec.x: Invalid value: -1: spec.x in body should be greater than or equal to 0"}},
    {"ExclusiveMinimum",
     R"({"type":"integer","minimum":0,"exclusiveMinimum":true})",
     "0",
     {"spec.x: Invalid value: 0: spec.x in body should be greater than 0"}},
    {"Maximum",
     R"({"type":"integer","maximum":1000000})",
     "1000001",
     {"spec.x: Invalid value: 1000001: spec.x in body should be less than or equal to 1000000"}},
    {"MaximumOfAFloat",
     R"({"type":"number","maximum":1000000})",
     "1000001.5",
     {"spec.x: Invalid value: 1.0000015e+06: spec.x in body should be less than or equal to "
      "1e+06"}},
    {"MultipleOf",
     R"({"type":"integer","multipleOf":2})",
     "5",
     {"spec.x: Invalid value: 5: spec.x in body should be a multiple of 2"}},
    {"Int32",
     R"({"type":"integer","format":"int32"})",
     "3000000000",
     {R"(<nil>: Invalid value: "": Checked value must be of type integer with format int32 in spec.x)"}},
    {"MinLength",
     R"({"type":"string","minLength":2})",
     R"("a")",
     {R"(spec.x: Invalid value: "a": spec.x in body should be at least 2 chars long)"}},
    {"MaxLength",
     R"({"type":"string","maxLength":2})",
     R"("abc")",
     {"spec.x: Too long: may not be more than 2 bytes"}},
    {"LengthIsInCharacters", R"({"type":"string","maxLength":3})", R"("日本語")", {}},
    {"PatternOfAString",
     R"({"type":"string","pattern":"^a"})",
     R"("b")",
     {R"(spec.x: Invalid value: "b": spec.x in body should match '^a')"}},
    {"FormatOfAString",
     R"({"type":"string","format":"date-time"})",
     R"("noon")",
     {R"(spec.x: Invalid value: "noon": spec.x in body must be of type date-time: "noon")"}},
    {"Enum",
     R"({"type":"string","enum":["a","b"]})",
     R"("c")",
     {R"(spec.x: Unsupported value: "c": supported values: "a", "b")"}},
    {"EnumOfNumbers",
     R"({"type":"integer","enum":[1,2]})",
     "3",
     {R"(spec.x: Unsupported value: 3: supported values: "1", "2")"}},
    {"NullIsInNoEnum",
     R"({"type":"string","nullable":true,"enum":["a",null]})",
     "null",
     {R"(spec.x: Unsupported value: null: supported values: "a", "null")"}},
    {"Required",
     R"({"type":"object","required":["a"],"properties":{"a":{"type":"string"}}})",
     "{}",
     {"spec.x.a: Required value"}},
    {"MinItems",
     R"({"type":"array","items":{"type":"string"},"minItems":1})",
     "[]",
     {"spec.x: Invalid value: 0: spec.x in body should have at least 1 items"}},
    {"MaxItems",
     R"({"type":"array","items":{"type":"string"},"maxItems":1})",
     R"(["a","b"])",
     {"spec.x: Too many: 2: must have at most 1 item"}},
    {"MinProperties",
     R"({"type":"object","minProperties":1})",
     "{}",
     {"spec.x: Invalid value: 0: spec.x in body should have at least 1 properties"}},
    {"MaxProperties",
     R"({"type":"object","additionalProperties":{"type":"string"},"maxProperties":0})",
     R"({"a":""})",
     {"spec.x: Too many: 1: must have at most 0 items"}},
    {"ItemsHaveIndexes",
     R"({"type":"array","items":{"type":"object","required":["z"],"properties":{"z":{"type":"string"}}}})",
     R"([{"z":""},{}])",
     {"spec.x[1].z: Required value"}},
    {"KeysAreDotted",
     R"({"type":"object","additionalProperties":{"type":"integer"}})",
     R"({"k.l":"x"})",
     {R"(spec.x.k.l: Invalid value: "string": spec.x.k.l in body must be of type integer: "string")"}},
    {"AnyOf",
     R"({"type":"string","anyOf":[{"pattern":"^a"},{"maxLength":1}]})",
     R"("bc")",
     {R"(<nil>: Invalid value: "": "spec.x" must validate at least one schema (anyOf))",
      R"(spec.x: Invalid value: "bc": spec.x in body should match '^a')"}},
    {"OneOfNone",
     R"({"type":"object","oneOf":[{"required":["a"]},{"required":["b"]}]})",
     "{}",
     {R"(<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found none valid)",
      "spec.x.a: Required value"}},
    {"OneOfTwo",
     R"({"type":"integer","oneOf":[{"minimum":1},{"maximum":5}]})",
     "3",
     {R"(<nil>: Invalid value: "": "spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives)"}},
    {"AllOf",
     R"({"type":"integer","allOf":[{"minimum":1},{"maximum":3}]})",
     "5",
     {"spec.x: Invalid value: 5: spec.x in body should be less than or equal to 3",
      R"(<nil>: Invalid value: "": "spec.x" must validate all the schemas (allOf))"}},
    {"Not",
     R"({"type":"integer","not":{"minimum":1}})",
     "5",
     {R"(<nil>: Invalid value: "": "spec.x" must not validate the schema (not))"}},
    {"SetWithDuplicates",
     R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}})",
     R"(["a","b","a","a"])",
     {R"(spec.x[2]: Duplicate value: "a")"}},
    {"MapWithDuplicates",
     R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
         "items":{"type":"object","properties":{"n":{"type":"string"}}}})",
     R"([{"n":"a"},{"n":"b"},{"n":"a"}])",
     {R"(spec.x[2]: Duplicate value: {"n":"a"})"}},
    {"EmbeddedResource",
     R"({"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true})",
     R"({"apiVersion":"a/b/c"})",
     {R"(spec.x.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c)",
      "spec.x.kind: Required value"}},
};

class ValidateTest : public testing::TestWithParam<ValidateCase> {};

TEST_P(ValidateTest, SaysWhatIsWrong) {
  EXPECT_THAT(Texts(Validate(SchemaOfX(GetParam().schema), WithX(GetParam().value))),
              testing::ElementsAreArray(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, ValidateTest, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

struct UpdateCase {
  const char* name;
  const char* schema;
  const char* old;
  const char* value;
  bool valid;
};

constexpr const char* kKeyed =
    R"({"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["n"],
        "items":{"type":"object","required":["n"],"properties":{"n":{"type":"string"},
        "p":{"type":"integer","minimum":1}}}})";
constexpr const char* kShort = R"({"type":"array","items":{"type":"string","maxLength":1}})";
constexpr const char* kUnique =
    R"({"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}})";

const UpdateCase kUpdates[] = {
    {"UntouchedScalar", R"({"type":"integer","minimum":5})", "3", "3", true},
    {"TouchedScalar", R"({"type":"integer","minimum":5})", "2", "3", false},
    {"UntouchedItemOfAMap", kKeyed, R"([{"n":"a","p":0}])", R"([{"n":"b"},{"n":"a","p":0}])", true},
    {"NewItemOfAMap", kKeyed, R"([{"n":"a","p":0}])", R"([{"n":"b","p":0},{"n":"a","p":0}])",
     false},
    {"UntouchedList", kShort, R"(["aa"])", R"(["aa"])", true},
    {"TouchedList", kShort, R"(["aa"])", R"(["aa","b"])", false},
    {"DuplicatesThatWereThere", kUnique, R"(["b","b"])", R"(["a","a"])", true},
    {"NewDuplicates", kUnique, R"(["b"])", R"(["a","a"])", false},
    {"AlternativesAreAlwaysLookedAt",
     R"({"type":"object","oneOf":[{"properties":{"a":{"enum":["x"]}}}],
         "properties":{"a":{"type":"string"},"b":{"type":"string"}}})",
     R"({"a":"z","b":"1"})", R"({"a":"z","b":"2"})", false},
};

class ValidateUpdateTest : public testing::TestWithParam<UpdateCase> {};

TEST_P(ValidateUpdateTest, LetsThroughWhatWasWrongBefore) {
  const auto errors =
      ValidateUpdate(SchemaOfX(GetParam().schema), WithX(GetParam().value), WithX(GetParam().old));
  EXPECT_EQ(errors.empty(), GetParam().valid) << testing::PrintToString(Texts(errors));
}

INSTANTIATE_TEST_SUITE_P(All, ValidateUpdateTest, testing::ValuesIn(kUpdates),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Validate, ChecksTheTypesOfMetadata) {
  const Schema schema = SchemaOfX(R"({"type":"string"})");
  EXPECT_THAT(
      Texts(Validate(schema,
                     json::parse(R"({"metadata":{"labels":{"a":1},"creationTimestamp":null}})"))),
      testing::ElementsAre(
          R"(metadata.labels.a: Invalid value: "integer": metadata.labels.a in body must be of type string: "integer")"));
}

TEST(Validate, ReportsReasonsForTheStatus) {
  const auto errors = Validate(SchemaOfX(R"({"type":"integer"})"), WithX("[]"));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(Reason(errors[0].type), "FieldValueTypeInvalid");
  EXPECT_EQ(Message(errors[0]),
            R"(Invalid value: "array": spec.x in body must be of type integer: "array")");
  EXPECT_TRUE(BlocksRules(errors));
  EXPECT_FALSE(BlocksRules({}));
}

TEST(Validate, RefusesBottomlessObjects) {
  json::value deep = json::object();
  for (int i = 0; i < 1000; ++i) deep = json::object({{"a", std::move(deep)}});
  EXPECT_THAT(Texts(Validate(Schema(), deep)),
              testing::ElementsAre(R"(<nil>: Invalid value: "": the object is nested too deep)"));
}

TEST(Validate, StopsCountingAtAThousandErrors) {
  json::value resource = WithX("[]");
  resource.at("spec").at("x") = json::array(5000, json::value(true));
  EXPECT_EQ(Validate(SchemaOfX(R"({"type":"array","items":{"type":"string"}})"), resource).size(),
            1000U);
}

}  // namespace
}  // namespace millwright::kube
