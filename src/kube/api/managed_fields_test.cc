#include "kube/api/managed_fields.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::kube {
namespace {

namespace json = boost::json;

json::array Entries(const char* text) { return json::parse(text).as_array(); }

TEST(ManagedFields, ComeBackInTheOrderOfAServer) {
  const json::array entries = Entries(R"([
    {"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:b":{}},"manager":"z","operation":"Update","time":"2020-01-01T00:00:00Z"},
    {"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":{}},"manager":"b","operation":"Apply","time":"2020-01-02T00:00:00Z"},
    {"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:c":{}},"manager":"y","operation":"Update","subresource":"status","time":"2020-01-01T00:00:00Z"},
    {"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:d":{}},"manager":"c","operation":"Apply"}])");
  const auto managed = DecodeManagedFields(entries);
  ASSERT_TRUE(managed) << managed.error().message();
  const json::array want = {entries[3], entries[1], entries[2], entries[0]};
  EXPECT_EQ(EncodeManagedFields(*managed), want);
}

TEST(ManagedFields, TellWritersApart) {
  const auto managed = DecodeManagedFields(Entries(R"([
    {"apiVersion":"v1","fieldsType":"FieldsV1","manager":"m","operation":"Apply"},
    {"apiVersion":"v2","fieldsType":"FieldsV1","manager":"m","operation":"Apply"},
    {"apiVersion":"v1","fieldsType":"FieldsV1","manager":"m","operation":"Update"},
    {"apiVersion":"v2","fieldsType":"FieldsV1","manager":"m","operation":"Update"},
    {"apiVersion":"v1","fieldsType":"FieldsV1","manager":"m","operation":"Update","subresource":"status"}])"));
  ASSERT_TRUE(managed);
  EXPECT_EQ(managed->size(), 4U);  // an applier is the same in every version
  EXPECT_EQ(managed->at(ManagerId::Applier("m", "")).api_version, "v2");
}

TEST(ManagedFields, ReadTimesOfAnyZone) {
  const auto managed = DecodeManagedFields(Entries(
      R"([{"apiVersion":"v1","fieldsType":"FieldsV1","manager":"m","operation":"Apply","time":"2020-01-01T01:00:00.7+01:00"}])"));
  ASSERT_TRUE(managed);
  EXPECT_EQ(EncodeManagedFields(*managed)[0].at("time"), "2020-01-01T00:00:00Z");
}

struct BrokenCase {
  const char* name;
  const char* entry;
  const char* want;
};

const BrokenCase kBroken[] = {
    {"NotAnObject", "1", "an entry must be an object"},
    {"NoOperation", R"({"apiVersion":"v1","fieldsType":"FieldsV1"})",
     "operation must be `Apply` or `Update`"},
    {"NoVersion", R"({"operation":"Apply","fieldsType":"FieldsV1"})",
     "apiVersion must not be empty"},
    {"NoFieldsType", R"({"operation":"Apply","apiVersion":"v1"})",
     "missing fieldsType in managed fields entry 0"},
    {"OtherFieldsType", R"({"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV2"})",
     "invalid fieldsType \"FieldsV2\" in managed fields entry 0"},
    {"BrokenManager",
     R"({"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","manager":1})",
     "manager must be a string"},
    {"BrokenFields",
     R"({"operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:a":1}})",
     "a field set must be a JSON object"},
};

class BrokenEntryTest : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenEntryTest, IsRefused) {
  const auto managed = DecodeManagedFields(json::array({json::parse(GetParam().entry)}));
  ASSERT_FALSE(managed);
  EXPECT_EQ(managed.error().message(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, BrokenEntryTest, testing::ValuesIn(kBroken),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ManagedFields, AreStoredInAndTakenOutOfMetadata) {
  json::value object = json::parse(R"({"kind":"K"})");
  ManagedFields managed;
  managed[ManagerId::Applier("a", "")].api_version = "v1";
  StoreManagedFields(managed, object);
  ASSERT_NE(FindManagedFields(object), nullptr);
  EXPECT_EQ(FindManagedFields(WithoutManagedFields(object)), nullptr);
  StoreManagedFields({}, object);
  EXPECT_EQ(object, json::parse(R"({"kind":"K","metadata":{}})"));
}

TEST(ManagerId, ReadsLikeAServersMessage) {
  EXPECT_EQ(ManagerId::Applier("a", "").ToString(), R"("a")");
  EXPECT_EQ(ManagerId::Updater("a", "apps/v1", "").ToString(), R"("a" using apps/v1)");
  EXPECT_EQ(ManagerId::Updater("a", "v1", "status").ToString(),
            R"("a" with subresource "status" using v1)");
}

TEST(CapUpdaters, MergesOnlyWithinAVersion) {
  ManagedFields managed;
  const auto add = [&managed](const char* name, const char* version, int second) {
    ManagedEntry& entry = managed[ManagerId::Updater(name, version, "")];
    entry.fields.Insert(FieldPath{PathElement::Field(name)});
    entry.api_version = version;
    entry.time = WallTime(std::chrono::seconds(second));
  };
  add("a", "v1", 1);
  add("b", "v2", 2);
  add("c", "v1", 3);
  add("d", "v2", 4);
  CapUpdaters(managed, 3);
  ASSERT_EQ(managed.size(), 3U);
  const ManagedEntry& bucket = managed.at(ManagerId::Updater("ancient-changes", "v1", ""));
  EXPECT_EQ(json::serialize(bucket.fields.ToJson()), R"({"f:a":{},"f:c":{}})");
  EXPECT_EQ(bucket.time, WallTime(std::chrono::seconds(3)));
}

}  // namespace
}  // namespace millwright::kube
