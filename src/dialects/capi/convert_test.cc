#include "dialects/capi/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <boost/json/array.hpp>

#include "dialects/capi/names.h"
#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

namespace json = boost::json;
using testing::Is;
using testing::Json;

std::optional<std::string> TestVersion(std::string_view group, std::string_view kind) {
  if (group == "ig" && kind == "I") return "v1beta2";
  return std::nullopt;
}

json::object Old(std::string_view text) {
  auto old = ToOld(Json(text).get_object(), &TestVersion);
  EXPECT_TRUE(old) << (old ? "" : old.error().message());
  return old ? *std::move(old) : json::object();
}

json::object New(const json::object& object) {
  auto made = ToNew(object);
  EXPECT_TRUE(made) << (made ? "" : made.error().message());
  return made ? *std::move(made) : json::object();
}

json::object New(std::string_view text) { return New(Json(text).get_object()); }

json::object WithoutData(json::object object) {
  json::object& metadata = object["metadata"].as_object();
  json::value* annotations = metadata.if_contains("annotations");
  if (annotations == nullptr) return object;
  annotations->get_object().erase(annotations::kConversionData);
  if (annotations->get_object().empty()) metadata.erase("annotations");
  return object;
}

constexpr std::string_view kMachine = R"({
  "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
  "metadata": {"name": "m", "namespace": "ns"},
  "spec": {"clusterName": "c", "version": "v1.35.0", "minReadySeconds": 0,
    "bootstrap": {"dataSecretName": "",
      "configRef": {"apiGroup": "bg", "kind": "B", "name": "b"}},
    "infrastructureRef": {"apiGroup": "ig", "kind": "I", "name": "i"},
    "taints": [{"key": "k", "effect": "NoExecute", "propagation": "Always"}],
    "deletion": {"nodeDrainTimeoutSeconds": 90, "nodeDeletionTimeoutSeconds": 0}},
  "status": {"phase": "Updating", "failureDomain": "fd", "nodeRef": {"name": "n"},
    "initialization": {"infrastructureProvisioned": true, "bootstrapDataSecretCreated": false},
    "conditions": [{"type": "Ready", "status": "True"}],
    "deprecated": {"v1beta1": {"conditions": [{"type": "Old", "status": "False"}],
      "failureReason": "r", "failureMessage": "m"}}}})";

TEST(Convert, MachineToOld) {
  const json::object old = Old(kMachine);
  EXPECT_TRUE(Is(WithoutData(old), R"({
    "apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "Machine",
    "metadata": {"name": "m", "namespace": "ns"},
    "spec": {"clusterName": "c", "version": "v1.35.0",
      "bootstrap": {"dataSecretName": "",
        "configRef": {"apiVersion": "bg/v1beta1", "kind": "B", "name": "b", "namespace": "ns"}},
      "infrastructureRef": {"apiVersion": "ig/v1beta2", "kind": "I", "name": "i",
        "namespace": "ns"},
      "taints": [{"key": "k", "effect": "NoExecute", "propagation": "Always"}],
      "nodeDrainTimeout": "1m30s", "nodeDeletionTimeout": "0s"},
    "status": {"phase": "Running", "nodeRef": {"apiVersion": "v1", "kind": "Node", "name": "n"},
      "infrastructureReady": true, "bootstrapReady": false,
      "v1beta2": {"conditions": [{"type": "Ready", "status": "True"}]},
      "conditions": [{"type": "Old", "status": "False"}], "failureReason": "r",
      "failureMessage": "m"}})"));
  EXPECT_TRUE(Is(New(old), kMachine));
}

TEST(Convert, AnOldClientCannotChangeThePhase) {
  json::object old = Old(kMachine);
  old["status"].get_object()["phase"] = "Failed";
  EXPECT_EQ(New(old).at("status").at("phase"), "Updating");
}

