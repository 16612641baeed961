#include "dialects/capi/admit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/array.hpp>

#include "dialects/capi/json_path.h"
#include "dialects/capi/names.h"
#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using testing::Is;
using testing::Json;
using ::testing::StartsWith;

json::object Defaulted(std::string_view kind, std::string_view text,
                       const json::object* old = nullptr) {
  auto made = Default(kind, Json(text).get_object(), old);
  EXPECT_TRUE(made) << (made ? "" : made.error().message());
  return made ? *std::move(made) : json::object();
}

json::object Object(std::string_view text) { return Json(text).get_object(); }

std::string Refusal(std::string_view kind, const json::object& object,
                    const json::object* old = nullptr,
                    const AdmissionGates& gates = {.taints = true}) {
  std::string text;
  for (const kube::FieldError& error : Validate(kind, object, old, gates)) {
    text += kube::ToString(error) + "\n";
  }
  return text;
}

json::object With(json::object object, std::string_view path, std::string_view value) {
  PutPath(object, path, Json(value));
  return object;
}

json::object Without(json::object object, std::string_view path) {
  TakePath(object, path);
  return object;
}

json::object TestMachine() {
  return Object(R"({"metadata": {"name": "m"}, "spec": {"clusterName": "c", "version": "v1.35.0",
    "bootstrap": {"dataSecretName": "s"}}})");
}

json::object TestSet() {
  return Object(R"({"metadata": {"name": "s"}, "spec": {"clusterName": "c",
    "selector": {"matchLabels": {"a": "b"}},
    "template": {"metadata": {"labels": {"a": "b"}},
      "spec": {"clusterName": "c", "bootstrap": {"dataSecretName": "s"}}}}})");
}

json::object TestCheck() {
  return Object(R"({"metadata": {"name": "h"}, "spec": {"clusterName": "c",
    "selector": {"matchLabels": {"a": "b"}}}})");
}

TEST(AdmitDefault, Machine) {
  EXPECT_TRUE(
      Is(Defaulted(kMachineKind,
                   R"({"metadata": {}, "spec": {"clusterName": "c", "version": "1.17.2"}})"),
         R"({"metadata": {"labels": {"cluster.x-k8s.io/cluster-name": "c"}},
    "spec": {"clusterName": "c", "version": "v1.17.2",
      "deletion": {"nodeDeletionTimeoutSeconds": 10}}})"));
}

TEST(AdmitDefault, Set) {
  EXPECT_TRUE(Is(Defaulted(kSetKind, R"({"metadata": {"name": "s"},
                   "spec": {"clusterName": "c", "selector": {}, "template": {"spec": {}}}})"),
                 R"({"metadata": {"name": "s", "labels": {"cluster.x-k8s.io/cluster-name": "c"}},
    "spec": {"clusterName": "c", "replicas": 1,
      "selector": {"matchLabels": {"cluster.x-k8s.io/set-name": "s"}},
      "template": {"metadata": {"labels": {"cluster.x-k8s.io/set-name": "s"}}, "spec": {}}}})"));
}

TEST(AdmitDefault, Deployment) {
  EXPECT_TRUE(Is(Defaulted(kDeploymentKind, R"({"metadata": {"name": "d"},
                   "spec": {"clusterName": "c", "template": {"spec": {"version": "1.2.3"}}}})"),
                 R"({"metadata": {"name": "d", "labels": {"cluster.x-k8s.io/cluster-name": "c"}},
    "spec": {"clusterName": "c", "replicas": 1,
      "rollout": {"strategy": {"type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0}}},
      "selector": {"matchLabels": {"cluster.x-k8s.io/deployment-name": "d",
        "cluster.x-k8s.io/cluster-name": "c"}},
      "template": {"spec": {"version": "v1.2.3"}, "metadata": {"labels": {
        "cluster.x-k8s.io/deployment-name": "d", "cluster.x-k8s.io/cluster-name": "c"}}}}})"));
}

TEST(AdmitDefault, DeploymentByHandHasNoLimits) {
  const json::object made = Defaulted(kDeploymentKind, R"({"metadata": {"name": "d"},
    "spec": {"clusterName": "c", "replicas": 2, "rollout": {"strategy": {"type": "OnDelete"}},
      "selector": {"matchLabels": {"a": "b"}}}})");
  EXPECT_EQ(made.at("spec").at("rollout"), Json(R"({"strategy": {"type": "OnDelete"}})"));
  EXPECT_FALSE(
      made.at("spec").at("selector").at("matchLabels").get_object().contains(labels::kDeployment));
}

