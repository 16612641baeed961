#include "kube/api/apply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "kube/api/apply_testing.h"

namespace millwright::kube {
namespace {

namespace json = boost::json;
using testing_kind::History;
using testing_kind::Object;
using testing_kind::Thing;

std::vector<std::string> Causes(const Error& error) {
  std::vector<std::string> causes;
  const auto* detail = error.detail<ApplyConflicts>();
  if (detail == nullptr) return causes;
  for (const auto& conflict : detail->conflicts()) {
    causes.push_back(conflict.Message() + " " + conflict.field);
  }
  return causes;
}

TEST(Apply, CreatesAndOwns) {
  History thing;
  ASSERT_TRUE(
      thing.Apply("a", R"({"replicas":1,"labels":{"x":"1"},"items":[{"name":"n","size":2}]})"));
  EXPECT_EQ(thing.spec(), R"({"items":[{"name":"n","size":2}],"labels":{"x":"1"},"replicas":1})");
  EXPECT_EQ(thing.Applied("a"),
            R"({"f:spec":{"f:items":{"k:{\"name\":\"n\"}":{".":{},"f:name":{},"f:size":{}}},)"
            R"("f:labels":{"f:x":{}},"f:replicas":{}}})");
}

TEST(Apply, WritesManagedFieldsAsAServerDoes) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  EXPECT_EQ(JsonText(thing.live()->at("metadata")),
            R"({"managedFields":[{"apiVersion":"v1","fieldsType":"FieldsV1",)"
            R"("fieldsV1":{"f:spec":{"f:replicas":{}}},"manager":"a","operation":"Apply",)"
            R"("time":"2023-11-14T22:13:21Z"}],"name":"a"})");
}

TEST(Apply, AgainChangesNothing) {
  History thing;
  const char* spec = R"({"replicas":1,"set":["x"],"items":[{"name":"n"}],"template":{}})";
  ASSERT_TRUE(thing.Apply("a", spec));
  const json::value first = *thing.live();
  ASSERT_TRUE(thing.Apply("a", spec));
  EXPECT_EQ(JsonText(*thing.live()), JsonText(first));
}

TEST(Apply, RemovesWhatIsNoLongerApplied) {
  History thing;
  ASSERT_TRUE(thing.Apply(
      "a", R"({"replicas":1,"labels":{"x":"1","y":"2"},"set":["p","q"],"items":[{"name":"n"}]})"));
  ASSERT_TRUE(thing.Apply("a", R"({"labels":{"y":"2"},"set":["q"]})"));
  EXPECT_EQ(thing.spec(), R"({"labels":{"y":"2"},"set":["q"]})");
}

TEST(Apply, KeepsWhatOthersOwnToo) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1,"set":["p","q"]})"));
  ASSERT_TRUE(thing.Apply("b", R"({"replicas":1,"set":["p"]})"));
  ASSERT_TRUE(thing.Apply("a", R"({})"));
  EXPECT_EQ(thing.spec(), R"({"replicas":1,"set":["p"]})");
  EXPECT_EQ(thing.Applied("b"), R"({"f:spec":{"f:replicas":{},"f:set":{"v:\"p\"":{}}}})");
}

TEST(Apply, KeepsWhatWasAddedInsideOfAnObjectItGivesUp) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"template":{"a":"1"}})"));
  ASSERT_TRUE(thing.Update("u", R"({"template":{"a":"1","b":"2"}})"));
  ASSERT_TRUE(thing.Apply("a", R"({})"));
  EXPECT_EQ(thing.spec(), R"({"template":{"b":"2"}})");
}

// Who owns an item decides about the item, whatever others put into it.
TEST(Apply, RemovesItsItemsWithEverythingInThem) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"items":[{"name":"n","size":1}]})"));
  ASSERT_TRUE(thing.Update("u", R"({"items":[{"name":"n","size":1,"tags":["t"]}]})"));
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  EXPECT_EQ(thing.spec(), R"({"replicas":1})");
}

TEST(Apply, KeepsAnEmptyContainerThatItClaims) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"template":{"a":"1"}})"));
  ASSERT_TRUE(thing.Apply("a", R"({"template":{}})"));
  EXPECT_EQ(thing.spec(), R"({"template":{}})");
}

// Nobody can own an empty list that is merged by item. The real server has the same wart.
TEST(Apply, WritesAnEmptiedListOnlyTheSecondTime) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"set":["x"]})"));
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1,"set":[]})"));
  EXPECT_EQ(thing.spec(), R"({"replicas":1})");
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1,"set":[]})"));
  EXPECT_EQ(thing.spec(), R"({"replicas":1,"set":[]})");
}

TEST(Apply, ConflictsWithAnUpdater) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1})"));
  const auto applied = thing.Apply("a", R"({"replicas":2})");
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().kind(), ErrorKind::kConflict);
  EXPECT_EQ(applied.error().message(),
            R"(Apply failed with 1 conflict: conflict with "u" using v1: .spec.replicas)");
  EXPECT_THAT(Causes(applied.error()),
              testing::ElementsAre(R"(conflict with "u" using v1 .spec.replicas)"));
}