TEST(Convert, WithoutDataFalseIsUnsaidAndUnknownPhasesStay) {
  const json::object machine = New(R"({"kind": "Machine", "metadata": {"name": "m"},
    "spec": {"clusterName": "c", "infrastructureRef": {}, "version": "",
      "nodeDrainTimeout": "1.9s", "nodeDeletionTimeout": "2540400h", "readinessGates": []},
    "status": {"phase": "Running", "bootstrapReady": false, "infrastructureReady": true,
      "lastUpdated": null, "nodeRef": {"kind": "Node"}, "v1beta2": {}}})");
  EXPECT_TRUE(Is(machine, R"({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Machine",
    "metadata": {"name": "m"},
    "spec": {"clusterName": "c", "deletion": {"nodeDrainTimeoutSeconds": 1,
      "nodeDeletionTimeoutSeconds": 2147483647}},
    "status": {"phase": "Running", "lastUpdated": null,
      "initialization": {"infrastructureProvisioned": true}}})"));
}

TEST(Convert, DataThatCannotBeReadIsDropped) {
  const json::object machine = New(R"({"kind": "Machine", "metadata": {"name": "m",
    "annotations": {"cluster.x-k8s.io/conversion-data": "{", "a": "b"}}})");
  EXPECT_EQ(machine.at("metadata").at("annotations"), Json(R"({"a": "b"})"));
}

TEST(Convert, SetHasNoAnnotation) {
  constexpr std::string_view kSet = R"({"apiVersion": "cluster.x-k8s.io/v1beta2",
    "kind": "MachineSet", "metadata": {"name": "s", "namespace": "ns"},
    "spec": {"replicas": 0, "selector": {}, "deletion": {"order": "Oldest"},
      "machineNaming": {"template": "t"},
      "template": {"spec": {"minReadySeconds": 5, "deletion": {"nodeDrainTimeoutSeconds": 1}}}},
    "status": {"replicas": 3, "readyReplicas": 2, "availableReplicas": 1, "upToDateReplicas": 0,
      "versions": [{"version": "v1", "replicas": 1}],
      "deprecated": {"v1beta1": {"readyReplicas": 7, "availableReplicas": 8,
        "fullyLabeledReplicas": 9}}}})";
  const json::object old = Old(kSet);
  EXPECT_TRUE(Is(old, R"({"apiVersion": "cluster.x-k8s.io/v1beta1", "kind": "MachineSet",
    "metadata": {"name": "s", "namespace": "ns"},
    "spec": {"replicas": 0, "selector": {}, "deletePolicy": "Oldest", "minReadySeconds": 5,
      "machineNamingStrategy": {"template": "t"}, "template": {"spec": {"nodeDrainTimeout": "1s"}}},
    "status": {"replicas": 3, "readyReplicas": 7, "availableReplicas": 8,
      "fullyLabeledReplicas": 9, "versions": [{"version": "v1", "replicas": 1}],
      "v1beta2": {"readyReplicas": 2, "availableReplicas": 1, "upToDateReplicas": 0}}})"));
  EXPECT_TRUE(Is(New(old), kSet));
}

TEST(Convert, SetOfOldWithMinReadySecondsZeroHasNone) {
  const json::object set = New(R"({"kind": "MachineSet", "spec": {"minReadySeconds": 0,
    "template": {"spec": {"clusterName": "c"}}}})");
  EXPECT_FALSE(set.at("spec").at("template").at("spec").get_object().contains("minReadySeconds"));
}

constexpr std::string_view kDeployment = R"({"apiVersion": "cluster.x-k8s.io/v1beta2",
  "kind": "MachineDeployment", "metadata": {"name": "d", "namespace": "ns"},
  "spec": {"paused": false, "deletion": {"order": "Newest"}, "remediation": {"maxInFlight": "40%"},
    "rollout": {"after": "2026-11-16T10:00:00Z", "strategy": {"type": "RollingUpdate",
      "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}},
    "template": {"spec": {"minReadySeconds": 0}}},
  "status": {"readyReplicas": 1, "deprecated": {"v1beta1": {"updatedReplicas": 1,
    "unavailableReplicas": 2}}}})";

