#include "apiserver/discovery/openapi/definitions.h"

#include <gtest/gtest.h>

#include <map>

#include <boost/json.hpp>

#include "apiserver/discovery/fixture.h"

namespace millwright::apiserver::openapi {
namespace {

namespace json = boost::json;

using Definitions = std::map<std::string, json::object>;

Definitions Collect(std::vector<ResourcePtr> resources, Dialect dialect) {
  Definitions all;
  ForEachDefinition(resources, dialect, [&](const std::string& name, json::object document) {
    EXPECT_FALSE(all.contains(name)) << name;
    all.emplace(name, std::move(document));
  });
  return all;
}

// Without what is only for people.
void RemoveDescriptions(json::value& value) {
  if (json::array* array = value.if_array()) {
    for (json::value& one : *array) RemoveDescriptions(one);
  }
  json::object* object = value.if_object();
  if (object == nullptr) return;
  if (const json::value* text = object->if_contains("description"); text && text->is_string()) {
    object->erase("description");
  }
  for (auto& [key, one] : *object) RemoveDescriptions(one);
}

json::value Bare(const Definitions& all, const std::string& name) {
  const auto found = all.find(name);
  if (found == all.end()) return nullptr;
  json::value value = found->second;
  RemoveDescriptions(value);
  return value;
}

// References that lead nowhere.
void FindDangling(const json::value& value, const Definitions& all, std::string_view prefix) {
  if (const json::array* array = value.if_array()) {
    for (const json::value& one : *array) FindDangling(one, all, prefix);
  }
  const json::object* object = value.if_object();
  if (object == nullptr) return;
  for (const auto& [key, one] : *object) {
    if (key == "$ref" && one.is_string()) {
      const std::string target(one.get_string());
      ASSERT_TRUE(target.starts_with(prefix)) << target;
      EXPECT_TRUE(all.contains(target.substr(prefix.size()))) << target;
    }
    FindDangling(one, all, prefix);
  }
}

TEST(DefinitionsTest, EveryReferenceLeadsSomewhere) {
  const std::vector<ResourcePtr> resources = {PodResource(), DeploymentResource(), LatheResource(),
                                              SawResource(), AccessReviewResource()};
  const Definitions v3 = Collect(resources, Dialect::kV3);
  for (const auto& [name, document] : v3) FindDangling(document, v3, "#/components/schemas/");
  const Definitions v2 = Collect(resources, Dialect::kV2);
  for (const auto& [name, document] : v2) FindDangling(document, v2, "#/definitions/");
  for (const std::string_view needed : {kPatchDefinition, kStatusDefinition, kListMetaDefinition,
                                        kObjectMetaDefinition, kDeleteOptionsDefinition}) {
    EXPECT_TRUE(v2.contains(std::string(needed))) << needed;
  }
}

struct Case {
  Dialect dialect;
  std::string name;
  std::string document;
};

// As a kube-apiserver 1.36 writes them, but for descriptions and for the empty defaults that Go's
// zero values lead to.
TEST(DefinitionsTest, AreThoseOfAKubeApiserver) {
  const std::vector<Case> cases = {
      {Dialect::kV3, "io.k8s.api.apps.v1.RollingUpdateDeployment",
       R"({"type":"object","properties":{
        "maxSurge":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString"},
        "maxUnavailable":{"$ref":
          "#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString"}}})"},
      {Dialect::kV3, "io.k8s.api.apps.v1.DeploymentSpec", R"({"type":"object",
        "required":["selector","template"],"properties":{
        "minReadySeconds":{"type":"integer","format":"int32"},
        "paused":{"type":"boolean"},
        "progressDeadlineSeconds":{"type":"integer","format":"int32"},
        "replicas":{"type":"integer","format":"int32"},
        "revisionHistoryLimit":{"type":"integer","format":"int32"},
        "selector":{"$ref":
          "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector"},
        "strategy":{"allOf":[{"$ref":"#/components/schemas/io.k8s.api.apps.v1.DeploymentStrategy"}],
          "x-kubernetes-patch-strategy":"retainKeys"},
        "template":{"$ref":"#/components/schemas/io.k8s.api.core.v1.PodTemplateSpec"}}})"},
      {Dialect::kV3, "io.k8s.api.core.v1.ContainerPort", R"({"type":"object",
        "required":["containerPort"],"properties":{
        "containerPort":{"type":"integer","format":"int32"},
        "hostIP":{"type":"string"},
        "hostPort":{"type":"integer","format":"int32"},
        "name":{"type":"string"},
        "protocol":{"type":"string","default":"TCP","enum":["SCTP","TCP","UDP"]}}})"},
      {Dialect::kV2, "io.k8s.api.core.v1.ContainerPort", R"({"type":"object",
        "required":["containerPort"],"properties":{
        "containerPort":{"type":"integer","format":"int32"},
        "hostIP":{"type":"string"},
        "hostPort":{"type":"integer","format":"int32"},
        "name":{"type":"string"},
        "protocol":{"type":"string","enum":["SCTP","TCP","UDP"]}}})"},
      {Dialect::kV3, "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
       R"({"type":"string","format":"date-time"})"},
      {Dialect::kV3, "io.k8s.apimachinery.pkg.api.resource.Quantity",
       R"({"oneOf":[{"type":"string"},{"type":"number"}]})"},
      {Dialect::kV2, "io.k8s.apimachinery.pkg.api.resource.Quantity", R"({"type":"string"})"},
      {Dialect::kV3, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
       R"({"format":"int-or-string","oneOf":[{"type":"integer"},{"type":"string"}]})"},
      {Dialect::kV2, "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
       R"({"type":"string","format":"int-or-string"})"},
      {Dialect::kV3, "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1", R"({"type":"object"})"},
      {Dialect::kV3, "io.k8s.api.apps.v1.DeploymentList", R"({"type":"object","required":["items"],
        "properties":{"apiVersion":{"type":"string"},
        "items":{"type":"array","items":{"$ref":
          "#/components/schemas/io.k8s.api.apps.v1.Deployment"}},
        "kind":{"type":"string"},
        "metadata":{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"}},
        "x-kubernetes-group-version-kind":[{"group":"apps","kind":"DeploymentList",
          "version":"v1"}]})"},
      {Dialect::kV2, "org.example.v1.Saw", R"({"type":"object","properties":{
        "apiVersion":{"type":"string"},"kind":{"type":"string"},
        "metadata":{"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
        "spec":{"type":"object","properties":{"teeth":{"type":"integer"}}}},
        "x-kubernetes-group-version-kind":[{"group":"example.org","kind":"Saw",
          "version":"v1"}]})"},
      {Dialect::kV2, "org.example.v1beta1.Lathe", R"({"type":"object",
        "x-kubernetes-group-version-kind":[{"group":"example.org","kind":"Lathe",
          "version":"v1beta1"}]})"},
      {Dialect::kV2, "org.example.v1.Lathe", R"({"type":"object","required":["spec"],"properties":{
        "apiVersion":{"type":"string"},"kind":{"type":"string"},
        "metadata":{"$ref":"#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"},
        "spec":{"type":"object","properties":{
          "either":{"type":"object","properties":{"a":{"type":"string"}}},
          "labels":{"type":"object","additionalProperties":{"type":"string"}},
          "list":{"type":"array","items":{"type":"object","required":["name"],
            "properties":{"name":{"type":"string"}}},
            "x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map"},
          "maybe":{},
          "mode":{"type":"string","pattern":"^[a-z]$","enum":["a","b"]},
          "port":{"x-kubernetes-int-or-string":true},
          "raw":{"x-kubernetes-preserve-unknown-fields":true},
          "replicas":{"type":"integer","format":"int32","minimum":0},
          "tmpl":{"x-kubernetes-embedded-resource":true,
            "x-kubernetes-preserve-unknown-fields":true}},
          "x-kubernetes-validations":[{"message":"few","rule":"self.replicas < 10"}]},
        "status":{"type":"object","properties":{"replicas":{"type":"integer"},
          "selector":{"type":"string"}}}},
        "x-kubernetes-group-version-kind":[{"group":"example.org","kind":"Lathe",
          "version":"v1"}]})"},
      {Dialect::kV3, "org.example.v1.Lathe", R"({"type":"object","required":["spec"],"properties":{
        "apiVersion":{"type":"string"},"kind":{"type":"string"},
        "metadata":{"allOf":[{"$ref":
          "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
        "spec":{"type":"object","properties":{
          "either":{"type":"object","properties":{"a":{"type":"string"}},
            "oneOf":[{"required":["a"]},{"not":{"required":["a"]}}]},
          "labels":{"type":"object","additionalProperties":{"type":"string"}},
          "list":{"type":"array","items":{"type":"object","required":["name"],
            "properties":{"name":{"type":"string"}}},
            "x-kubernetes-list-map-keys":["name"],"x-kubernetes-list-type":"map"},
          "maybe":{"type":"string","nullable":true},
          "mode":{"type":"string","pattern":"^[a-z]$","enum":["a","b"]},
          "port":{"anyOf":[{"type":"integer"},{"type":"string"}],
            "x-kubernetes-int-or-string":true},
          "raw":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
          "replicas":{"type":"integer","format":"int32","default":1,"minimum":0},
          "tmpl":{"type":"object","required":["kind","apiVersion"],"properties":{
            "apiVersion":{"type":"string"},"kind":{"type":"string"},
            "metadata":{"allOf":[{"$ref":
              "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]}},
            "x-kubernetes-embedded-resource":true,
            "x-kubernetes-preserve-unknown-fields":true}},
          "x-kubernetes-validations":[{"message":"few","rule":"self.replicas < 10"}]},
        "status":{"type":"object","properties":{"replicas":{"type":"integer"},
          "selector":{"type":"string"}}}},
        "x-kubernetes-group-version-kind":[{"group":"example.org","kind":"Lathe",
          "version":"v1"}]})"},
  };
  const std::vector<ResourcePtr> resources = {DeploymentResource(), LatheResource("v1"),
                                              LatheResource("v1beta1"), SawResource()};
  const Definitions v2 = Collect(resources, Dialect::kV2);
  const Definitions v3 = Collect(resources, Dialect::kV3);
  for (const Case& one : cases) {
    const json::value ours = Bare(one.dialect == Dialect::kV2 ? v2 : v3, one.name);
    EXPECT_EQ(ours, json::parse(one.document)) << one.name << "\n" << json::serialize(ours);
  }
}

TEST(DefinitionsTest, ListsThatMergeSaySo) {
  const Definitions v3 = Collect({PodResource()}, Dialect::kV3);
  const auto field = [&](const std::string& definition, const std::string& name) {
    return v3.at(definition).at("properties").at(name);
  };
  const json::value containers = field("io.k8s.api.core.v1.PodSpec", "containers");
  EXPECT_EQ(containers.at("x-kubernetes-patch-merge-key"), "name");
  EXPECT_EQ(containers.at("x-kubernetes-patch-strategy"), "merge");
  EXPECT_EQ(field("io.k8s.api.core.v1.PodSpec", "volumes").at("x-kubernetes-patch-strategy"),
            "merge,retainKeys");
  EXPECT_EQ(field("io.k8s.api.core.v1.Container", "ports").at("x-kubernetes-patch-merge-key"),
            "containerPort");
  EXPECT_EQ(
      field(std::string(kObjectMetaDefinition), "finalizers").at("x-kubernetes-patch-strategy"),
      "merge");
  EXPECT_FALSE(field("io.k8s.api.core.v1.PodSpec", "tolerations")
                   .as_object()
                   .contains("x-kubernetes-patch-strategy"));
}

TEST(DefinitionsTest, AKindWithinAKindIsDescribedAsOne) {
  const Definitions v3 = Collect({BuiltinResource({.kind = {"apps", "v1", "StatefulSet"},
                                                   .plural = "statefulsets",
                                                   .singular = "statefulset",
                                                   .list_kind = {},
                                                   .storage_version = {}})},
                                 Dialect::kV3);
  const json::object& claim = v3.at("io.k8s.api.core.v1.PersistentVolumeClaim");
  EXPECT_EQ(claim.at("x-kubernetes-group-version-kind").at(0).at("kind"), "PersistentVolumeClaim");
  EXPECT_EQ(v3.at("io.k8s.api.core.v1.PersistentVolumeClaimStatus")
                .at("properties")
                .at("conditions")
                .at("x-kubernetes-patch-merge-key"),
            "type");
}

TEST(DefinitionsTest, WhatIsOnlyCreatedNeedsLittle) {
  const Definitions v3 = Collect({AccessReviewResource()}, Dialect::kV3);
  EXPECT_TRUE(v3.contains("io.k8s.api.authorization.v1.SelfSubjectAccessReview"));
  EXPECT_FALSE(v3.contains(std::string(kDeleteOptionsDefinition)));
}

TEST(DefinitionsTest, InV2RequiredFieldsThatMayBeNullAreNotRequired) {
  Resource resource = *SawResource();
  resource.schema = [schema = SchemaFrom(R"({"type":"object","properties":{"spec":{"type":"object",
      "required":["a","b"],"properties":{"a":{"type":"string","nullable":true},
      "b":{"type":"array","items":{"type":"string"},"nullable":true},
      "c":{"type":"array","x-kubernetes-preserve-unknown-fields":true}}},
      "more":{"type":"object","required":["x","y"],"properties":{"x":{"type":"integer"},
      "y":{"type":"integer","nullable":true}}}}})")] { return schema; };
  const Definitions v2 = Collect({std::make_shared<Resource>(resource)}, Dialect::kV2);
  const json::value properties = Bare(v2, "org.example.v1.Saw").at("properties");
  EXPECT_EQ(properties.at("spec"), json::parse(R"({"type":"object","properties":{"a":{},"b":{},
                            "c":{"x-kubernetes-preserve-unknown-fields":true}}})"));
  EXPECT_EQ(properties.at("more"), json::parse(R"({"type":"object","required":["x"],
      "properties":{"x":{"type":"integer"},"y":{}}})"));
}

TEST(DefinitionsTest, AKindWithoutSchemaIsAnything) {
  Resource resource = *SawResource();
  resource.schema = [] { return nullptr; };
  const auto all = Collect({std::make_shared<Resource>(resource)}, Dialect::kV3);
  EXPECT_EQ(all.at("org.example.v1.Saw").at("x-kubernetes-preserve-unknown-fields"), true);
  EXPECT_TRUE(all.at("org.example.v1.Saw").at("properties").as_object().contains("metadata"));
}

}  // namespace
}  // namespace millwright::apiserver::openapi
