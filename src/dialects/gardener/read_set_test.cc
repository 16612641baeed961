#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using testing::At;
using testing::Class;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Set;

TEST(ReadSet, TakesWhatControllersNeed) {
  const SetRecord set = Set(R"({
    "metadata": {"name": "pool-a", "namespace": "shoot", "uid": "s1", "generation": 3,
      "creationTimestamp": "2026-11-16T09:00:00Z",
      "labels": {"freeze": "True", "node.machine.sapcloud.io/scale-up-disabled": "true"},
      "annotations": {"deployment.kubernetes.io/revision": "4",
        "deployment.kubernetes.io/desired-replicas": "3",
        "deployment.kubernetes.io/max-replicas": "4",
        "deployment.machine.sapcloud.io/prefer-no-schedule": "True",
        "safety.machine.sapcloud.io/unfreeze": "true",
        "machine.sapcloud.io/last-deployment-replica-change-by-scaler-time": "2026-11-16T09:30:00Z",
        "millwright.dev/state": "{\"nameFloor\":17}"},
      "ownerReferences": [{"kind": "MachineDeployment", "name": "pool", "uid": "d1",
        "controller": true}]},
    "spec": {"replicas": 3, "minReadySeconds": 200, "autoPreserveFailedMachineMax": 2,
      "selector": {"matchLabels": {"name": "pool"}},
      "template": {"metadata": {"labels": {"name": "pool", "x": "y"}},
        "spec": {"class": {"kind": "MachineClass", "name": "small"}}}},
    "status": {"replicas": 3, "readyReplicas": 2, "availableReplicas": 1,
      "fullyLabeledReplicas": 3, "preservedFailedReplicas": 1, "autoPreserveFailedMachineCount": 1,
      "observedGeneration": 2, "machineSetCondition": [{"type": "Frozen", "status": "True"}]}
  })");
  EXPECT_EQ(set.problem, "");
  EXPECT_EQ(set.core.name, "pool-a");
  EXPECT_EQ(set.core.replicas, 3);
  EXPECT_EQ(set.core.seen, (core::SetCounts{.replicas = 3,
                                            .ready = 2,
                                            .available = 1,
                                            .fully_labelled = 3,
                                            .preserved_failed = 1,
                                            .auto_preserved = 1}));
  EXPECT_FALSE(set.core.report_is_current);
  EXPECT_EQ(set.core.revision, 4);
  EXPECT_EQ(set.core.desired_note, 3);
  EXPECT_EQ(set.core.max_note, 4);
  EXPECT_TRUE(set.core.frozen && set.core.creation_disabled && set.unfreeze_asked &&
              set.nodes_marked && set.shows_frozen);
  EXPECT_EQ(set.core.scaler_time, At("2026-11-16T09:30:00Z"));
  EXPECT_EQ(set.name_floor, 17u);
  EXPECT_EQ(set.min_ready_seconds, 200);
  EXPECT_EQ(set.auto_preserve_max, 2);
  EXPECT_EQ(set.owner->name, "pool");
  EXPECT_EQ(set.selector.ToString(), "name=pool");
  EXPECT_EQ(set.machine_template.labels.size(), 2u);
}

TEST(ReadSet, AbsentNumbersAreZero) {
  const SetRecord set =
      Set(R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"a":"b"}},
      "template":{"metadata":{"labels":{"a":"b"}},"spec":{"class":{"kind":"k","name":"n"}}}}})");
  EXPECT_EQ(set.problem, "");
  EXPECT_EQ(set.core.replicas, 0);
  EXPECT_TRUE(set.status.empty());
  EXPECT_FALSE(set.core.revision);
}

struct ProblemCase {
  const char* name;
  const char* spec;
  const char* want;
};

const ProblemCase kProblems[] = {
    {"Gardener_13_102_NoSelector",
     R"({"template":{"metadata":{"labels":{"a":"b"}},"spec":{"class":{"kind":"k","name":"n"}}}})",
     "spec.selector is missing"},
    {"Gardener_13_133_SelectorAndLabelsDiffer",
     R"({"selector":{"matchLabels":{"a":"c"}},"template":{"metadata":{"labels":{"a":"b"}},
         "spec":{"class":{"kind":"k","name":"n"}}}})",
     "spec.selector (a=c) does not match"},
    {"Gardener_13_133_NoClassName",
     R"({"selector":{},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"class":{"kind":"k"}}}})",
     "spec.template.spec.class.name"},
    {"NoDuration",
     R"({"selector":{},"template":{"metadata":{"labels":{"a":"b"}},
         "spec":{"class":{"kind":"k","name":"n"},"healthTimeout":"long"}}})",
     "spec.template.spec.healthTimeout is no duration"},
    {"NegativeReplicas", R"({"replicas":-1})", "spec.replicas is -1"},
    {"NoTemplate", R"({"selector":{}})", "spec.template.spec.class.kind"},
};

class SetProblemTest : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(SetProblemTest, IsNamed) {
  EXPECT_THAT(
      Set(std::string(R"({"metadata":{"name":"m"},"spec":)") + GetParam().spec + "}").problem,
      HasSubstr(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(All, SetProblemTest, ::testing::ValuesIn(kProblems),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ReadClass, TakesWhatControllersNeed) {
  const ClassRecord record = Class(R"({"metadata":{"name":"small","namespace":"shoot",
      "finalizers":["f"]},"provider":"AWS","providerSpec":{"b":1,"a":[]},
      "secretRef":{"name":"user","namespace":"other"},"credentialsSecretRef":{"name":"cloud"},
      "nodeTemplate":{"capacity":{"cpu":"2","gpu":0,"memory":"4Gi"},"instanceType":"m5.large",
        "region":"eu","zone":"eu-1","virtualCapacity":{"x.io/y":"3"}}})");
  EXPECT_EQ(record.problem, "");
  EXPECT_EQ(record.provider, "AWS");
  EXPECT_EQ(record.provider_spec.view(), R"({"b":1,"a":[]})");
  EXPECT_THAT(record.secrets,
              ElementsAre(kube::ObjectKey{"other", "user"}, kube::ObjectKey{"shoot", "cloud"}));
  EXPECT_EQ(record.instance_type, "m5.large");
  EXPECT_EQ(record.virtual_capacity.view(), R"({"x.io/y":"3"})");
  EXPECT_THAT(record.finalizers, ElementsAre("f"));
}

TEST(ReadClass, Gardener_13_043_AnIncompleteNodeTemplateIsAProblem) {
  EXPECT_THAT(Class(R"({"providerSpec":{},"nodeTemplate":{"capacity":{"cpu":1,"memory":1},
      "instanceType":"a","region":"b","zone":"c"}})")
                  .problem,
              HasSubstr("nodeTemplate.capacity has no gpu"));
  EXPECT_THAT(Class(R"({"providerSpec":{},"nodeTemplate":{"capacity":{"cpu":1,"gpu":0,"memory":1},
      "instanceType":"a","zone":"c"}})")
                  .problem,
              HasSubstr("nodeTemplate.region is missing"));
  EXPECT_THAT(Class("{}").problem, HasSubstr("providerSpec is missing"));
}

}  // namespace
}  // namespace millwright::dialects::gardener
