#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/array.hpp>

#include "dialects/capi/clone.h"
#include "dialects/capi/machine_body.h"
#include "dialects/capi/names.h"
#include "dialects/capi/owned_fields.h"
#include "dialects/capi/set_body.h"
#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

namespace json = boost::json;
using testing::Deployment;
using testing::External;
using testing::Is;
using testing::Json;
using testing::Machine;
using testing::Set;

SetRecord TestSet(std::string_view handed_down = R"("minReadySeconds": 5)") {
  return Set(std::string(R"({"metadata": {"name": "s", "namespace": "ns", "uid": "u-s",
      "labels": {"cluster.x-k8s.io/deployment-name": "d"}},
    "spec": {"clusterName": "c", "replicas": 1, "selector": {"matchLabels": {"a": "b"}},
      "template": {"metadata": {"labels": {"a": "b"}, "annotations": {"x": "y"}},
        "spec": {"clusterName": "c", "version": "v1.35.0", "failureDomain": "fd",
          "bootstrap": {"configRef": {"apiGroup": "bg", "kind": "BTemplate", "name": "bt"}},
          "infrastructureRef": {"apiGroup": "ig", "kind": "ITemplate", "name": "it"}, )") +
             std::string(handed_down) + "}}}}");
}

// What a server has after a body was applied, with nobody else about.
template <class Record>
Record After(const json::object& body, std::string_view manager,
             Record (*read)(std::string_view text)) {
  json::object object = body;
  json::object& metadata = object["metadata"].get_object();
  metadata["uid"] = "u1";
  metadata["managedFields"] = json::array{json::object{
      {"manager", manager}, {"operation", "Apply"}, {"fieldsV1", FieldsOfBody(body).ToJson()}}};
  return read(json::serialize(object));
}

json::object NewMachine(const SetRecord& set) {
  return MachineBody(set, "m1", {"B", "m1", "bg"}, {"I", "m1", "ig"});
}

TEST(MachineBody, Capi_12_104_new_machine) {
  EXPECT_TRUE(Is(NewMachine(TestSet()), R"({
    "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
    "metadata": {"name": "m1", "namespace": "ns",
      "labels": {"a": "b", "cluster.x-k8s.io/set-name": "s",
        "cluster.x-k8s.io/deployment-name": "d"},
      "annotations": {"x": "y"}, "finalizers": ["machine.cluster.x-k8s.io"],
      "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
        "name": "s", "uid": "u-s", "controller": true, "blockOwnerDeletion": true}]},
    "spec": {"clusterName": "c", "version": "v1.35.0", "failureDomain": "fd",
      "minReadySeconds": 5,
      "bootstrap": {"configRef": {"apiGroup": "bg", "kind": "B", "name": "m1"}},
      "infrastructureRef": {"apiGroup": "ig", "kind": "I", "name": "m1"}}})"));
}

TEST(MachineBody, NothingIsSentForWhatWasApplied) {
  const SetRecord set = TestSet();
  const MachineRecord machine = After(NewMachine(set), managers::kSet, &Machine);
  EXPECT_FALSE(NeedsApply(MachineBody(set, machine), machine));
}

TEST(MachineBody, FieldsOfOthersAreTheirs) {
  const SetRecord set = TestSet();
  MachineRecord machine = After(NewMachine(set), managers::kSet, &Machine);
  machine.labels["other"] = "z";
  machine.spec.provider_id = "dev://1";
  machine.spec.data_secret = "m1";
  machine.spec.handed_down.node_deletion_timeout_seconds = 10;
  EXPECT_FALSE(NeedsApply(MachineBody(set, machine), machine));
}

