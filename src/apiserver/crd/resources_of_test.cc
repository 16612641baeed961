#include "apiserver/crd/resources_of.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/crd/lifecycle.h"
#include "apiserver/crd/testing.h"
#include "kube/api/schema.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::ElementsAre;

TEST(ResourcesOfTest, ReadsEverythingOfAServedVersion) {
  json::value crd = MakeCrd();
  json::object& version = crd.at_pointer("/spec/versions/0").get_object();
  version["subresources"] = json::parse(R"({"status":{},"scale":{
      "specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas",
      "labelSelectorPath":".status.selector"}})");
  version["additionalPrinterColumns"] = json::parse(R"([
      {"name":"Color","type":"string","jsonPath":".spec.color"},
      {"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp","priority":1,
       "description":"How old"}])");
  version["selectableFields"] = json::parse(R"([{"jsonPath":".spec.color"}])");
  crd.at_pointer("/spec/names").get_object()["shortNames"] = json::array{"la"};
  crd.at_pointer("/spec/names").get_object()["categories"] = json::array{"all"};

  const auto resources = ResourcesOf(crd).value();
  ASSERT_EQ(resources.size(), 1u);
  const Resource& lathe = *resources[0];
  EXPECT_EQ(lathe.kind.ToString(), "example.org/v1/Lathe");
  EXPECT_EQ(lathe.plural, "lathes");
  EXPECT_EQ(lathe.singular, "lathe");
  EXPECT_EQ(lathe.list_kind, "LatheList");
  EXPECT_THAT(lathe.short_names, ElementsAre("la"));
  EXPECT_THAT(lathe.categories, ElementsAre("all"));
  EXPECT_TRUE(lathe.namespaced);
  EXPECT_TRUE(lathe.custom);
  EXPECT_TRUE(lathe.has_status);
  EXPECT_EQ(lathe.storage_version, "v1");
  ASSERT_TRUE(lathe.scale);
  EXPECT_EQ(lathe.scale->label_selector, ".status.selector");
  ASSERT_EQ(lathe.subresources.size(), 2u);
  EXPECT_EQ(lathe.subresources[1].kind.ToString(), "autoscaling/v1/Scale");
  ASSERT_EQ(lathe.columns.size(), 2u);
  EXPECT_EQ(lathe.columns[0].description,
            "Custom resource definition column (in JSONPath format): .spec.color");
  EXPECT_EQ(lathe.columns[1].priority, 1);
  ASSERT_EQ(lathe.selectable_fields.size(), 1u);
  EXPECT_EQ(lathe.selectable_fields[0].path, "spec.color");
  ASSERT_NE(lathe.schema(), nullptr);
  EXPECT_TRUE(lathe.schema()->properties.contains("spec"));
}

TEST(ResourcesOfTest, ReplicasOfAScaleAreNotNegative) {
  json::value crd = MakeCrd();
  crd.at_pointer("/spec/versions/0").get_object()["subresources"] = json::parse(
      R"({"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas"}})");
  const auto resources = ResourcesOf(crd).value();
  const auto& validate = resources.at(0)->rules.validate;
  ASSERT_TRUE(validate);
  EXPECT_THAT(validate(json::parse(R"({"spec":{"replicas":0}})"), nullptr), testing::IsEmpty());
  EXPECT_THAT(validate(json::parse(R"({"spec":{}})"), nullptr), testing::IsEmpty());
  const auto errors = validate(json::parse(R"({"spec":{"replicas":-1}})"), nullptr);
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].field, ".spec.replicas");
  EXPECT_EQ(errors[0].detail, "should be a non-negative integer");
  EXPECT_EQ(validate(json::parse(R"({"status":{"replicas":3000000000}})"), nullptr).size(), 1u);
}

TEST(ResourcesOfTest, TellsUsersOfAnOldVersionOfTheNew) {
  json::value crd = MakeCrd();
  json::array& versions = crd.at_pointer("/spec/versions").get_array();
  for (const char* name : {"v1beta1", "v2"}) {
    json::value next = versions[0];
    next.get_object()["name"] = name;
    next.get_object()["storage"] = false;
    versions.push_back(next);
  }
  versions[1].get_object()["deprecated"] = true;
  const auto resources = ResourcesOf(crd).value();
  ASSERT_EQ(resources.size(), 3u);
  EXPECT_EQ(resources[0]->deprecation_warning, "");
  EXPECT_EQ(resources[1]->deprecation_warning,
            "example.org/v1beta1 Lathe is deprecated; use example.org/v2 Lathe");
  EXPECT_EQ(resources[1]->storage_version, "v1");
}

TEST(ResourcesOfTest, PrefersTheNamesThatWereAccepted) {
  json::value crd = MakeCrd();
  crd.at("status").get_object()["acceptedNames"] = json::parse(
      R"({"plural":"lathes","singular":"lathe","kind":"Lathe","listKind":"LatheList"})");
  crd.at_pointer("/spec/names").get_object()["shortNames"] = json::array{"taken"};
  EXPECT_TRUE(ResourcesOf(crd).value()[0]->short_names.empty());
}

TEST(CrdLifecycleTest, FillsInDefaults) {
  json::value crd = MakeCrd();
  crd.at_pointer("/spec/names").get_object().erase("singular");
  crd.at_pointer("/spec/names").get_object().erase("listKind");
  crd.at("spec").get_object().erase("conversion");
  crd.get_object().erase("status");
  SetCrdDefaults(crd);
  EXPECT_EQ(crd.at_pointer("/spec/names/singular"), json::value("lathe"));
  EXPECT_EQ(crd.at_pointer("/spec/names/listKind"), json::value("LatheList"));
  EXPECT_EQ(crd.at_pointer("/spec/conversion/strategy"), json::value("None"));
  EXPECT_EQ(json::serialize(crd.at_pointer("/status/storedVersions")), R"(["v1"])");
}

TEST(CrdLifecycleTest, NotesANewStorageVersion) {
  const json::value old = MakeCrd();
  json::value crd = old;
  crd.at_pointer("/spec/versions/0").get_object()["name"] = "v2";
  PrepareCrd(crd, &old);
  EXPECT_EQ(json::serialize(crd.at_pointer("/status/storedVersions")), R"(["v1","v2"])");
}

TEST(CrdLifecycleTest, MarksTheEndOnceAndWithoutGrace) {
  const json::value old = MakeCrd();
  json::value crd = old;
  crd.at("metadata").get_object()["deletionGracePeriodSeconds"] = 0;
  MarkCrdForRemoval(crd, old, WallTime());
  EXPECT_FALSE(crd.at("metadata").get_object().contains("deletionGracePeriodSeconds"));
  EXPECT_EQ(json::serialize(crd.at_pointer("/metadata/finalizers")),
            R"(["customresourcecleanup.apiextensions.k8s.io"])");
  EXPECT_EQ(crd.at_pointer("/status/conditions/0/reason"), json::value("InstanceDeletionPending"));
}

}  // namespace
}  // namespace millwright::apiserver
