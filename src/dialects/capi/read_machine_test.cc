#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/names.h"
#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

using testing::At;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Machine;
using testing::Read;

constexpr std::string_view kWhole = R"({
  "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
  "metadata": {"name": "m1", "namespace": "ns", "uid": "u1", "resourceVersion": "7",
    "generation": 3, "creationTimestamp": "2026-11-16T09:00:00Z",
    "deletionTimestamp": "2026-11-16T09:30:00Z",
    "labels": {"cluster.x-k8s.io/set-name": "s"}, "annotations": {"a": "b"},
    "finalizers": ["machine.cluster.x-k8s.io"],
    "ownerReferences": [{"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineSet",
      "name": "s", "uid": "u2", "controller": true, "blockOwnerDeletion": true}],
    "managedFields": [
      {"apiVersion": "cluster.x-k8s.io/v1beta2", "fieldsType": "FieldsV1",
       "fieldsV1": {"f:spec": {"f:version": {}}}, "manager": "capi-machineset",
       "operation": "Apply", "time": "2026-11-16T09:00:00Z"},
      {"fieldsV1": {"f:status": {}}, "manager": "capi-machineset", "operation": "Apply",
       "subresource": "status"},
      {"fieldsV1": {"f:metadata": {}}, "manager": "capi-machineset", "operation": "Update"},
      {"fieldsV1": {"f:data": {}}, "manager": "kubectl", "operation": "Apply"}]},
  "spec": {"clusterName": "c", "version": "v1.35.0", "providerID": "dev://1",
    "failureDomain": "fd", "minReadySeconds": 5,
    "bootstrap": {"dataSecretName": "", "configRef": {"kind": "KubeadmConfig", "name": "m1",
      "apiGroup": "bootstrap.cluster.x-k8s.io"}},
    "infrastructureRef": {"kind": "DevMachine", "name": "m1",
      "apiGroup": "infrastructure.cluster.x-k8s.io"},
    "readinessGates": [{"conditionType": "A"}, {"conditionType": "B", "polarity": "Negative"}],
    "deletion": {"nodeDrainTimeoutSeconds": 1, "nodeVolumeDetachTimeoutSeconds": 0,
      "nodeDeletionTimeoutSeconds": 10},
    "taints": [{"key": "k", "value": "v", "effect": "NoSchedule", "propagation": "Always"},
      {"key": "k2", "effect": "NoExecute", "propagation": "OnInitialization"}]},
  "status": {"phase": "Running", "observedGeneration": 2, "failureDomain": "fd2",
    "initialization": {"infrastructureProvisioned": true, "bootstrapDataSecretCreated": false},
    "nodeRef": {"name": "n1"}, "nodeInfo": {"osImage": "x", "architecture": "arm64"},
    "lastUpdated": "2026-11-16T09:01:00Z", "certificatesExpiryDate": "2027-11-16T09:01:00Z",
    "addresses": [{"type": "InternalIP", "address": "10.0.0.1"}],
    "deletion": {"nodeDrainStartTime": "2026-11-16T09:31:00Z",
      "waitForNodeVolumeDetachStartTime": "2026-11-16T09:32:00Z",
      "waitForPreDrainHookStartTime": "2026-11-16T09:33:00Z",
      "waitForPreTerminateHookStartTime": "2026-11-16T09:34:00Z"},
    "conditions": [{"type": "Ready", "status": "False", "reason": "NotReady", "message": "why",
      "lastTransitionTime": "2026-11-16T09:02:00Z", "observedGeneration": 3}],
    "deprecated": {"v1beta1": {"failureReason": "r", "failureMessage": "m",
      "conditions": [{"type": "Ready", "status": "True", "severity": "",
        "lastTransitionTime": "2026-11-16T09:03:00Z"}]}}}
})";

TEST(ReadMachine, TakesTheHeader) {
  const MachineRecord machine = Machine(kWhole);
  EXPECT_EQ(machine.meta.key.name, "m1");
  EXPECT_EQ(machine.meta.generation, 3);
  EXPECT_EQ(machine.created, At("2026-11-16T09:00:00Z"));
  EXPECT_TRUE(machine.deleting());
  EXPECT_EQ(machine.labels.at("cluster.x-k8s.io/set-name"), "s");
  EXPECT_EQ(machine.annotations.at("a"), "b");
  EXPECT_THAT(machine.finalizers, ElementsAre(finalizers::kMachine));
  ASSERT_EQ(machine.owners.size(), 1u);
  EXPECT_EQ(machine.owners[0].uid.str(), "u2");
  EXPECT_TRUE(machine.owners[0].IsController());
}