TEST(Apply, ListsSeveralConflictsByOwner) {
  History thing;
  ASSERT_TRUE(thing.Apply("b", R"({"items":[{"name":"n","size":1}]})"));
  ASSERT_TRUE(thing.Update("u", R"({"items":[{"name":"n","size":1}],"replicas":1,"paused":true})"));
  const auto applied =
      thing.Apply("a", R"({"replicas":2,"paused":false,"items":[{"name":"n","size":2}]})");
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message(),
            "Apply failed with 3 conflicts: conflicts with \"b\":\n- .spec.items[name=\"n\"].size\n"
            "conflicts with \"u\" using v1:\n- .spec.paused\n- .spec.replicas");
}

TEST(Apply, NamesTheSubresourceOfAnOwner) {
  json::value live = Object("{}");
  live.as_object()["status"] = json::parse(R"({"ready":true})");
  const FieldWriter kubelet{
      .manager = "k", .api_version = "v1", .subresource = "status", .time = {}};
  const json::value before = Object("{}");
  json::value seeded = before;
  ASSERT_TRUE(UpdateManagedFields(StatusRules(&Thing()), nullptr, seeded, kubelet));
  ASSERT_TRUE(UpdateManagedFields(StatusRules(&Thing()), nullptr, live, kubelet));
  json::value wanted = before;
  wanted.as_object()["status"] = json::parse(R"({"ready":false})");
  const FieldWriter writer{.manager = "a", .api_version = "v1", .subresource = "", .time = {}};
  const auto applied = Apply(MainRules(&Thing(), false), &live, wanted, writer);
  ASSERT_FALSE(applied);
  EXPECT_EQ(
      applied.error().message(),
      "Apply failed with 1 conflict: conflict with \"k\" with subresource \"status\" using v1: "
      ".status.ready");
}

TEST(Apply, IsNoConflictWhenTheValueIsTheSame) {
  History thing;
  ASSERT_TRUE(thing.Update("u", R"({"replicas":1})"));
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  EXPECT_EQ(thing.Applied("a"), R"({"f:spec":{"f:replicas":{}}})");
  EXPECT_EQ(thing.Updated("u"), R"({"f:spec":{".":{},"f:replicas":{}}})");
}

TEST(Apply, TakesOverWhenForced) {
  History thing;
  ASSERT_TRUE(thing.Apply("b", R"({"replicas":1,"paused":true})"));
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":2})", Force::kYes));
  EXPECT_EQ(thing.spec(), R"({"paused":true,"replicas":2})");
  EXPECT_EQ(thing.Applied("a"), R"({"f:spec":{"f:replicas":{}}})");
  EXPECT_EQ(thing.Applied("b"), R"({"f:spec":{"f:paused":{}}})");
}

TEST(Apply, DropsAnOwnerThatIsLeftWithNothing) {
  History thing;
  ASSERT_TRUE(thing.Apply("b", R"({"replicas":1})"));
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":2})", Force::kYes));
  EXPECT_EQ(thing.Managed().size(), 1U);
}

TEST(Apply, OwnsAtomicListsAsAWhole) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"list":[1,2]})"));
  const auto applied = thing.Apply("b", R"({"list":[1,2,3]})");
  ASSERT_FALSE(applied);
  EXPECT_THAT(Causes(applied.error()), testing::ElementsAre(R"(conflict with "a" .spec.list)"));
}

TEST(Apply, ProtectsObjectsNobodyKeptBookOf) {
  json::value live = Object(R"({"replicas":1})");
  const FieldWriter writer{.manager = "a", .api_version = "v1", .subresource = "", .time = {}};
  const auto applied = Apply(MainRules(&Thing(), true), &live, Object(R"({"replicas":2})"), writer);
  ASSERT_FALSE(applied);
  EXPECT_EQ(
      applied.error().message(),
      R"(Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .spec.replicas)");
}

TEST(Apply, KeepsItsTimeStampWhileNothingChanges) {
  History thing;
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  const auto first = thing.TimeOf(ManagerId::Applier("a", ""));
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":1})"));
  EXPECT_EQ(thing.TimeOf(ManagerId::Applier("a", "")), first);
  ASSERT_TRUE(thing.Apply("a", R"({"replicas":2})"));
  EXPECT_EQ(thing.TimeOf(ManagerId::Applier("a", "")), thing.now());
}

TEST(Apply, ThroughTheMainResourceDoesNotOwnTheStatus) {
  History thing;
  json::value object = Object(R"({"replicas":1})");
  object.as_object()["status"] = json::parse(R"({"ready":true})");
  ASSERT_TRUE(thing.ApplyObject("a", object));
  EXPECT_EQ(thing.Applied("a"), R"({"f:spec":{"f:replicas":{}}})");
}

TEST(Apply, ThroughTheStatusOwnsNothingElse) {
  History thing(StatusRules(&Thing()));
  json::value object = Object(R"({"replicas":1})");
  object.as_object()["status"] = json::parse(R"({"ready":true})");
  ASSERT_TRUE(thing.ApplyObject("a", object));
  EXPECT_EQ(thing.Applied("a"), R"({"f:status":{"f:ready":{}}})");
}