TEST(AdmitDefault, HealthCheckAndTheRest) {
  const json::object check = Defaulted(kHealthCheckKind, R"({"spec": {"clusterName": "c"}})");
  EXPECT_EQ(check.at("spec").at("checks"), Json(R"({"nodeStartupTimeoutSeconds": 600})"));
  EXPECT_TRUE(Is(Defaulted(kDrainRuleKind, R"({"spec": {}})"), R"({"spec": {}})"));
}

TEST(AdmitDefault, TwiceIsOnce) {
  for (const std::string_view kind : {kMachineKind, kSetKind, kDeploymentKind, kHealthCheckKind}) {
    const json::object once = Defaulted(kind, R"({"metadata": {"name": "x"},
      "spec": {"clusterName": "c"}})");
    EXPECT_EQ(*Default(kind, once, &once), once);
  }
}

json::object Scaler(std::string_view least, std::string_view most) {
  json::object annotations;
  if (!least.empty()) annotations[annotations::kScalerMin] = least;
  if (!most.empty()) annotations[annotations::kScalerMax] = most;
  return annotations;
}

TEST(AdmitDefault, Capi_12_177_replicas) {
  const json::object both = Scaler("3", "7");
  EXPECT_EQ(*DefaultReplicas({.written = 5}, both), 5);
  EXPECT_EQ(*DefaultReplicas({}, {}), 1);
  EXPECT_EQ(*DefaultReplicas({.is_update = true, .before = 4}, {}), 1);
  EXPECT_EQ(*DefaultReplicas({}, Scaler("3", "")), 1);
  EXPECT_EQ(*DefaultReplicas({}, Scaler("", "7")), 1);
  EXPECT_FALSE(DefaultReplicas({}, Scaler("x", "7")));
  EXPECT_FALSE(DefaultReplicas({}, Scaler("3", "x")));
  EXPECT_EQ(*DefaultReplicas({}, both), 3);
  EXPECT_EQ(*DefaultReplicas({.is_update = true}, both), 3);
  EXPECT_EQ(*DefaultReplicas({.is_update = true, .before = 1}, both), 3);
  EXPECT_EQ(*DefaultReplicas({.is_update = true, .before = 9}, both), 7);
  EXPECT_EQ(*DefaultReplicas({.is_update = true, .before = 5}, both), 5);
}

TEST(AdmitValidate, GoodObjectsPass) {
  EXPECT_EQ(Refusal(kMachineKind, TestMachine()), "");
  EXPECT_EQ(Refusal(kSetKind, TestSet()), "");
  EXPECT_EQ(Refusal(kDeploymentKind, TestSet()), "");
  EXPECT_EQ(Refusal(kHealthCheckKind, TestCheck()), "");
  EXPECT_EQ(Refusal(kDrainRuleKind, Object(R"({"spec": {"drain": {"behavior": "Drain",
    "order": 1}}})")),
            "");
}

TEST(AdmitValidate, Capi_12_171_bootstrap) {
  const json::object machine = Without(TestMachine(), "spec.bootstrap");
  EXPECT_THAT(Refusal(kMachineKind, machine), StartsWith("spec.bootstrap: Required value"));
  EXPECT_EQ(Refusal(kMachineKind, With(machine, "spec.bootstrap.dataSecretName", R"("")")), "");
  EXPECT_EQ(Refusal(kMachineKind, With(machine, "spec.bootstrap.configRef.name", R"("x")")), "");
  EXPECT_EQ(Refusal(kMachineKind, With(machine, "metadata.ownerReferences",
                                       R"([{"kind": "MachinePool", "name": "p"}])")),
            "");
  EXPECT_THAT(Refusal(kSetKind, Without(TestSet(), "spec.template.spec.bootstrap")),
              StartsWith("spec.template.spec.bootstrap: Required value"));
}

