#include "dialects/capi/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <boost/json/array.hpp>

#include "dialects/capi/machine_body.h"
#include "dialects/capi/names.h"
#include "dialects/capi/set_body.h"
#include "dialects/capi/testing.h"
#include "kube/api/apply.h"
#include "kube/api/schema_parse.h"
#include "kube/api/schema_structural.h"
#include "kube/api/schema_validate.h"

namespace millwright::dialects::capi {
namespace {

namespace json = boost::json;
using testing::Json;

kube::Schema SchemaOf(const KindVersions& versions, size_t version = 1) {
  const json::value crd(CrdOf(versions));
  auto schema = kube::ParseSchema(
      crd.at("spec").at("versions").at(version).at("schema").at("openAPIV3Schema"));
  EXPECT_TRUE(schema) << (schema ? "" : schema.error().message());
  return schema ? *schema : kube::Schema();
}

TEST(Schema, EveryVersionOfEveryKindIsStructural) {
  const auto crds = Crds();
  ASSERT_EQ(crds.size(), 6u);
  for (const json::object& crd : crds) {
    const json::value root(crd);
    for (const json::value& version : root.at("spec").at("versions").get_array()) {
      const auto schema = kube::ParseSchema(version.at("schema").at("openAPIV3Schema"));
      ASSERT_TRUE(schema) << schema.error().message();
      for (const kube::FieldError& error : kube::CheckStructural(*schema)) {
        ADD_FAILURE() << crd.at("metadata").at("name") << " " << kube::ToString(error);
      }
      EXPECT_EQ(version.at("storage").get_bool(), version.at("name") == "v1beta2");
    }
  }
}

TEST(Schema, ClusterctlMovesEveryKind) {
  for (const json::object& crd : Crds()) {
    EXPECT_TRUE(
        crd.at("metadata").at("labels").get_object().contains("clusterctl.cluster.x-k8s.io"))
        << crd.at("metadata").at("name");
  }
}

TEST(Schema, SetsAndDeploymentsScaleInBothVersions) {
  for (const KindVersions& versions : {SetTables(), DeploymentTables()}) {
    const json::value crd(CrdOf(versions));
    for (const json::value& version : crd.at("spec").at("versions").get_array()) {
      EXPECT_EQ(version.at("subresources").at("scale"),
                Json(R"({"specReplicasPath": ".spec.replicas",
                  "statusReplicasPath": ".status.replicas",
                  "labelSelectorPath": ".status.selector"})"));
    }
  }
  const json::value rules(CrdOf(DrainRuleTables()));
  EXPECT_FALSE(rules.at("spec").at("versions").at(1).get_object().contains("subresources"));
}

constexpr std::string_view kDeployment = R"({
  "apiVersion": "cluster.x-k8s.io/v1beta2", "kind": "MachineDeployment",
  "metadata": {"name": "d", "namespace": "ns", "uid": "u-d"},
  "spec": {"clusterName": "c", "replicas": 3, "selector": {"matchLabels": {"a": "b"}},
    "rollout": {"strategy": {"type": "RollingUpdate",
      "rollingUpdate": {"maxSurge": 1, "maxUnavailable": "25%"}}},
    "deletion": {"order": "Oldest"}, "machineNaming": {"template": "n-{{ .random }}"},
    "template": {"metadata": {"labels": {"a": "b"}, "annotations": {"x": "y"}},
      "spec": {"clusterName": "c", "version": "v1.35.0", "minReadySeconds": 5,
        "deletion": {"nodeDrainTimeoutSeconds": 7},
        "readinessGates": [{"conditionType": "A"}, {"conditionType": "B", "polarity": "Negative"}],
        "taints": [{"key": "k", "value": "v", "effect": "NoExecute", "propagation": "Always"}],
        "bootstrap": {"configRef": {"apiGroup": "bg.io", "kind": "BTemplate", "name": "bt"}},
        "infrastructureRef": {"apiGroup": "ig.io", "kind": "ITemplate", "name": "it"}}}}})";

std::string Errors(const kube::Schema& schema, const json::value& object) {
  std::string text;
  for (const kube::FieldError& error : kube::Validate(schema, object)) {
    text += kube::ToString(error) + "\n";
  }
  return text;
}

TEST(Schema, BodiesAreValid) {
  EXPECT_EQ(Errors(SchemaOf(DeploymentTables()), Json(kDeployment)), "");
  const DeploymentRecord deployment = testing::Deployment(kDeployment);
  const json::object set = SetBody(deployment, SetName{"d-bcdfg", "7-bcdfg"},
                                   {.replicas = 1, .max_replicas = 4, .revision = "1"});
  EXPECT_EQ(Errors(SchemaOf(SetTables()), set), "");
  const json::object machine = MachineBody(testing::Set(json::serialize(set)), "m1",
                                           {"B", "m1", "bg.io"}, {"I", "m1", "ig.io"});
  EXPECT_EQ(Errors(SchemaOf(MachineTables()), machine), "");
}

// What a server keeps of an applied body is what we think it keeps: nothing is sent twice.
json::value Applied(const kube::Schema& schema, const json::object& body, std::string_view manager,
                    const json::value* live = nullptr) {
  const kube::FieldWriter writer{.manager = std::string(manager),
                                 .api_version = std::string(kApiVersion),
                                 .subresource = "",
                                 .time = testing::kNow};
  auto applied = kube::Apply(kube::MainRules(&schema, true), live, body, writer, kube::Force::kYes);
  EXPECT_TRUE(applied) << (applied ? "" : applied.error().message());
  return applied ? *applied : json::value();
}

TEST(Schema, AppliedBodiesAreNotSentAgain) {
  const DeploymentRecord deployment = testing::Deployment(kDeployment);
  const SetWish wish{.replicas = 1, .max_replicas = 4, .revision = "1"};
  const kube::Schema set_schema = SchemaOf(SetTables());
  json::value made = Applied(set_schema, SetBody(deployment, SetName{"d-bcdfg", "7-bcdfg"}, wish),
                             managers::kDeployment);
  made.at("metadata").as_object()["uid"] = "u-s";
  const SetRecord set = testing::Set(json::serialize(made));
  EXPECT_FALSE(NeedsApply(SetBody(deployment, set, wish), set)) << set.applied.view();

  const kube::Schema machine_schema = SchemaOf(MachineTables());
  json::value object =
      Applied(machine_schema, MachineBody(set, "m1", {"B", "m1", "bg.io"}, {"I", "m1", "ig.io"}),
              managers::kSet);
  object.at("metadata").as_object()["uid"] = "u-m";
  const MachineRecord machine = testing::Machine(json::serialize(object));
  EXPECT_FALSE(NeedsApply(MachineBody(set, machine), machine)) << machine.applied.view();

  SetRecord changed = set;
  changed.spec.machine_template.labels["new"] = "1";
  changed.spec.machine_template.spec.handed_down.taints.clear();
  changed.spec.machine_template.spec.handed_down.drain_timeout_seconds.reset();
  const json::object body = MachineBody(changed, machine);
  EXPECT_TRUE(NeedsApply(body, machine));
  const json::value again = Applied(machine_schema, body, managers::kSet, &object);
  const MachineRecord after = testing::Machine(json::serialize(again));
  EXPECT_TRUE(after.spec.handed_down.taints.empty());
  EXPECT_FALSE(after.spec.handed_down.drain_timeout_seconds);
  EXPECT_FALSE(NeedsApply(MachineBody(changed, after), after)) << after.applied.view();
}

}  // namespace
}  // namespace millwright::dialects::capi