TEST(Apply, WithoutASchemaMergesMapsAndReplacesLists) {
  History thing{OwnershipRules{}};
  ASSERT_TRUE(thing.Apply("a", R"({"map":{"x":{"p":1}},"list":[1]})"));
  ASSERT_TRUE(thing.Apply("b", R"({"map":{"x":{"q":2}},"other":[{"a":1}]})"));
  EXPECT_EQ(thing.spec(), R"({"list":[1],"map":{"x":{"p":1,"q":2}},"other":[{"a":1}]})");
  EXPECT_EQ(thing.Applied("b"),
            R"({"f:spec":{".":{},"f:map":{".":{},"f:x":{".":{},"f:q":{}}},"f:other":{}}})");
}

struct RefusalCase {
  const char* name;
  const char* configuration;
  const char* want;
};

const RefusalCase kRefusals[] = {
    {"NotAnObject", "[]", "the configuration must be an object"},
    {"OtherVersion", R"({"apiVersion":"v2","kind":"Thing"})",
     "Incorrect version specified in apply patch. Specified patch version: v2, expected: v1"},
    {"ManagedFields", R"({"apiVersion":"v1","kind":"Thing","metadata":{"managedFields":[]}})",
     "metadata.managedFields must be nil"},
    {"Undeclared",
     R"({"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","namespace":"n"},"spec":{"zz":1}})",
     "failed to create typed patch object (n/a; v1, Kind=Thing): .spec.zz: field not declared in "
     "schema"},
    {"Duplicates",
     R"({"apiVersion":"v1","kind":"Thing","spec":{"items":[{"name":"a"},{"name":"a"}]}})",
     "failed to create typed patch object (/; v1, Kind=Thing): .spec.items: duplicate entries for "
     "key "
     "[name=\"a\"]"},
};

class ApplyRefusalTest : public testing::TestWithParam<RefusalCase> {};

TEST_P(ApplyRefusalTest, SaysWhy) {
  const FieldWriter writer{.manager = "a", .api_version = "v1", .subresource = "", .time = {}};
  const auto applied =
      Apply(MainRules(&Thing(), true), nullptr, json::parse(GetParam().configuration), writer);
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().kind(), ErrorKind::kInvalid);
  EXPECT_EQ(applied.error().message(), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, ApplyRefusalTest, testing::ValuesIn(kRefusals),
                         [](const auto& test) { return std::string(test.param.name); });

// What kubectl apply --server-side meets on an object made by kubectl apply.
json::value MadeByClient(const char* spec, const char* last_applied) {
  json::value object = Object(spec);
  json::object& metadata = object.at("metadata").as_object();
  metadata["annotations"] = json::object(
      {{"kubectl.kubernetes.io/last-applied-configuration", JsonText(Object(last_applied))}});
  return object;
}

TEST(Apply, ByKubectlTakesOverWhatItAppliedOnTheClient) {
  History thing;
  ASSERT_TRUE(thing.UpdateObject("kubectl-client-side-apply",
                                 MadeByClient(R"({"replicas":1})", R"({"replicas":1})")));
  ASSERT_TRUE(thing.Apply("kubectl", R"({"replicas":2})"));
  EXPECT_EQ(thing.spec(), R"({"replicas":2})");
  EXPECT_EQ(
      json::value_to<std::string>(thing.live()
                                      ->at("metadata")
                                      .at("annotations")
                                      .at("kubectl.kubernetes.io/last-applied-configuration")),
      JsonText(Object(R"({"replicas":2})")) + "\n");
}

TEST(Apply, ByKubectlStillConflictsOverWhatOthersChanged) {
  History thing;
  ASSERT_TRUE(thing.UpdateObject(
      "kubectl-client-side-apply",
      MadeByClient(R"({"replicas":1,"paused":true})", R"({"replicas":1,"paused":true})")));
  ASSERT_TRUE(thing.UpdateObject(
      "hpa", MadeByClient(R"({"replicas":7,"paused":true})", R"({"replicas":1,"paused":true})")));
  const auto applied = thing.Apply("kubectl", R"({"replicas":2,"paused":false})");
  ASSERT_FALSE(applied);
  EXPECT_EQ(applied.error().message(),
            R"(Apply failed with 1 conflict: conflict with "hpa" using v1: .spec.replicas)");
}

TEST(Apply, RefusesBottomlessObjects) {
  json::value deep = json::object();
  for (int i = 0; i < 1000; ++i) deep = json::object({{"a", std::move(deep)}});
  json::value object = Object("{}");
  object.as_object()["spec"] = deep;
  const FieldWriter writer{.manager = "a", .api_version = "v1", .subresource = "", .time = {}};
  EXPECT_FALSE(Apply({}, nullptr, object, writer));
  EXPECT_FALSE(UpdateManagedFields({}, nullptr, object, writer));
}

}  // namespace
}  // namespace millwright::kube