TEST(AdmitValidate, Capi_12_172_versions) {
  for (const std::string_view version :
       {R"("1.17.2")", R"("v1.17")", R"("1.17.a")", R"("v1.017.2")", R"("v1.17.2x")"}) {
    EXPECT_THAT(Refusal(kMachineKind, With(TestMachine(), "spec.version", version)),
                StartsWith("spec.version: Invalid value"));
  }
  for (const std::string_view version : {R"("v1.17.2-rc.1")", R"("v1.17.2+build.3")"}) {
    EXPECT_EQ(Refusal(kMachineKind, With(TestMachine(), "spec.version", version)), "");
  }
  EXPECT_THAT(Refusal(kSetKind, With(TestSet(), "spec.template.spec.version", R"("1.2")")),
              StartsWith("spec.template.spec.version: "));
}

TEST(AdmitValidate, Capi_12_173_the_cluster_is_for_life) {
  const std::pair<std::string_view, json::object> kKinds[] = {{kMachineKind, TestMachine()},
                                                              {kSetKind, TestSet()},
                                                              {kDeploymentKind, TestSet()},
                                                              {kHealthCheckKind, TestCheck()}};
  for (const auto& [kind, object] : kKinds) {
    const json::object old = With(object, "spec.clusterName", R"("other")");
    EXPECT_THAT(Refusal(kind, object, &old), HasSubstr("spec.clusterName: Forbidden"));
    EXPECT_EQ(Refusal(kind, object, &object), "");
  }
  EXPECT_THAT(Refusal(kSetKind, With(TestSet(), "spec.template.spec.clusterName", R"("x")")),
              StartsWith("spec.template.spec.clusterName: Invalid value"));
}

TEST(AdmitValidate, Capi_12_174_selectors) {
  EXPECT_THAT(Refusal(kSetKind, With(TestSet(), "spec.template.metadata.labels.a", R"("x")")),
              StartsWith("spec.template.metadata.labels: Invalid value"));
  EXPECT_THAT(
      Refusal(kDeploymentKind, With(TestSet(), "spec.selector",
                                    R"({"matchExpressions": [{"key": "a", "operator": "Near"}]})")),
      StartsWith("spec.selector: Invalid value"));
}

TEST(AdmitValidate, Capi_12_175_names_of_deployments_are_label_values) {
  const auto named = [](const std::string& name) {
    return With(TestSet(), "metadata.name", "\"" + name + "\"");
  };
  EXPECT_EQ(Refusal(kDeploymentKind, named("a_b.c")), "");
  EXPECT_NE(Refusal(kDeploymentKind, named(std::string(64, 'a'))), "");
  EXPECT_NE(Refusal(kDeploymentKind, named("-a")), "");
  EXPECT_EQ(Refusal(kSetKind, named(std::string(64, 'a'))), "");
}

TEST(AdmitValidate, Capi_12_176_amounts) {
  constexpr std::string_view kSurge = "spec.rollout.strategy.rollingUpdate.maxSurge";
  constexpr std::string_view kUnavailable = "spec.rollout.strategy.rollingUpdate.maxUnavailable";
  EXPECT_NE(Refusal(kDeploymentKind, With(TestSet(), kSurge, R"("1")")), "");
  EXPECT_NE(Refusal(kDeploymentKind, With(TestSet(), "spec.remediation.maxInFlight", R"("1")")),
            "");
  EXPECT_EQ(Refusal(kDeploymentKind, With(TestSet(), "spec.remediation.maxInFlight", R"("40%")")),
            "");
  const json::object zero = With(TestSet(), kSurge, "0");
  EXPECT_NE(Refusal(kDeploymentKind, With(zero, kUnavailable, "0")), "");
  EXPECT_EQ(Refusal(kDeploymentKind, With(zero, kUnavailable, R"("0%")")), "");
  EXPECT_EQ(Refusal(kDeploymentKind, With(zero, kUnavailable, "1")), "");
}

TEST(AdmitValidate, Capi_12_178_startup_timeouts) {
  const auto startup = [](std::string_view seconds) {
    return Refusal(kHealthCheckKind,
                   With(TestCheck(), "spec.checks.nodeStartupTimeoutSeconds", seconds));
  };
  EXPECT_NE(startup("29"), "");
  EXPECT_NE(startup("-1"), "");
  EXPECT_EQ(startup("30"), "");
  EXPECT_EQ(startup("0"), "");
}

