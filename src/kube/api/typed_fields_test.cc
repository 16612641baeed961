#include "kube/api/typed_fields.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/schema_build.h"
#include "kube/api/typed_check.h"
#include "kube/api/typed_compare.h"
#include "kube/api/typed_remove.h"
#include "kube/api/typed_text.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;

const Schema& Kind() {
  static const Schema kPort =
      Requiring(ObjectSchema({{"port", IntegerSchema("int32")},
                              {"protocol", WithDefault(StringSchema(), "TCP")},
                              {"name", StringSchema()}}),
                {"port"});
  static const Schema kKind = ObjectSchema({{"n", IntegerSchema()},
                                            {"s", StringSchema()},
                                            {"when", StringSchema("date-time")},
                                            {"on", BooleanSchema()},
                                            {"struct", ObjectSchema({{"a", IntegerSchema()}})},
                                            {"labels", MapSchema(StringSchema())},
                                            {"set", SetSchema(StringSchema())},
                                            {"ports", ListMapSchema(kPort, {"port", "protocol"})},
                                            {"list", ListSchema(IntegerSchema())},
                                            {"any", OpaqueSchema()}});
  return kKind;
}

Shape TestShape() { return Shape::OfResource(&Kind()); }

struct FieldsCase {
  const char* name;
  const char* object;
  const char* want;
};

const FieldsCase kFields[] = {
    {"Scalars", R"({"n":1,"s":"x"})", R"({"f:n":{},"f:s":{}})"},
    {"DeclaredObjectIsItsParts", R"({"struct":{"a":1}})", R"({"f:struct":{"f:a":{}}})"},
    {"EmptyObjectIsClaimed", R"({"struct":{}})", R"({"f:struct":{}})"},
    {"NullIsClaimed", R"({"struct":null})", R"({"f:struct":{}})"},
    {"KeysOfMaps", R"({"labels":{"a":"1"}})", R"({"f:labels":{"f:a":{}}})"},
    {"SetItems", R"({"set":["x","y"]})", R"({"f:set":{"v:\"x\"":{},"v:\"y\"":{}}})"},
    {"EmptySetIsNotClaimed", R"({"set":[]})", R"({})"},
    {"ItemsByKeyWithDefaultedKeys", R"({"ports":[{"port":80}]})",
     R"({"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}})"},
    {"AtomicListAsAWhole", R"({"list":[1,2]})", R"({"f:list":{}})"},
    {"UnknownFieldsWithEveryLevel", R"({"any":{"a":{"b":1},"l":[1]}})",
     R"({"f:any":{"f:a":{".":{},"f:b":{}},"f:l":{}}})"},
    {"DuplicatesOnlyByIdentity", R"({"ports":[{"port":80,"name":"a"},{"port":80,"name":"b"}]})",
     R"({"f:ports":{"k:{\"port\":80,\"protocol\":\"TCP\"}":{}}})"},
    {"MetadataIsKnown",
     R"({"metadata":{"labels":{"a":"1"},"finalizers":["f"],"ownerReferences":[{"uid":"u"}]}})",
     R"({"f:metadata":{"f:finalizers":{"v:\"f\"":{}},"f:labels":{"f:a":{}},"f:ownerReferences":{"k:{\"uid\":\"u\"}":{}}}})"},
};

class FieldsOfTest : public testing::TestWithParam<FieldsCase> {};

TEST_P(FieldsOfTest, GivesWhatAnApplierClaims) {
  const FieldSet set = FieldsOf(TestShape(), json::parse(GetParam().object));
  EXPECT_EQ(json::serialize(set.ToJson()), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, FieldsOfTest, testing::ValuesIn(kFields),
                         [](const auto& test) { return std::string(test.param.name); });

struct CompareCase {
  const char* name;
  const char* before;
  const char* after;
  const char* added;
  const char* modified;
  const char* removed;
};

const CompareCase kCompares[] = {
    {"Nothing", R"({"n":1})", R"({"n":1.0})", "{}", "{}", "{}"},
    {"Scalar", R"({"n":1,"s":"x"})", R"({"n":2,"on":true})", R"({"f:on":{}})", R"({"f:n":{}})",
     R"({"f:s":{}})"},
    {"AddedObjectWithItsParts", "{}", R"({"struct":{"a":1}})", R"({"f:struct":{".":{},"f:a":{}}})",
     "{}", "{}"},
    {"RemovedItem", R"({"set":["a","b"]})", R"({"set":["b"]})", "{}", "{}",
     R"({"f:set":{"v:\"a\"":{}}})"},
    {"ReorderedItemsAreTheSame", R"({"set":["a","b"]})", R"({"set":["b","a"]})", "{}", "{}", "{}"},
    {"AtomicList", R"({"list":[1]})", R"({"list":[1,2]})", "{}", R"({"f:list":{}})", "{}"},
    {"EmptyIsNotNull", R"({"struct":{}})", R"({"struct":null})", "{}", R"({"f:struct":{}})", "{}"},
    {"UnknownChangesItsKind", R"({"any":{"x":{"a":1}}})", R"({"any":{"x":"t"}})", "{}",
     R"({"f:any":{"f:x":{}}})", R"({"f:any":{"f:x":{"f:a":{}}}})"},
    {"BecomesDuplicate", R"({"ports":[{"port":1}]})", R"({"ports":[{"port":1},{"port":1}]})",
     R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{}}})", "{}",
     R"({"f:ports":{"k:{\"port\":1,\"protocol\":\"TCP\"}":{".":{},"f:port":{}}}})"},
};

