#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

using testing::At;
using testing::Cluster;
using testing::DrainRule;
using ::testing::ElementsAre;
using testing::External;
using ::testing::HasSubstr;
using testing::HealthCheck;

TEST(ReadHealthCheck, TakesWhatControllersNeed) {
  const HealthCheckRecord check = HealthCheck(R"({"metadata": {"name": "h"},
    "spec": {"clusterName": "c", "selector": {"matchLabels": {"a": "b"}},
      "checks": {"nodeStartupTimeoutSeconds": 600,
        "unhealthyNodeConditions": [{"type": "Ready", "status": "Unknown", "timeoutSeconds": 300}],
        "unhealthyMachineConditions": [{"type": "X", "status": "False"}]},
      "remediation": {"triggerIf": {"unhealthyLessThanOrEqualTo": "40%",
          "unhealthyInRange": "[1-3]"},
        "templateRef": {"kind": "RT", "name": "t", "apiVersion": "r.example.com/v1alpha1"}}},
    "status": {"expectedMachines": 3, "currentHealthy": 2, "remediationsAllowed": 0,
      "observedGeneration": 1, "targets": ["m1", "m2"]}})");
  EXPECT_EQ(check.cluster, "c");
  EXPECT_TRUE(check.selector.Matches({{"a", "b"}}));
  EXPECT_EQ(check.startup_timeout_seconds, 600);
  EXPECT_THAT(check.node_conditions, ElementsAre(UnhealthyCondition{"Ready", "Unknown", 300}));
  EXPECT_THAT(check.machine_conditions, ElementsAre(UnhealthyCondition{"X", "False", 0}));
  EXPECT_EQ(check.at_most, core::Amount::Percent(40));
  EXPECT_EQ(check.range, "[1-3]");
  EXPECT_EQ(check.remediation_template, (Reference{"RT", "t", "r.example.com"}));
  EXPECT_EQ(check.remediation_template_version, "v1alpha1");
  EXPECT_EQ(check.status.expected, 3);
  EXPECT_EQ(check.status.remediations_allowed, 0);
  EXPECT_THAT(check.status.targets, ElementsAre("m1", "m2"));
}

TEST(ReadDrainRule, SelectorsThatAreNotWrittenMatchAll) {
  const DrainRuleRecord rule = DrainRule(R"({"metadata": {"name": "r", "namespace": "ns"},
    "spec": {"drain": {"behavior": "Drain", "order": -1},
      "machines": [{"selector": {"matchLabels": {"a": "b"}}}],
      "pods": [{}, {"namespaceSelector": {"matchLabels": {"c": "d"}}}]}})");
  EXPECT_EQ(rule.behavior, "Drain");
  EXPECT_EQ(rule.order, -1);
  EXPECT_EQ(rule.problem, "");
  ASSERT_EQ(rule.machines.size(), 1u);
  EXPECT_TRUE(rule.machines[0].clusters.IsEverything());
  EXPECT_FALSE(rule.machines[0].machines.Matches({}));
  ASSERT_EQ(rule.pods.size(), 2u);
  EXPECT_TRUE(rule.pods[0].pods.IsEverything() && rule.pods[0].namespaces.IsEverything());
}

TEST(ReadDrainRule, SaysWhichSelectorDoesNotParse) {
  const DrainRuleRecord rule = DrainRule(R"({"spec": {"drain": {"behavior": "Skip"},
    "pods": [{}, {"selector": {"matchExpressions": [{"key": "a", "operator": "Near"}]}}]}})");
  EXPECT_THAT(rule.problem, HasSubstr("spec.pods[1].selector: "));
}