TEST(MachineBody, Capi_12_110_what_is_handed_down_follows_and_the_rest_stays) {
  const MachineRecord machine = After(NewMachine(TestSet()), managers::kSet, &Machine);
  SetRecord set = TestSet(R"("minReadySeconds": 6, "readinessGates": [{"conditionType": "A"}],
      "taints": [{"key": "k", "effect": "NoExecute", "propagation": "Always"}],
      "deletion": {"nodeDrainTimeoutSeconds": 7})");
  set.spec.machine_template.spec.version = "v1.36.0";
  set.spec.machine_template.spec.failure_domain = "other";
  const json::object body = MachineBody(set, machine);
  EXPECT_TRUE(NeedsApply(body, machine));
  const MachineRecord after = After(body, managers::kSet, &Machine);
  EXPECT_EQ(after.spec.handed_down, set.spec.machine_template.spec.handed_down);
  EXPECT_EQ(after.spec.version, "v1.35.0");
  EXPECT_EQ(after.spec.failure_domain, "fd");
  EXPECT_EQ(after.spec.bootstrap.name, "m1");
  EXPECT_EQ(kube::GetString(json::value(body), "metadata.uid"), "u1");
  EXPECT_FALSE(NeedsApply(MachineBody(set, after), after));
}

TEST(MachineBody, Capi_12_110_removed_labels_are_seen_by_what_was_applied) {
  SetRecord set = TestSet();
  set.spec.machine_template.labels["gone"] = "1";
  const MachineRecord machine = After(NewMachine(set), managers::kSet, &Machine);
  EXPECT_TRUE(NeedsApply(MachineBody(TestSet(), machine), machine));
}

TEST(MachineBody, WhatIsThereAndNotOursIsTakenOver) {
  const SetRecord set = TestSet();
  MachineRecord machine = After(NewMachine(set), managers::kSet, &Machine);
  machine.applied = {};
  EXPECT_TRUE(NeedsApply(MachineBody(set, machine), machine));
}

TEST(MachineBody, UpdatedInPlaceAlsoTakesTheVersion) {
  const MachineRecord machine = After(NewMachine(TestSet()), managers::kSet, &Machine);
  SetRecord set = TestSet();
  set.spec.machine_template.spec.version = "v1.36.0";
  const json::value body(UpdatedMachineBody(set, machine));
  EXPECT_EQ(kube::GetString(body, "spec.version"), "v1.36.0");
  EXPECT_EQ(kube::GetString(body, "spec.infrastructureRef.name"), "m1");
}

TEST(MachineBody, LongSetNamesAreHashedInLabels) {
  SetRecord set = TestSet();
  set.meta.key.name = std::string(64, 's');
  EXPECT_TRUE(LabelsForMachine(set).at("cluster.x-k8s.io/set-name").starts_with("hash_"));
}

TEST(DeletingMachine, Capi_12_111_follows_only_what_is_handed_down) {
  const SetRecord set =
      TestSet(R"("minReadySeconds": 6, "deletion": {"nodeDrainTimeoutSeconds": 7})");
  MachineRecord machine = After(NewMachine(TestSet()), managers::kSet, &Machine);
  machine.spec.handed_down.volume_timeout_seconds = 3;
  EXPECT_TRUE(Is(*DeletingMachinePatch(set, machine), R"({"spec": {"minReadySeconds": 6,
    "readinessGates": null, "taints": null, "deletion": {"nodeDrainTimeoutSeconds": 7,
      "nodeVolumeDetachTimeoutSeconds": null, "nodeDeletionTimeoutSeconds": 10}}})"));
  machine.spec.handed_down = {.min_ready_seconds = 6,
                              .readiness_gates = {},
                              .drain_timeout_seconds = 7,
                              .volume_timeout_seconds = {},
                              .node_deletion_timeout_seconds = 10,
                              .taints = {}};
  EXPECT_FALSE(DeletingMachinePatch(set, machine));
}

DeploymentRecord TestDeployment() {
  return Deployment(R"({"metadata": {"name": "d", "namespace": "ns", "uid": "u-d",
      "annotations": {"keep": "1", "machinedeployment.clusters.x-k8s.io/revision": "9",
        "cluster.x-k8s.io/conversion-data": "{}",
        "kubectl.kubernetes.io/last-applied-configuration": "{}"}},
    "spec": {"clusterName": "c", "replicas": 3, "selector": {"matchLabels": {"a": "b"}},
      "deletion": {"order": "Oldest"}, "machineNaming": {"template": "n-{{ .random }}"},
      "template": {"metadata": {"labels": {"a": "b"}, "annotations": {"x": "y"}},
        "spec": {"clusterName": "c", "version": "v1.35.0", "minReadySeconds": 5,
          "bootstrap": {"dataSecretName": ""}}}}})");
}