TEST(Convert, DeploymentBothWays) {
  const json::object old = Old(kDeployment);
  EXPECT_TRUE(Is(WithoutData(old), R"({"apiVersion": "cluster.x-k8s.io/v1beta1",
    "kind": "MachineDeployment", "metadata": {"name": "d", "namespace": "ns"},
    "spec": {"paused": false, "rolloutAfter": "2026-11-16T10:00:00Z", "minReadySeconds": 0,
      "strategy": {"type": "RollingUpdate", "remediation": {"maxInFlight": "40%"},
        "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0, "deletePolicy": "Newest"}}},
    "status": {"updatedReplicas": 1, "unavailableReplicas": 2,
      "v1beta2": {"readyReplicas": 1}}})"));
  EXPECT_TRUE(Is(New(old), kDeployment));
}

TEST(Convert, WhatDeploymentsOfOldHadIsDropped) {
  EXPECT_TRUE(Is(New(R"({"kind": "MachineDeployment", "spec": {"revisionHistoryLimit": 1,
      "progressDeadlineSeconds": 600, "strategy": {"rollingUpdate": {}}, "paused": false}})"),
                 R"({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment"})"));
}

constexpr std::string_view kHealthCheck = R"({"apiVersion": "cluster.x-k8s.io/v1beta2",
  "kind": "MachineHealthCheck", "metadata": {"name": "h", "namespace": "ns"},
  "spec": {"checks": {"nodeStartupTimeoutSeconds": 0,
      "unhealthyNodeConditions": [{"type": "Ready", "status": "Unknown", "timeoutSeconds": 300}],
      "unhealthyMachineConditions": [{"type": "X", "status": "False", "timeoutSeconds": 0}]},
    "remediation": {"triggerIf": {"unhealthyLessThanOrEqualTo": "40%", "unhealthyInRange": "[1-2]"},
      "templateRef": {"apiVersion": "r/v1", "kind": "R", "name": "t"}}},
  "status": {"expectedMachines": 0, "currentHealthy": 3, "targets": ["a"]}})";

TEST(Convert, HealthCheckBothWays) {
  const json::object old = Old(kHealthCheck);
  EXPECT_TRUE(Is(WithoutData(old), R"({"apiVersion": "cluster.x-k8s.io/v1beta1",
    "kind": "MachineHealthCheck", "metadata": {"name": "h", "namespace": "ns"},
    "spec": {"nodeStartupTimeout": "0s", "maxUnhealthy": "40%", "unhealthyRange": "[1-2]",
      "unhealthyConditions": [{"type": "Ready", "status": "Unknown", "timeout": "5m0s"}],
      "unhealthyMachineConditions": [{"type": "X", "status": "False", "timeout": "0s"}],
      "remediationTemplate": {"apiVersion": "r/v1", "kind": "R", "name": "t",
        "namespace": "ns"}},
    "status": {"expectedMachines": 0, "currentHealthy": 3, "targets": ["a"]}})"));
  EXPECT_TRUE(Is(New(old), kHealthCheck));
}

TEST(Convert, DurationsThatMakeNoSenseAreRefused) {
  const auto made =
      ToNew(Json(R"({"kind": "MachineHealthCheck", "spec": {"nodeStartupTimeout": "soon"}})")
                .get_object());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind(), ErrorKind::kInvalid);
  EXPECT_THAT(made.error().message(), ::testing::StartsWith("spec.nodeStartupTimeout: "));
}

TEST(Convert, ClusterBothWays) {
  constexpr std::string_view kCluster = R"({"apiVersion": "cluster.x-k8s.io/v1beta2",
    "kind": "Cluster", "metadata": {"name": "c", "namespace": "ns"},
    "spec": {"paused": true, "controlPlaneEndpoint": {"host": "h", "port": 6443},
      "infrastructureRef": {"apiGroup": "ig", "kind": "I", "name": "i"},
      "topology": {"classRef": {"name": "x"}, "version": "v1.35.0"}},
    "status": {"initialization": {"controlPlaneInitialized": true},
      "failureDomains": [{"name": "a", "controlPlane": true}, {"name": "b"}],
      "workers": {"replicas": 1}}})";
  const json::object old = Old(kCluster);
  EXPECT_TRUE(Is(WithoutData(old), R"({"apiVersion": "cluster.x-k8s.io/v1beta1",
    "kind": "Cluster", "metadata": {"name": "c", "namespace": "ns"},
    "spec": {"paused": true, "controlPlaneEndpoint": {"host": "h", "port": 6443},
      "infrastructureRef": {"apiVersion": "ig/v1beta2", "kind": "I", "name": "i",
        "namespace": "ns"},
      "topology": {"class": "x", "version": "v1.35.0"}},
    "status": {"controlPlaneReady": true, "failureDomains": {"a": {"controlPlane": true}, "b": {}},
      "v1beta2": {"workers": {"replicas": 1}}}})"));
  EXPECT_TRUE(Is(New(old), kCluster));
  EXPECT_TRUE(Is(New(R"({"kind": "Cluster", "spec": {"controlPlaneEndpoint": {"host": "",
                   "port": 0}}})"),
                 R"({"apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "Cluster"})"));
}