TEST(ReadCluster, TakesWhatMachinesNeed) {
  const ClusterRecord cluster = Cluster(R"({"metadata": {"name": "c"},
    "spec": {"paused": true, "controlPlaneEndpoint": {"host": "h", "port": 6443},
      "infrastructureRef": {"kind": "DevCluster", "name": "c", "apiGroup": "i"},
      "controlPlaneRef": {"kind": "KCP", "name": "c", "apiGroup": "p"},
      "topology": {"classRef": {"name": "x"}, "version": "v1.35.0"}},
    "status": {"phase": "Provisioned",
      "initialization": {"infrastructureProvisioned": true, "controlPlaneInitialized": false},
      "failureDomains": [{"name": "a", "controlPlane": true}],
      "deprecated": {"v1beta1": {"conditions": [{"type": "Ready", "status": "True"}]}}}})");
  EXPECT_TRUE(cluster.paused);
  EXPECT_EQ(cluster.endpoint_port, 6443);
  EXPECT_EQ(cluster.infrastructure, (Reference{"DevCluster", "c", "i"}));
  EXPECT_EQ(cluster.control_plane, (Reference{"KCP", "c", "p"}));
  EXPECT_TRUE(cluster.topology);
  EXPECT_EQ(cluster.topology_version, "v1.35.0");
  EXPECT_EQ(cluster.status.infrastructure_provisioned, true);
  EXPECT_EQ(cluster.status.control_plane_initialized, false);
  EXPECT_EQ(cluster.status.failure_domains.view(), R"([{"controlPlane":true,"name":"a"}])");
  EXPECT_EQ(cluster.status.legacy_conditions.size(), 1u);
  EXPECT_FALSE(Cluster(R"({"spec":{"topology":{}}})").topology);
}

TEST(ReadCluster, TakesWhatIsShownOfItsMachines) {
  const ClusterRecord cluster = Cluster(R"({"metadata": {"name": "c"},
    "spec": {"availabilityGates": [{"conditionType": "A"},
      {"conditionType": "B", "polarity": "Negative"}]},
    "status": {"controlPlane": {"desiredReplicas": 3, "replicas": 2, "readyReplicas": 1,
        "availableReplicas": 0, "upToDateReplicas": 2, "versions": []},
      "workers": {"replicas": 7}}})");
  EXPECT_THAT(cluster.availability_gates,
              ElementsAre(ReadinessGate{"A", false}, ReadinessGate{"B", true}));
  EXPECT_EQ(
      cluster.status.control_plane,
      (ReplicaCounts{.desired = 3, .replicas = 2, .ready = 1, .available = 0, .up_to_date = 2}));
  EXPECT_EQ(cluster.status.workers.replicas, 7);
  EXPECT_EQ(cluster.status.workers.desired, std::nullopt);
}

TEST(ReadExternal, CountsThatMakeNoSenseAreNoProblem) {
  const ExternalRecord plane = External(R"({"spec": {"replicas": 3}, "status": {"replicas": 2,
    "readyReplicas": "many", "availableReplicas": 1, "upToDateReplicas": 0, "updatedReplicas": 2,
    "unavailableReplicas": 1, "conditions": [
      {"type": "ScalingUp", "status": "True", "message": "grows"},
      {"type": "Own", "status": "True"}]}})");
  EXPECT_EQ(plane.problem, "");
  EXPECT_EQ(
      plane.counts,
      (ReplicaCounts{.desired = 3, .replicas = 2, .ready = {}, .available = 1, .up_to_date = 0}));
  EXPECT_EQ(plane.updated_replicas, 2);
  EXPECT_EQ(plane.unavailable_replicas, 1);
  ASSERT_EQ(plane.summaries.size(), 1U);
  EXPECT_EQ(plane.summaries[0].message, "grows");
}