TEST(AdmitValidate, Capi_12_179_limits_of_health_checks) {
  const auto limit = [](std::string_view amount) {
    return Refusal(
        kHealthCheckKind,
        With(TestCheck(), "spec.remediation.triggerIf.unhealthyLessThanOrEqualTo", amount));
  };
  EXPECT_NE(limit(R"("10")"), "");
  EXPECT_NE(limit(R"("abc")"), "");
  EXPECT_EQ(limit("10"), "");
  EXPECT_EQ(limit(R"("40%")"), "");
}

TEST(AdmitValidate, HealthChecksSelectOfTheirCluster) {
  EXPECT_THAT(Refusal(kHealthCheckKind, With(TestCheck(), "spec.selector", "{}")),
              StartsWith("spec.selector: Required value"));
  const auto selecting = [](std::string_view cluster) {
    return With(TestCheck(), "spec.selector.matchLabels",
                R"({"cluster.x-k8s.io/cluster-name": ")" + std::string(cluster) + "\"}");
  };
  EXPECT_EQ(Refusal(kHealthCheckKind, selecting("c")), "");
  EXPECT_NE(Refusal(kHealthCheckKind, selecting("other")), "");
}

TEST(AdmitValidate, Capi_12_180_skipped_preflight_checks) {
  const auto skipping = [](std::string_view list) {
    return With(
        TestSet(), "metadata.annotations",
        R"({"machineset.cluster.x-k8s.io/skip-preflight-checks": ")" + std::string(list) + "\"}");
  };
  EXPECT_EQ(Refusal(kSetKind, skipping("KubeadmVersionSkew, ControlPlaneIsStable")), "");
  EXPECT_EQ(Refusal(kDeploymentKind, skipping("All")), "");
  EXPECT_THAT(Refusal(kSetKind, skipping("All,Other")), HasSubstr("\"Other\""));
  EXPECT_EQ(Refusal(kSetKind, skipping("Other"), nullptr, {.taints = true, .preflight = false}),
            "");
}

json::object Tainted(std::string_view key) {
  return With(
      TestMachine(), "spec.taints",
      R"([{"effect": "NoSchedule", "propagation": "Always", "key": ")" + std::string(key) + "\"}]");
}

TEST(AdmitValidate, Capi_12_181_taints) {
  for (const std::string_view key :
       {"node.cluster.x-k8s.io/uninitialized", "node.cluster.x-k8s.io/outdated-revision",
        "node.kubernetes.io/not-ready", "node.cloudprovider.kubernetes.io/uninitialized",
        "node-role.kubernetes.io/master", "node-role.kubernetes.io/control-plane", "a//b"}) {
    EXPECT_THAT(Refusal(kMachineKind, Tainted(key)), StartsWith("spec.taints[0].key: ")) << key;
  }
  EXPECT_EQ(Refusal(kMachineKind, Tainted("node.kubernetes.io/out-of-service")), "");
  EXPECT_EQ(Refusal(kMachineKind, Tainted("example.com/x")), "");
  EXPECT_EQ(
      Refusal(kMachineKind, With(Tainted("node-role.kubernetes.io/control-plane"),
                                 "metadata.labels", R"({"cluster.x-k8s.io/control-plane": ""})")),
      "");
  EXPECT_THAT(Refusal(kMachineKind, Tainted("example.com/x"), nullptr, {.taints = false}),
              StartsWith("spec.taints: Forbidden"));
}

TEST(AdmitValidate, ObjectsOnTheirWayOutAreNotHeldUp) {
  const json::object old = With(Tainted("x"), "metadata.deletionTimestamp", R"("t")");
  const json::object let_go = With(old, "metadata.finalizers", "[]");
  EXPECT_EQ(Refusal(kMachineKind, let_go, &old, {.taints = false}), "");
  EXPECT_NE(
      Refusal(kMachineKind, With(let_go, "spec.version", R"("v1.1.1")"), &old, {.taints = false}),
      "");
}