TEST(Convert, DrainRulesAreTheSame) {
  EXPECT_EQ(Old(R"({"kind": "MachineDrainRule", "spec": {"drain": {"behavior": "Skip"}}})")
                .at("spec")
                .at("drain")
                .at("behavior"),
            "Skip");
  EXPECT_FALSE(ToNew(Json(R"({"kind": "Pod"})").get_object()));
}

// Anything out of these fields, each there or not.
struct Choice {
  std::string_view path;
  std::vector<std::string_view> values;  // as JSON
};

void Set(json::object& object, std::string_view path, const json::value& value) {
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    object[path] = value;
    return;
  }
  json::value& member = object[path.substr(0, dot)];
  if (!member.is_object()) member = json::object();
  Set(member.get_object(), path.substr(dot + 1), value);
}

json::object AnyOf(std::string_view kind, const std::vector<Choice>& choices) {
  json::object object{{"apiVersion", kApiVersion},
                      {"kind", kind},
                      {"metadata", json::object{{"name", "x"}, {"namespace", "ns"}}}};
  for (const Choice& choice : choices) {
    const auto index = *rc::gen::inRange<size_t>(0, choice.values.size() + 1);
    if (index < choice.values.size()) Set(object, choice.path, Json(choice.values[index]));
  }
  return object;
}

const std::vector<std::string_view> kFlags = {"true", "false"};
const std::vector<std::string_view> kNumbers = {"0", "1", "600", "2147483647"};
const std::vector<std::string_view> kTexts = {R"("a")", R"("b")"};
const std::vector<std::string_view> kReferences = {
    R"({"apiGroup": "ig", "kind": "I", "name": "x"})",
    R"({"apiGroup": "g.io", "kind": "J", "name": "y"})"};
const std::vector<std::string_view> kLists = {R"([{"type": "A", "status": "True"}])"};

std::vector<Choice> StatusChoices() {
  return {{"status.conditions", kLists},
          {"status.deprecated.v1beta1.conditions", kLists},
          {"status.observedGeneration", kNumbers}};
}