TEST(ReadExternal, TakesTheFieldsOfBothContracts) {
  const ExternalRecord record = External(R"({"metadata": {"name": "i", "managedFields": [
      {"fieldsV1": {"f:spec":{}}, "manager": "capi-machineset", "operation": "Apply"},
      {"fieldsV1": {"f:metadata":{}}, "manager": "capi-machineset-metadata",
       "operation": "Apply"}]},
    "spec": {"providerID": "dev://1", "failureDomain": "", "version": "v1.35.0",
      "controlPlaneEndpoint": {"host": "h", "port": 1}},
    "status": {"initialization": {"provisioned": true, "dataSecretCreated": true,
        "controlPlaneInitialized": true}, "ready": true, "initialized": true,
      "addresses": [{"type": "InternalIP", "address": "x"}], "failureDomain": "fd",
      "interruptible": true, "dataSecretName": "d", "failureReason": "r", "failureMessage": "m",
      "failureDomains": {"a": {}}, "version": "v1.34.0", "externalManagedControlPlane": true,
      "versions": [{"version": "v1.34.1", "replicas": 1}],
      "conditions": [{"type": "Ready", "status": "False", "severity": "Info", "reason": "R",
        "lastTransitionTime": "2026-11-16T09:02:00Z"}]}})");
  EXPECT_EQ(record.problem, "");
  EXPECT_EQ(record.provider_id, "dev://1");
  EXPECT_EQ(record.wished_failure_domain, "");
  EXPECT_EQ(record.failure_domain, "fd");
  EXPECT_TRUE(record.provisioned && record.data_secret_created && record.ready &&
              record.initialized && record.control_plane_initialized && record.interruptible &&
              record.externally_managed);
  EXPECT_EQ(record.addresses.view(), R"([{"address":"x","type":"InternalIP"}])");
  EXPECT_EQ(record.data_secret, "d");
  EXPECT_EQ(record.failure_domains.view(), R"({"a": {}})");
  EXPECT_EQ(record.version, "v1.35.0");
  EXPECT_EQ(record.running_version, "v1.34.0");
  EXPECT_THAT(record.running_versions, ElementsAre("v1.34.1"));
  EXPECT_EQ(record.ready_condition,
            (Condition{"Ready", Truth::kFalse, "R", "", At("2026-11-16T09:02:00Z"), 0}));
  EXPECT_EQ(record.applied.view(), R"({"f:spec":{}})");
  EXPECT_EQ(record.applied_metadata.view(), R"({"f:metadata":{}})");
}

TEST(ReadExternal, OneWrongFieldDoesNotHideTheOthers) {
  const ExternalRecord record = External(R"({"spec": {"version": {"deep": [1, {"a": 2}]},
      "providerID": "dev://1"},
    "status": {"addresses": {"a": 1}, "ready": "yes", "versions": [{"version": {"x": 1}}],
      "initialization": {"provisioned": [1], "dataSecretCreated": true}, "dataSecretName": "d"}})");
  EXPECT_EQ(record.provider_id, "dev://1");
  EXPECT_EQ(record.data_secret, "d");
  EXPECT_TRUE(record.addresses.empty());
  EXPECT_EQ(record.problem,
            "spec.version: is not text\n"
            "status.addresses: is not a list\n"
            "status.ready: is not true or false\n"
            "status.versions: version: is not text\n"
            "status.initialization: provisioned: is not true or false");
}

TEST(ReadExternal, StatusThatIsNoObject) {
  EXPECT_EQ(External(R"({"status": "ok"})").problem, "status: is not an object");
}

TEST(ReadExternal, ConditionsOfTodayGoBeforeThoseOfOld) {
  const ExternalRecord record = External(R"({"status": {
    "conditions": [{"type": "Ready", "status": "False"}],
    "v1beta2": {"conditions": [{"type": "Ready", "status": "True", "reason": "Fine"}]}}})");
  EXPECT_EQ(record.ready_condition->reason, "Fine");
  EXPECT_FALSE(External(R"({"status": {"v1beta2": {"conditions": []},
    "conditions": [{"type": "Ready", "status": "False"}]}})")
                   .ready_condition);
  EXPECT_TRUE(External(R"({"status": {"v1beta2": "no",
    "conditions": [{"type": "Ready", "status": "False"}]}})")
                  .ready_condition);
}

TEST(ReadExternal, Capi_12_055_conditions_that_cannot_be_read) {
  EXPECT_EQ(External(R"({"status": {"conditions": "none"}})").conditions_problem, "is not a list");
  EXPECT_EQ(External(R"({"status": {"conditions": [{"status": "True"}]}})").conditions_problem,
            "a condition has no type");
  EXPECT_EQ(External(R"({"status": {"conditions": [{"type": "Ready"}]}})").conditions_problem,
            "condition Ready has no status");
  EXPECT_EQ(External(R"({"status": {"conditions": [{"type": 3}], "ready": true}})").ready, true);
}

}  // namespace
}  // namespace millwright::dialects::capi