SetWish TestWish() {
  return {.replicas = 2, .max_replicas = 4, .revision = "1", .revision_history = ""};
}

TEST(SetBody, NewSet) {
  EXPECT_TRUE(Is(SetBody(TestDeployment(), SetName{"d-bcdfg", "7-bcdfg"}, TestWish()), R"({
    "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
    "metadata": {"name": "d-bcdfg", "namespace": "ns",
      "labels": {"a": "b", "machine-template-hash": "7-bcdfg",
        "cluster.x-k8s.io/deployment-name": "d"},
      "annotations": {"keep": "1", "cluster.x-k8s.io/disable-machine-create": "false",
        "machinedeployment.clusters.x-k8s.io/revision": "1",
        "machinedeployment.clusters.x-k8s.io/desired-replicas": "3",
        "machinedeployment.clusters.x-k8s.io/max-replicas": "4"},
      "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
        "name": "d", "uid": "u-d", "controller": true, "blockOwnerDeletion": true}]},
    "spec": {"clusterName": "c", "replicas": 2, "deletion": {"order": "Oldest"},
      "machineNaming": {"template": "n-{{ .random }}"},
      "selector": {"matchLabels": {"a": "b", "machine-template-hash": "7-bcdfg"}},
      "template": {"metadata": {"labels": {"a": "b", "machine-template-hash": "7-bcdfg"},
          "annotations": {"x": "y"}},
        "spec": {"clusterName": "c", "version": "v1.35.0", "minReadySeconds": 5,
          "bootstrap": {"dataSecretName": ""}}}}})"));
}

TEST(SetBody, Capi_12_126_in_place_fields_follow_and_the_template_stays) {
  const json::object made = SetBody(TestDeployment(), SetName{"d-bcdfg", "7-bcdfg"}, TestWish());
  const SetRecord set = After(made, managers::kDeployment, &Set);
  EXPECT_FALSE(NeedsApply(SetBody(TestDeployment(), set, TestWish()), set));

  DeploymentRecord deployment = TestDeployment();
  deployment.spec.machine_template.spec.version = "v1.36.0";
  EXPECT_FALSE(NeedsApply(SetBody(deployment, set, TestWish()), set));
  deployment.spec.machine_template.spec.handed_down.min_ready_seconds = 6;
  deployment.spec.machine_template.annotations["new"] = "1";
  const json::object body = SetBody(deployment, set, TestWish());
  EXPECT_TRUE(NeedsApply(body, set));
  const SetRecord after = After(body, managers::kDeployment, &Set);
  EXPECT_EQ(after.spec.machine_template.spec.version, "v1.35.0");
  EXPECT_EQ(after.spec.machine_template.spec.handed_down.min_ready_seconds, 6);
  EXPECT_EQ(after.spec.selector_labels, set.spec.selector_labels);
}

TEST(SetBody, MarksOfMovesComeAndGo) {
  SetWish wish = TestWish();
  wish.moves_to = "other";
  const json::object body = SetBody(TestDeployment(), SetName{"d-b", "7-b"}, wish);
  const SetRecord set = After(body, managers::kDeployment, &Set);
  EXPECT_EQ(set.annotations.find(annotations::kMovesTo)->second, "other");
  EXPECT_TRUE(NeedsApply(SetBody(TestDeployment(), set, TestWish()), set));
}

TEST(SetBody, Capi_12_144_creation_is_disabled_in_words) {
  SetWish wish = TestWish();
  wish.disable_create = true;
  const json::object body = SetBody(TestDeployment(), SetName{"d-b", "7-b"}, wish);
  const SetRecord set = After(body, managers::kDeployment, &Set);
  EXPECT_EQ(set.annotations.find(annotations::kDisableCreate)->second, "true");
}

constexpr std::string_view kSource = R"({"apiVersion": "ig/v1beta2", "kind": "DevMachineTemplate",
  "metadata": {"name": "t", "namespace": "ns", "uid": "u", "resourceVersion": "3",
    "finalizers": ["f"], "labels": {"not": "this"}},
  "spec": {"template": {"metadata": {"labels": {"a": "old", "l": "1"}, "annotations": {"n": "2"}},
    "spec": {"size": 3}}}})";

