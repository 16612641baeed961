#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/apply_testing.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;
using testing_kind::History;
using testing_kind::Object;
using testing_kind::Thing;

json::value WithEntries(json::value object, const char* entries) {
  object.at("metadata").as_object()["managedFields"] = json::parse(entries);
  return object;
}

TEST(UpdateManagedFields, GivesTheCreatorEverything) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1,"items":[{"name":"n"}],"labels":{"x":"1"}})"));
  EXPECT_EQ(thing.Updated("u"),
            R"({"f:spec":{".":{},"f:items":{".":{},"k:{\"name\":\"n\"}":{".":{},"f:name":{}}},)"
            R"("f:labels":{".":{},"f:x":{}},"f:replicas":{}}})");
}

TEST(UpdateManagedFields, GivesTheWriterWhatItChanged) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1,"paused":true})"));
  ASSERT_TRUE(thing.Update("v", R"({"replicas":2,"paused":true})"));
  EXPECT_EQ(thing.Updated("u"), R"({"f:spec":{".":{},"f:paused":{}}})");
  EXPECT_EQ(thing.Updated("v"), R"({"f:spec":{"f:replicas":{}}})");
}

TEST(UpdateManagedFields, TakesFromAppliersToo) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1,"set":["x","y"]})"));
  ASSERT_TRUE(thing.Update("u", R"({"replicas":2,"set":["y"]})"));
  EXPECT_EQ(thing.Applied("a"), R"({"f:spec":{"f:set":{"v:\"y\"":{}}}})");
  EXPECT_EQ(thing.Updated("u"), R"({"f:spec":{"f:replicas":{}}})");
}

TEST(UpdateManagedFields, ChangesNothingWhenNothingChanges) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  const json::value before = *thing.live();
  ASSERT_TRUE(thing.UpdateObject("u", before));
  EXPECT_EQ(JsonText(*thing.live()), JsonText(before));
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1})"));  // by a client that knows no managedFields
  EXPECT_EQ(JsonText(*thing.live()), JsonText(before));
}

TEST(UpdateManagedFields, KeepsOneEntryPerWriter) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1})"));
  ASSERT_TRUE(thing.Update("u", R"({"replicas":2,"paused":true})"));
  EXPECT_EQ(thing.Managed().size(), 1U);
  EXPECT_EQ(thing.Updated("u"), R"({"f:spec":{".":{},"f:paused":{},"f:replicas":{}}})");
}

TEST(UpdateManagedFields, StampsOnlyWhoGainsFields) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1,"paused":true})"));
  const auto created = thing.now();
  ASSERT_TRUE(thing.Update("v", R"({"replicas":2,"paused":true})"));
  EXPECT_EQ(thing.TimeOf(ManagerId::Updater("u", "v1", "")), created);
  EXPECT_EQ(thing.TimeOf(ManagerId::Updater("v", "v1", "")), thing.now());
  ASSERT_TRUE(thing.Update("v", R"({"replicas":2})"));
  EXPECT_EQ(thing.TimeOf(ManagerId::Updater("v", "v1", "")), created + std::chrono::seconds(1));
}

TEST(UpdateManagedFields, NamesTheNameless) {
  History thing;
  ASSERT_TRUE(thing.Update("", R"({"replicas":1})"));
  EXPECT_NE(thing.Updated("unknown"), "");
}

TEST(UpdateManagedFields, LeavesNamesAndTimesToTheServer) {
  History thing;
  json::value object = json::parse(
      R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"1",
          "generation":1,"creationTimestamp":"2020-01-01T00:00:00Z","deletionTimestamp":"2020-01-01T00:00:00Z",
          "selfLink":"x","labels":{"l":"1"}}})");
  ASSERT_TRUE(thing.UpdateObject("u", object));
  EXPECT_EQ(thing.Updated("u"), R"({"f:metadata":{"f:labels":{".":{},"f:l":{}}}})");
}