std::vector<Choice> Join(std::vector<Choice> a, const std::vector<Choice>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

const std::pair<std::string_view, std::vector<Choice>> kKindChoices[] = {
    {kMachineKind, Join({{"spec.bootstrap.configRef", kReferences},
                         {"spec.bootstrap.dataSecretName", {R"("")", R"("s")"}},
                         {"spec.infrastructureRef", kReferences},
                         {"spec.version", kTexts},
                         {"spec.providerID", kTexts},
                         {"spec.minReadySeconds", kNumbers},
                         {"spec.deletion.nodeDrainTimeoutSeconds", kNumbers},
                         {"spec.deletion.nodeDeletionTimeoutSeconds", kNumbers},
                         {"status.initialization.infrastructureProvisioned", kFlags},
                         {"status.initialization.bootstrapDataSecretCreated", kFlags},
                         {"status.nodeRef.name", kTexts},
                         {"status.failureDomain", kTexts},
                         {"status.phase", {R"("Updating")", R"("Running")", R"("Pending")"}},
                         {"status.deprecated.v1beta1.failureReason", kTexts}},
                        StatusChoices())},
    {kSetKind, Join({{"spec.template.spec.bootstrap.configRef", kReferences},
                     {"spec.template.spec.minReadySeconds", {"1", "5"}},
                     {"spec.template.spec.deletion.nodeVolumeDetachTimeoutSeconds", kNumbers},
                     {"spec.deletion.order", kTexts},
                     {"spec.machineNaming.template", kTexts},
                     {"spec.replicas", kNumbers},
                     {"status.replicas", kNumbers},
                     {"status.readyReplicas", kNumbers},
                     {"status.deprecated.v1beta1.readyReplicas", kNumbers},
                     {"status.deprecated.v1beta1.fullyLabeledReplicas", kNumbers}},
                    StatusChoices())},
    {kDeploymentKind, Join({{"spec.paused", kFlags},
                            {"spec.template.spec.minReadySeconds", kNumbers},
                            {"spec.template.spec.infrastructureRef", kReferences},
                            {"spec.rollout.after", kTexts},
                            {"spec.rollout.strategy.type", kTexts},
                            {"spec.rollout.strategy.rollingUpdate.maxSurge", {"0", R"("25%")"}},
                            {"spec.remediation.maxInFlight", {"0", R"("25%")"}},
                            {"spec.deletion.order", kTexts},
                            {"status.availableReplicas", kNumbers},
                            {"status.deprecated.v1beta1.updatedReplicas", kNumbers},
                            {"status.deprecated.v1beta1.availableReplicas", kNumbers}},
                           StatusChoices())},
    {kHealthCheckKind,
     Join(
         {{"spec.checks.nodeStartupTimeoutSeconds", kNumbers},
          {"spec.checks.unhealthyNodeConditions",
           {R"([{"type": "A", "status": "B", "timeoutSeconds": 61}])"}},
          {"spec.remediation.triggerIf.unhealthyLessThanOrEqualTo", {"0", R"("25%")"}},
          {"spec.remediation.triggerIf.unhealthyInRange", kTexts},
          {"spec.remediation.templateRef", {R"({"apiVersion": "r/v1", "kind": "R", "name": "t"})"}},
          {"status.expectedMachines", kNumbers},
          {"status.currentHealthy", kNumbers},
          {"status.remediationsAllowed", kNumbers}},
         StatusChoices())},
    {kClusterKind,
     Join({{"spec.paused", kFlags},
           {"spec.controlPlaneEndpoint.host", kTexts},
           {"spec.controlPlaneEndpoint.port", {"1", "6443"}},
           {"spec.clusterNetwork.pods.cidrBlocks", {R"(["10.0.0.0/8"])"}},
           {"spec.infrastructureRef", kReferences},
           {"spec.topology.classRef.name", kTexts},
           {"status.initialization.infrastructureProvisioned", kFlags},
           {"status.initialization.controlPlaneInitialized", kFlags},
           {"status.failureDomains", {R"([{"name": "a", "controlPlane": false}, {"name": "b"}])"}},
           {"status.workers.replicas", kNumbers},
           {"status.phase", kTexts}},
          StatusChoices())},
    {kDrainRuleKind, {{"spec.drain.order", kNumbers}}},
};

TEST(ConvertProperty, ThereAndBackIsTheSame) {
  for (const auto& [kind, choices] : kKindChoices) {
    EXPECT_TRUE(rc::check(std::string(kind), [&] {
      const json::object object = AnyOf(kind, choices);
      const auto old = ToOld(object, &TestVersion);
      RC_ASSERT(old.has_value());
      const auto back = ToNew(*old);
      RC_ASSERT(back.has_value());
      if (*back != object) {
        RC_FAIL(json::serialize(object) + "\n" + json::serialize(*old) + "\n" +
                json::serialize(*back));
      }
    }));
  }
}

// From the other side: what an old client wrote is what it reads, once it has been stored.
TEST(ConvertProperty, BackAndThereIsTheSame) {
  for (const auto& [kind, choices] : kKindChoices) {
    EXPECT_TRUE(rc::check(std::string(kind), [&] {
      const json::object first = WithoutData(*ToOld(AnyOf(kind, choices), &TestVersion));
      const json::object stored = *ToNew(first);
      const json::object second = WithoutData(*ToOld(stored, &TestVersion));
      const json::object third = WithoutData(*ToOld(*ToNew(second), &TestVersion));
      if (second != third) RC_FAIL(json::serialize(second) + "\n" + json::serialize(third));
    }));
  }
}

}  // namespace
}  // namespace millwright::dialects::capi