TEST(AdmitValidate, Capi_12_182_drain_rules) {
  EXPECT_THAT(
      Refusal(kDrainRuleKind, Object(R"({"spec": {"drain": {"behavior": "Skip", "order": 1}}})")),
      StartsWith("spec.drain.order: Invalid value"));
  EXPECT_NE(Refusal(kDrainRuleKind,
                    Object(R"({"spec": {"drain": {"behavior": "WaitCompleted", "order": 0}}})")),
            "");
  const json::object rule = Object(R"({"spec": {"drain": {"behavior": "Skip"},
    "machines": [{}, {"clusterSelector": {"matchExpressions": [{"key": "a", "operator": "Near"}]}}],
    "pods": [{"selector": {"matchExpressions": [{"key": "a", "operator": "In"}]},
      "namespaceSelector": {"matchLabels": {"-": "x"}}}]}})");
  const std::string refusal = Refusal(kDrainRuleKind, rule);
  EXPECT_THAT(refusal, HasSubstr("spec.machines[1].clusterSelector: "));
  EXPECT_THAT(refusal, HasSubstr("spec.pods[0].selector: "));
  EXPECT_THAT(refusal, HasSubstr("spec.pods[0].namespaceSelector: "));
}

TEST(AdmitValidate, Naming) {
  const auto naming = [](std::string_view text) {
    return Refusal(kSetKind,
                   With(TestSet(), "spec.machineNaming.template", "\"" + std::string(text) + "\""));
  };
  EXPECT_EQ(naming("{{ .cluster.name }}-{{ .random }}"), "");
  EXPECT_NE(naming("{{ .cluster.name }}"), "");
  EXPECT_NE(naming("{{ .other }}-{{ .random }}"), "");
  EXPECT_NE(naming("A_{{ .random }}"), "");
}

TEST(AdmitValidate, ClustersKeepWhatTheyAreMadeOf) {
  const json::object good = Object(R"({"metadata": {"name": "c"}, "spec": {
    "clusterNetwork": {"pods": {"cidrBlocks": ["10.0.0.0/8", "fd00::/64"]}},
    "infrastructureRef": {"apiGroup": "g", "kind": "I", "name": "i"},
    "controlPlaneRef": {"apiGroup": "g", "kind": "P", "name": "p"}}})");
  const auto refusal = [&](const json::object& cluster, const json::object* old = nullptr) {
    return Refusal(kClusterKind, cluster, old);
  };
  EXPECT_EQ(refusal(good), "");
  EXPECT_EQ(refusal(good, &good), "");
  EXPECT_THAT(refusal(Without(good, "spec.controlPlaneRef"), &good),
              StartsWith("spec.controlPlaneRef: Forbidden"));
  EXPECT_THAT(refusal(Without(good, "spec.infrastructureRef"), &good),
              StartsWith("spec.infrastructureRef: Forbidden"));
  EXPECT_THAT(refusal(Object(R"({"metadata": {"name": "c"}, "spec": {}})")),
              StartsWith("spec: Forbidden"));
  EXPECT_THAT(refusal(With(good, "spec.clusterNetwork.services", R"({"cidrBlocks": ["10.0.0"]})")),
              StartsWith("spec.clusterNetwork.services.cidrBlocks[0]: Invalid"));
  EXPECT_THAT(refusal(With(good, "metadata.name", '"' + std::string(64, 'c') + '"')),
              StartsWith("metadata.name: Invalid"));
}

TEST(AdmitValidate, ManagedTopologiesStayButAreNotMade) {
  const json::object managed = Object(R"({"metadata": {"name": "c"}, "spec": {
    "topology": {"classRef": {"name": "k"}, "version": "v1.35.0"}}})");
  EXPECT_THAT(Refusal(kClusterKind, managed), StartsWith("spec.topology: Forbidden"));
  EXPECT_EQ(Refusal(kClusterKind, With(managed, "spec.paused", "true"), &managed), "");
  EXPECT_THAT(Refusal(kClusterKind,
                      With(Without(managed, "spec.topology"), "spec.infrastructureRef",
                           R"({"apiGroup": "g", "kind": "I", "name": "i"})"),
                      &managed),
              StartsWith("spec.topology: Forbidden"));
}

TEST(AdmitValidate, TemplateMetadata) {
  EXPECT_THAT(
      Refusal(kSetKind, With(TestSet(), "spec.template.metadata.annotations", R"({"-": "x"})")),
      StartsWith("spec.template.metadata.annotations: "));
}

}  // namespace
}  // namespace millwright::dialects::capi
