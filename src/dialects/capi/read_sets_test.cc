#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/capi/testing.h"

namespace millwright::dialects::capi {
namespace {

using testing::At;
using testing::Deployment;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Set;

constexpr std::string_view kTemplate =
    R"({"metadata": {"labels": {"a": "b"}, "annotations": {"x": "y"}}, "spec": {"clusterName": "c", "version": "v1.35.0", "bootstrap": {"configRef": {"kind": "KubeadmConfigTemplate", "name": "t"}}}})";

std::string With(std::string_view before, std::string_view after) {
  return std::string(before) + std::string(kTemplate) + std::string(after);
}

TEST(ReadSet, TakesWhatControllersNeed) {
  const SetRecord set = Set(With(R"({"metadata": {"name": "s", "namespace": "ns", "managedFields": [
    {"fieldsV1": {"f:spec":{}}, "manager": "capi-machinedeployment", "operation": "Apply"}]},
    "spec": {"clusterName": "c", "replicas": 3, "deletion": {"order": "Oldest"},
      "machineNaming": {"template": "x-{{ .random }}"},
      "selector": {"matchLabels": {"a": "b"},
        "matchExpressions": [{"key": "c", "operator": "In", "values": ["d"]}]},
      "template": )",
                                 R"(},
    "status": {"selector": "a=b", "replicas": 3, "readyReplicas": 0, "availableReplicas": 1,
      "upToDateReplicas": 2, "observedGeneration": 4,
      "versions": [{"version": "v1.35.0", "replicas": 3}],
      "conditions": [{"type": "ScalingUp", "status": "Unknown"}],
      "deprecated": {"v1beta1": {"fullyLabeledReplicas": 1, "readyReplicas": 2,
        "availableReplicas": 3, "failureReason": "r", "failureMessage": "m"}}}})"));
  EXPECT_EQ(set.applied.view(), R"({"f:spec":{}})");
  EXPECT_EQ(set.spec.cluster, "c");
  EXPECT_EQ(set.spec.replicas, 3);
  EXPECT_EQ(set.spec.order, "Oldest");
  EXPECT_EQ(set.spec.naming, "x-{{ .random }}");
  EXPECT_EQ(set.spec.selector_problem, "");
  EXPECT_EQ(set.spec.selector_labels, (kube::Labels{{"a", "b"}, {"c", "d"}}));
  EXPECT_TRUE(set.spec.selector.Matches({{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(set.template_text.view(), kTemplate);
  EXPECT_EQ(set.spec.machine_template.labels, (kube::Labels{{"a", "b"}}));
  EXPECT_EQ(set.spec.machine_template.annotations, (kube::Labels{{"x", "y"}}));
  EXPECT_EQ(set.spec.machine_template.spec.version, "v1.35.0");
  EXPECT_EQ(set.spec.machine_template.spec.bootstrap.name, "t");
  EXPECT_EQ(set.status.selector, "a=b");
  EXPECT_EQ(set.status.ready, 0);
  EXPECT_EQ(set.status.available, 1);
  EXPECT_EQ(set.status.up_to_date, 2);
  EXPECT_THAT(set.status.versions, ElementsAre(VersionCount{"v1.35.0", 3}));
  EXPECT_EQ(set.status.conditions[0].status, Truth::kUnknown);
  EXPECT_EQ(set.status.legacy_fully_labeled, 1);
  EXPECT_EQ(set.status.legacy_ready, 2);
  EXPECT_EQ(set.status.legacy_available, 3);
  EXPECT_EQ(set.status.legacy_failure_reason, "r");
}

struct SelectorCase {
  const char* name;
  const char* spec;
  const char* problem;
};

class ReadSelectors : public ::testing::TestWithParam<SelectorCase> {};

TEST_P(ReadSelectors, ThatAreNoPlainMapsSelectNothingOrSaySo) {
  const SetRecord set = Set(std::string(R"({"spec":)") + GetParam().spec + "}");
  EXPECT_THAT(set.spec.selector_problem, HasSubstr(GetParam().problem));
  EXPECT_TRUE(set.spec.selector_labels.empty());
}

const SelectorCase kSelectors[] = {
    {"Missing", R"({})", "is empty"},
    {"Empty", R"({"selector":{}})", "is empty"},
    {"TwoValues",
     R"({"selector":{"matchExpressions":[{"key":"a","operator":"In","values":["b","c"]}]}})",
     "one value only"},
    {"Exists", R"({"selector":{"matchExpressions":[{"key":"a","operator":"Exists"}]}})",
     "one value only"},
    {"BadOperator", R"({"selector":{"matchExpressions":[{"key":"a","operator":"Near"}]}})",
     "operator"},
};

INSTANTIATE_TEST_SUITE_P(All, ReadSelectors, ::testing::ValuesIn(kSelectors),
                         [](const auto& info) { return info.param.name; });

TEST(ReadSet, WithoutASpecSelectsNothing) {
  const SetRecord set = Set(R"({"metadata":{"name":"s"}})");
  EXPECT_TRUE(set.spec.selector.IsNothing());
  EXPECT_NE(set.spec.selector_problem, "");
}

TEST(ReadDeployment, TakesWhatControllersNeed) {
  const DeploymentRecord deployment = Deployment(With(R"({"metadata": {"name": "d"},
    "spec": {"clusterName": "c", "replicas": 2, "paused": true, "deletion": {"order": "Newest"},
      "machineNaming": {"template": "y-{{ .random }}"},
      "rollout": {"after": "2026-11-16T09:00:00Z", "strategy": {"type": "RollingUpdate",
        "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 0}}},
      "remediation": {"maxInFlight": "40%"},
      "selector": {"matchLabels": {"a": "b"}}, "template": )",
                                                      R"(},
    "status": {"phase": "Running", "replicas": 2, "readyReplicas": 2, "availableReplicas": 1,
      "upToDateReplicas": 2, "selector": "a=b", "observedGeneration": 1,
      "deprecated": {"v1beta1": {"updatedReplicas": 1, "readyReplicas": 2, "availableReplicas": 3,
        "unavailableReplicas": 4}}}})"));
  const DeploymentSpec& spec = deployment.spec;
  EXPECT_EQ(spec.replicas, 2);
  EXPECT_TRUE(spec.paused);
  EXPECT_EQ(spec.order, "Newest");
  EXPECT_EQ(spec.naming, "y-{{ .random }}");
  EXPECT_EQ(spec.rollout_after, At("2026-11-16T09:00:00Z"));
  EXPECT_EQ(spec.strategy, "RollingUpdate");
  EXPECT_EQ(spec.max_surge, core::Amount::Percent(25));
  EXPECT_EQ(spec.max_unavailable, core::Amount::Of(0));
  EXPECT_EQ(spec.max_in_flight, core::Amount::Percent(40));
  EXPECT_EQ(spec.amount_problem, "");
  EXPECT_EQ(spec.selector_labels, (kube::Labels{{"a", "b"}}));
  EXPECT_EQ(deployment.template_text.view(), kTemplate);
  EXPECT_EQ(deployment.status.phase, "Running");
  EXPECT_EQ(deployment.status.legacy_updated, 1);
  EXPECT_EQ(deployment.status.legacy_ready, 2);
  EXPECT_EQ(deployment.status.legacy_available, 3);
  EXPECT_EQ(deployment.status.legacy_unavailable, 4);
}

TEST(ReadDeployment, SaysWhichAmountMakesNoSense) {
  const DeploymentRecord deployment =
      Deployment(R"({"spec":{"rollout":{"strategy":{"rollingUpdate":{"maxSurge":"5"}}}}})");
  EXPECT_FALSE(deployment.spec.max_surge);
  EXPECT_THAT(deployment.spec.amount_problem, HasSubstr("rollingUpdate.maxSurge is \"5\""));
}

}  // namespace
}  // namespace millwright::dialects::capi