class CompareTest : public testing::TestWithParam<CompareCase> {};

TEST_P(CompareTest, SaysWhatChanged) {
  const Comparison change =
      Compare(TestShape(), json::parse(GetParam().before), json::parse(GetParam().after));
  EXPECT_EQ(json::serialize(change.added.ToJson()), GetParam().added);
  EXPECT_EQ(json::serialize(change.modified.ToJson()), GetParam().modified);
  EXPECT_EQ(json::serialize(change.removed.ToJson()), GetParam().removed);
}

INSTANTIATE_TEST_SUITE_P(All, CompareTest, testing::ValuesIn(kCompares),
                         [](const auto& test) { return std::string(test.param.name); });

struct ShapeCase {
  const char* name;
  const char* object;
  const char* want;  // "" if it fits
};

const ShapeCase kShapes[] = {
    {"Fits", R"({"n":1,"on":true,"when":5,"any":{"x":[{}]},"set":["a"],"labels":null})", ""},
    {"Undeclared", R"({"struct":{"zz":1}})", ".struct.zz: field not declared in schema"},
    {"WrongString", R"({"s":5})", ".s: expected string, got &value.valueUnstructured{Value:5}"},
    {"WrongNumber", R"({"n":"x"})", ".n: expected numeric (int or float), got string"},
    {"WrongBool", R"({"on":"x"})", ".on: expected boolean, got &{x}"},
    {"WrongMap", R"({"struct":[]})", ".struct: expected map, got &{[]}"},
    {"WrongList", R"({"set":"x"})", ".set: expected list, got &{x}"},
    {"WrongFormattedScalar", R"({"when":{}})", ".when: expected any scalar, got &{{}}"},
    {"Duplicate", R"({"set":["a","a"]})", R"(.set: duplicate entries for key [="a"])"},
    {"ItemWithoutKey", R"({"metadata":{"ownerReferences":[{"name":"x"}]}})",
     ".metadata.ownerReferences: element 0: associative list with keys has an element that omits "
     "all "
     "key fields [\"uid\"] (and doesn't have default values for any key fields)"},
    {"NullItem", R"({"set":[null]})",
     ".set: element 0: associative list without keys has an element that's an explicit null"},
    {"Several", R"({"n":"x","on":1})",
     "errors:\n  .n: expected numeric (int or float), got string\n  .on: expected boolean, got "
     "&{1}"},
};

class CheckShapeTest : public testing::TestWithParam<ShapeCase> {};

TEST_P(CheckShapeTest, SaysWhatDoesNotFit) {
  const auto fits = CheckShape(TestShape(), json::parse(GetParam().object), Duplicates::kRefused);
  EXPECT_EQ(fits ? "" : fits.error().message(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, CheckShapeTest, testing::ValuesIn(kShapes),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(CheckShape, MayAllowDuplicates) {
  EXPECT_TRUE(CheckShape(TestShape(), json::parse(R"({"set":["a","a"]})"), Duplicates::kAllowed));
}

TEST(Without, LeavesEmptiedContainers) {
  const FieldSet set = *FieldSet::FromJson(
      json::parse(R"({"f:struct":{"f:a":{}},"f:set":{"v:\"a\"":{}},"f:n":{}})"));
  EXPECT_EQ(JsonText(Without(TestShape(),
                             json::parse(R"({"struct":{"a":1},"set":["a"],"n":1,"s":""})"), set)),
            R"({"s":"","set":[],"struct":{}})");
}

TEST(AdjustedTo, TurnsPartsOfWhatBecameAtomicIntoTheWhole) {
  const FieldSet old =
      *FieldSet::FromJson(json::parse(R"({"f:list":{"v:1":{},"v:2":{}},"f:struct":{"f:a":{}}})"));
  EXPECT_EQ(json::serialize(AdjustedTo(TestShape(), old).ToJson()),
            R"({"f:list":{},"f:struct":{"f:a":{}}})");
}

TEST(WithDeclaredFields, AddsWhatLeadsToAMemberByName) {
  const FieldSet set =
      *FieldSet::FromJson(json::parse(R"({"f:struct":{"f:a":{}},"f:any":{"f:x":{"f:y":{}}}})"));
  EXPECT_EQ(json::serialize(WithDeclaredFields(TestShape(), set).ToJson()),
            R"({"f:any":{".":{},"f:x":{"f:y":{}}},"f:struct":{".":{},"f:a":{}}})");
}

}  // namespace
}  // namespace millwright::kube