CloneWish TestCloneWish() {
  return {.key = {"ns", "m1"},
          .cluster = "c",
          .labels = {{"a", "b"}},
          .annotations = {{"x", "y"}},
          .owner = FirstOwner(kSetKind, TestSet())};
}

TEST(Clone, Capi_12_165_labels_and_annotations_merged_and_one_owner) {
  EXPECT_TRUE(Is(*Clone(Json(kSource).get_object(), TestCloneWish()), R"({
    "apiVersion": "ig/v1beta2", "kind": "DevMachine",
    "metadata": {"name": "m1", "namespace": "ns",
      "labels": {"a": "b", "l": "1", "cluster.x-k8s.io/cluster-name": "c"},
      "annotations": {"n": "2", "x": "y", "cluster.x-k8s.io/cloned-from-name": "t",
        "cluster.x-k8s.io/cloned-from-groupkind": "DevMachineTemplate.ig"},
      "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
        "name": "s", "uid": "u-s"}]},
    "spec": {"size": 3}})"));
}

TEST(Clone, Capi_12_165_template_without_a_body) {
  const auto clone =
      Clone(Json(R"({"apiVersion":"v1","kind":"Foo","metadata":{"name":"t"}})").get_object(),
            TestCloneWish());
  EXPECT_EQ(kube::GetString(json::value(*clone), "kind"), "Foo");
  EXPECT_FALSE(clone->contains("spec"));
  EXPECT_FALSE(Clone({}, TestCloneWish()));
}

TEST(Clone, Capi_12_165_a_body_may_name_its_own_kind) {
  const auto clone = Clone(Json(R"({"apiVersion":"g/v1","kind":"FooTemplate",
    "spec":{"template":{"apiVersion":"h/v2","kind":"Bar"}}})")
                               .get_object(),
                           TestCloneWish());
  EXPECT_EQ(kube::GetString(json::value(*clone), "apiVersion"), "h/v2");
  EXPECT_EQ(kube::GetString(json::value(*clone), "kind"), "Bar");
}

TEST(CloneMetadata, HandedOverOnceAndNotSentAgain) {
  const SetRecord set = TestSet();
  CloneWish wish = TestCloneWish();
  wish.labels = LabelsForMachine(set);
  wish.annotations = AnnotationsForMachine(set);
  json::object created = *Clone(Json(kSource).get_object(), wish);
  const json::object fields = FieldsOfBody(created).ToJson();
  created["metadata"].get_object()["resourceVersion"] = "5";
  created["metadata"].get_object()["managedFields"] = json::array{
      json::object{{"manager", "capi-machineset"}, {"operation", "Apply"}, {"fieldsV1", fields}}};

  EXPECT_TRUE(NeedsHandOver(External(json::serialize(created))));
  const auto patch = HandOverMetadata(created, set);
  ASSERT_TRUE(patch);
  EXPECT_EQ(kube::GetString(json::value(*patch), "metadata.resourceVersion"), "5");
  created["metadata"].get_object()["managedFields"] = patch->at("metadata").at("managedFields");
  EXPECT_FALSE(HandOverMetadata(created, set));

  const ExternalRecord record = External(json::serialize(created));
  EXPECT_FALSE(NeedsHandOver(record));
  EXPECT_FALSE(record.applied.view().contains("f:labels"));
  EXPECT_TRUE(record.applied.view().contains("f:ownerReferences"));
  EXPECT_FALSE(record.applied_metadata.view().contains("cloned-from"));
  const Reference reference{"DevMachine", "m1", "ig"};
  EXPECT_FALSE(NeedsApply(CloneMetadataBody(reference, "v1beta2", record, set), record));

  SetRecord changed = set;
  changed.spec.machine_template.labels.erase("a");
  EXPECT_TRUE(NeedsApply(CloneMetadataBody(reference, "v1beta2", record, changed), record));
}

}  // namespace
}  // namespace millwright::dialects::capi
