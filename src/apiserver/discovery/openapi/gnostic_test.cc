#include "apiserver/discovery/openapi/gnostic.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"
#include "apiserver/discovery/openapi/gnostic_operation.h"
#include "apiserver/discovery/openapi/gnostic_schema.h"
#include "apiserver/discovery/openapi/v2.h"

namespace millwright::apiserver::openapi {
namespace {

namespace json = boost::json;
using namespace std::string_literals;

std::string SchemaBytes(std::string_view text) {
  return SchemaMessage(json::parse(text).as_object()).text();
}

TEST(ProtobufWriterTest, WritesTheWireFormat) {
  ProtobufWriter writer;
  writer.Text(1, "ab");
  writer.Text(2, "");
  writer.Flag(3, true);
  writer.Flag(4, false);
  writer.Number(5, 300);
  writer.Number(6, -1);
  writer.Double(20, 1.5);
  ProtobufWriter inner;
  writer.Message(7, inner);
  EXPECT_EQ(writer.text(),
            "\x0a\x02"
            "ab\x18\x01\x28\xac\x02"
            "\x30\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
            "\xa1\x01\x00\x00\x00\x00\x00\x00\xf8\x3f\x3a\x00"s);
}

// The bytes are those that gnostic's own Go library makes of the same JSON, but for the order of
// fields, which says nothing.
TEST(GnosticTest, WritesSchemas) {
  EXPECT_EQ(SchemaBytes(R"({"type":"string"})"), "\xb2\x01\x08\x0a\x06string"s);
  EXPECT_EQ(SchemaBytes(R"({"$ref":"#/definitions/x"})"), "\x0a\x0f#/definitions/x"s);
  EXPECT_EQ(SchemaBytes(R"({"type":"array","items":{"$ref":"x"}})"),
            "\xb2\x01\x07\x0a\x05"
            "array\xba\x01\x05\x0a\x03\x0a\x01x"s);
  EXPECT_EQ(SchemaBytes(R"({"additionalProperties":{"type":"string"}})"),
            "\xaa\x01\x0d\x0a\x0b\xb2\x01\x08\x0a\x06string"s);
  EXPECT_EQ(SchemaBytes(R"({"additionalProperties":true})"), "\xaa\x01\x02\x10\x01"s);
  EXPECT_EQ(SchemaBytes(R"({"enum":["a"],"minimum":1})"),
            "\xa2\x01\x06\x12\x04\"a\"\n\x49\x00\x00\x00\x00\x00\x00\xf0\x3f"s);
  EXPECT_EQ(SchemaBytes(R"({"properties":{"a":{}},"required":["a"]})"),
            "\x9a\x01\x01"
            "a\xca\x01\x07\x0a\x05\x0a\x01"
            "a\x12\x00"s);
  EXPECT_EQ(SchemaBytes(R"({"x-b":true})"), "\xfa\x01\x0e\x0a\x03x-b\x12\x07\x12\x05true\n"s);
}

TEST(GnosticTest, WritesParametersWhereTheyBelong) {
  const auto item = PathItemMessage(json::parse(R"({"parameters":[
      {"name":"n","in":"path","required":true,"type":"string","uniqueItems":true},
      {"name":"q","in":"query","type":"string","uniqueItems":true},
      {"name":"b","in":"body","schema":{"$ref":"x"}}]})")
                                        .as_object());
  EXPECT_EQ(
      item.text(),
      "\x4a\x1c\x0a\x1a\x12\x18\x22\x16\x08\x01\x12\x04path\x22\x01n\x2a\x06string\x98\x01\x01"
      "\x4a\x1b\x0a\x19\x12\x17\x1a\x15\x12\x05query\x22\x01q\x32\x06string\xa0\x01\x01"
      "\x4a\x12\x0a\x10\x0a\x0e\x12\x01"
      "b\x1a\x04"
      "body\x2a\x03\x0a\x01x"s);
}

TEST(GnosticTest, TheWholeDocumentHasItsParts) {
  const std::vector<ResourcePtr> resources = {LatheResource()};
  const std::string bytes = V2ProtobufDocument(resources);
  EXPECT_TRUE(
      bytes.starts_with("\x0a\x03"
                        "2.0\x12\x12\x0a\x0aKubernetes\x12\x04"
                        "1.36"s));
  EXPECT_NE(bytes.find("patchExampleOrgV1NamespacedLathe"), bytes.npos);
  EXPECT_NE(bytes.find("org.example.v1.LatheList"), bytes.npos);
}

}  // namespace
}  // namespace millwright::apiserver::openapi