TEST(UpdateManagedFields, ResetsWhenAskedTo) {
  for (const char* reset : {"[]", "[{}]"}) {
    History thing;
    ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
    ASSERT_TRUE(thing.UpdateObject("u", WithEntries(Object(R"({"replicas":2})"), reset)));
    EXPECT_EQ(FindManagedFields(*thing.live()), nullptr) << reset;
    // The books stay closed until somebody applies.
    ASSERT_TRUE(thing.Update("u", R"({"replicas":3})"));
    EXPECT_EQ(FindManagedFields(*thing.live()), nullptr) << reset;
    EXPECT_FALSE(thing.Apply("a", R"({"replicas":4})"));
  }
}

TEST(UpdateManagedFields, TakesEditsOfTheBooks) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1,"paused":true})"));
  ASSERT_TRUE(thing.UpdateObject(
      "kubectl",
      WithEntries(Object(R"({"replicas":1,"paused":true})"),
                  R"([{"manager":"b","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1",
                       "fieldsV1":{"f:spec":{"f:replicas":{}}},"time":"2020-01-01T00:00:00Z"}])")));
  EXPECT_EQ(thing.Applied("a"), "");
  EXPECT_EQ(thing.Applied("b"), R"({"f:spec":{"f:replicas":{}}})");
}

TEST(UpdateManagedFields, KeepsTheBooksWhenTheEditCannotBeRead) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  ASSERT_TRUE(
      thing.UpdateObject("u", WithEntries(Object(R"({"replicas":1})"), R"([{"manager":"x"}])")));
  EXPECT_EQ(thing.Applied("a"), R"({"f:spec":{"f:replicas":{}}})");
}

TEST(UpdateManagedFields, DoesNotTakeEditsThroughASubresource) {
  const FieldWriter writer{
      .manager = "k", .api_version = "v1", .subresource = "status", .time = {}};
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  json::value object = WithEntries(Object(R"({"replicas":1})"), "[]");
  object.as_object()["status"] = json::parse(R"({"ready":true})");
  ASSERT_TRUE(UpdateManagedFields(StatusRules(&Thing()), thing.live(), object, writer));
  const auto managed = *DecodeManagedFields(*FindManagedFields(object));
  ASSERT_EQ(managed.size(), 2U);
  EXPECT_EQ(json::serialize(managed.at(ManagerId::Updater("k", "v1", "status")).fields.ToJson()),
            R"({"f:status":{".":{},"f:ready":{}}})");
}

TEST(UpdateManagedFields, GivesUpTheBooksOfAnObjectThatDoesNotFit) {
  json::value object = WithEntries(Object(R"({"replicas":"many"})"), "[]");
  EXPECT_FALSE(UpdateManagedFields(MainRules(&Thing(), true), nullptr, object, {}));
  EXPECT_EQ(FindManagedFields(object), nullptr);
}

TEST(UpdateManagedFields, MergesTheOldestOfManyUpdaters) {
  History thing;
  std::string labels;
  for (int i = 0; i < 13; ++i) {
    labels += (i == 0 ? "" : ",") + ("\"l" + std::to_string(i) + "\":\"1\"");
    ASSERT_TRUE(thing.Update("u" + std::to_string(i), R"({"labels":{)" + labels + "}}"));
  }
  EXPECT_EQ(thing.Managed().size(), kMaxUpdaters);
  EXPECT_EQ(thing.Updated("ancient-changes"),
            R"({"f:spec":{".":{},"f:labels":{".":{},"f:l0":{},"f:l1":{},"f:l2":{},"f:l3":{}}}})");
  EXPECT_EQ(thing.Updated("u4"), R"({"f:spec":{"f:labels":{"f:l4":{}}}})");
}

TEST(UpdateManagedFields, CopesWithDuplicatesInLists) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"items":[{"name":"n","size":1},{"name":"n","size":2}]})"));
  EXPECT_EQ(thing.Updated("u"),
            R"({"f:spec":{".":{},"f:items":{".":{},"k:{\"name\":\"n\"}":{}}}})");
  ASSERT_TRUE(thing.Apply("a", R"({"items":[{"name":"n","size":3}]})", Force::kYes));
  EXPECT_EQ(thing.spec(), R"({"items":[{"name":"n","size":3}]})");
}

}  // namespace
}  // namespace millwright::kube