TEST(ReadMachine, KeepsWhatTheSetAppliedAndNothingElse) {
  EXPECT_EQ(Machine(kWhole).applied.view(), R"({"f:spec": {"f:version": {}}})");
  EXPECT_TRUE(Machine(R"({"metadata":{"name":"m"}})").applied.empty());
}

TEST(ReadMachine, TakesTheSpec) {
  const MachineSpec spec = Machine(kWhole).spec;
  EXPECT_EQ(spec.cluster, "c");
  EXPECT_EQ(spec.bootstrap, (Reference{"KubeadmConfig", "m1", "bootstrap.cluster.x-k8s.io"}));
  EXPECT_EQ(spec.infrastructure,
            (Reference{"DevMachine", "m1", "infrastructure.cluster.x-k8s.io"}));
  EXPECT_EQ(spec.data_secret, "");
  EXPECT_EQ(spec.version, "v1.35.0");
  EXPECT_EQ(spec.provider_id, "dev://1");
  EXPECT_EQ(spec.failure_domain, "fd");
  const HandedDown& handed_down = spec.handed_down;
  EXPECT_EQ(handed_down.min_ready_seconds, 5);
  EXPECT_EQ(handed_down.drain_timeout_seconds, 1);
  EXPECT_EQ(handed_down.volume_timeout_seconds, 0);
  EXPECT_EQ(handed_down.node_deletion_timeout_seconds, 10);
  EXPECT_THAT(handed_down.readiness_gates,
              ElementsAre(ReadinessGate{"A", false}, ReadinessGate{"B", true}));
  EXPECT_THAT(handed_down.taints, ElementsAre(core::WantedTaint{{"k", "v", "NoSchedule"}, false},
                                              core::WantedTaint{{"k2", "", "NoExecute"}, true}));
}

TEST(ReadMachine, TakesTheStatus) {
  const MachineStatus status = Machine(kWhole).status;
  EXPECT_EQ(status.phase, "Running");
  EXPECT_EQ(status.node, "n1");
  EXPECT_EQ(status.node_info.view(), R"({"architecture":"arm64","osImage":"x"})");
  EXPECT_EQ(status.addresses.view(), R"([{"address":"10.0.0.1","type":"InternalIP"}])");
  EXPECT_EQ(status.infrastructure_provisioned, true);
  EXPECT_EQ(status.data_secret_created, false);
  EXPECT_EQ(status.last_updated, At("2026-11-16T09:01:00Z"));
  EXPECT_EQ(status.certificates_expiry, At("2027-11-16T09:01:00Z"));
  EXPECT_EQ(status.failure_domain, "fd2");
  EXPECT_EQ(status.observed_generation, 2);
  EXPECT_EQ(status.deletion,
            (DeletionTimes{At("2026-11-16T09:31:00Z"), At("2026-11-16T09:32:00Z"),
                           At("2026-11-16T09:33:00Z"), At("2026-11-16T09:34:00Z")}));
  EXPECT_THAT(status.conditions, ElementsAre(Condition{"Ready", Truth::kFalse, "NotReady", "why",
                                                       At("2026-11-16T09:02:00Z"), 3}));
  EXPECT_THAT(
      status.legacy_conditions,
      ElementsAre(LegacyCondition{"Ready", Truth::kTrue, "", "", "", At("2026-11-16T09:03:00Z")}));
  EXPECT_EQ(status.legacy_failure_reason, "r");
  EXPECT_EQ(status.legacy_failure_message, "m");
}

TEST(ReadMachine, AbsentIsNotTheSameAsEmpty) {
  const MachineRecord machine = Machine(R"({"metadata":{"name":"m"},"spec":{"bootstrap":{}}})");
  EXPECT_FALSE(machine.spec.data_secret);
  EXPECT_FALSE(machine.spec.bootstrap.defined());
  EXPECT_FALSE(machine.status.infrastructure_provisioned);
  EXPECT_TRUE(machine.status.node_info.empty());
}

TEST(ReadMachine, SaysWhichFieldHasTheWrongType) {
  const auto read = Read(&Reader::Machine, R"({"spec":{"bootstrap":{"dataSecretName":3}}})");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("spec: bootstrap: dataSecretName: is not text"));
}

}  // namespace
}  // namespace millwright::dialects::capi
