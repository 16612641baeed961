#include "kube/projection/meta.h"

#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

constexpr std::string_view kWhole = R"({
  "kind":"Machine",
  "metadata":{
    "name":"m","namespace":"ns","uid":"0a-1b","resourceVersion":"42","generation":3,
    "creationTimestamp":"2025-12-31T00:00:00Z","deletionTimestamp":"2026-01-02T03:04:05Z",
    "labels":{"name":"not this one"},"ownerReferences":[{"name":"nor this","uid":"x"}],
    "managedFields":[{"manager":"m","fieldsV1":{"f:metadata":{"f:name":{}}}}]},
  "spec":{"metadata":{"name":"nor this"}},
  "status":{"phase":"Running"}})";

TEST(ReadObjectMetaTest, TakesTheObjectsOwnMetadata) {
  const auto meta = ReadObjectMeta(kWhole);
  ASSERT_TRUE(meta) << meta.error().message();
  Meta want;
  want.key = {"ns", "m"};
  want.uid = Uid("0a-1b");
  want.resource_version = ResourceVersion("42");
  want.generation = 3;
  want.deleting_since = *ParseTime("2026-01-02T03:04:05Z");
  EXPECT_EQ(*meta, want);
}

struct MetaCase {
  const char* name;
  const char* text;
  const char* error;  // null: read, with nothing in it
};

class ReadObjectMetaTableTest : public testing::TestWithParam<MetaCase> {};

TEST_P(ReadObjectMetaTableTest, IsEmptyOrRefused) {
  const auto meta = ReadObjectMeta(GetParam().text);
  if (GetParam().error == nullptr) {
    ASSERT_TRUE(meta) << meta.error().message();
    EXPECT_EQ(*meta, Meta{});
    return;
  }
  ASSERT_FALSE(meta);
  EXPECT_EQ(meta.error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(meta.error().message(), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(
    All, ReadObjectMetaTableTest,
    testing::Values(
        MetaCase{"NoMetadata", R"({"kind":"X"})", nullptr},
        MetaCase{"NullMetadata", R"({"metadata":null})", nullptr},
        MetaCase{"NullFields",
                 R"({"metadata":{"name":null,"namespace":null,"uid":null,"resourceVersion":null,
                    "generation":null,"deletionTimestamp":null}})",
                 nullptr},
        MetaCase{"MetadataOfAnotherType", R"({"metadata":[]})", "metadata: is not an object"},
        MetaCase{"NameOfAnotherType", R"({"metadata":{"name":5}})", "metadata: name: is not text"},
        MetaCase{"GenerationAsText", R"({"metadata":{"generation":"1"}})",
                 "metadata: generation: is not a whole number"}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(ReadObjectMetaTest, ATextThatStopsHalfWayIsNeverRead) {
  for (std::size_t size = 0; size < kWhole.size(); ++size) {
    EXPECT_FALSE(ReadObjectMeta(kWhole.substr(0, size))) << "of " << size << " bytes";
  }
}

TEST(ReadObjectMetaTest, OtherDocumentsAreRefused) {
  for (const char* text : {"[]", "null", "5", R"("x")", "<html></html>", "\n"}) {
    EXPECT_FALSE(ReadObjectMeta(text)) << text;
  }
}

}  // namespace
}  // namespace millwright::kube
