#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dialects/gardener/testing.h"

namespace millwright::dialects::gardener {
namespace {

using namespace std::chrono_literals;
using testing::At;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Machine;

TEST(ReadMachine, TakesWhatControllersNeed) {
  const MachineRecord machine = Machine(R"({
    "apiVersion": "machine.sapcloud.io/v1alpha1", "kind": "Machine",
    "metadata": {"name": "pool-a-1", "namespace": "shoot", "uid": "u1", "resourceVersion": "7",
      "generation": 2, "creationTimestamp": "2026-11-16T09:00:00Z",
      "labels": {"node": "ip-1", "name": "pool", "force-drain": "True"},
      "annotations": {"machinepriority.machine.sapcloud.io": "3",
        "node.machine.sapcloud.io/preserve": "when-failed",
        "node.machine.sapcloud.io/last-applied-node-preserve-value": "now"},
      "finalizers": ["machine.sapcloud.io/machine-controller-manager"],
      "ownerReferences": [{"kind": "Other", "name": "x", "uid": "x"},
        {"kind": "MachineSet", "name": "pool-a", "uid": "s1", "controller": true}]},
    "spec": {"class": {"kind": "MachineClass", "name": "small"}, "providerID": "aws:///i-1",
      "drainTimeout": "1h30m", "healthTimeout": "10m", "creationTimeout": "20m",
      "inPlaceUpdateTimeout": "1m", "machinePreserveTimeout": "96h", "disableHealthTimeout": true,
      "maxEvictRetries": 5, "nodeConditions": "KernelDeadlock, X",
      "nodeTemplate": {"metadata": {"labels": {"zone": "a"}}, "spec": {}}},
    "status": {"currentStatus": {"phase": "Running", "lastUpdateTime": "2026-11-16T09:05:00Z",
        "preserveExpiryTime": "2026-11-20T09:05:00Z"},
      "lastOperation": {"description": "fine", "type": "Create", "state": "Successful",
        "lastUpdateTime": "2026-11-16T09:05:00Z"},
      "lastKnownState": "{}",
      "conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady",
        "lastHeartbeatTime": "2026-11-16T09:59:00Z", "lastTransitionTime": "2026-11-16T09:05:00Z"}]}
  })");
  EXPECT_EQ(machine.problem, "");
  EXPECT_EQ(machine.meta.key, (kube::ObjectKey{"shoot", "pool-a-1"}));
  EXPECT_EQ(*machine.owner, (Owner{"MachineSet", "pool-a", Uid("s1")}));
  EXPECT_EQ(machine.core.set, "pool-a");
  EXPECT_EQ(Whole(machine).uid, Uid("u1"));
  EXPECT_EQ(machine.core.created, At("2026-11-16T09:00:00Z"));
  EXPECT_EQ(machine.core.phase, core::Phase::kRunning);
  EXPECT_TRUE(machine.core.ready && machine.core.available && machine.core.has_node);
  EXPECT_EQ(machine.core.disposal, core::Disposal{.priority = 3});
  EXPECT_EQ(machine.core.preservation.until, At("2026-11-20T09:05:00Z"));
  EXPECT_EQ(machine.core.preservation.wish, core::PreserveWish::kWhenFailed);
  EXPECT_EQ(machine.applied_from_node, core::PreserveWish::kNow);
  EXPECT_EQ(machine.passes.view(),
            R"({"class":{"kind":"MachineClass"},"creationTimeout":"20m0s",)"
            R"("disableHealthTimeout":true,"drainTimeout":"1h30m0s","healthTimeout":"10m0s",)"
            R"("inPlaceUpdateTimeout":"1m0s","machinePreserveTimeout":"96h0m0s",)"
            R"("maxEvictRetries":5,"nodeConditions":"KernelDeadlock, X",)"
            R"("nodeTemplate":{"metadata":{"labels":{"zone":"a"}}}})");
  EXPECT_EQ(machine.node_template.view(), R"({"metadata":{"labels":{"zone":"a"}}})");
  EXPECT_EQ(machine.class_name, "small");
  EXPECT_EQ(machine.instance, "aws:///i-1");
  EXPECT_EQ(machine.node, "ip-1");
  EXPECT_TRUE(machine.has_priority && machine.forced_drain && !machine.forced_deletion);
  EXPECT_EQ(machine.limits().drain, 90min);
  EXPECT_EQ(machine.limits().creation, 20min);
  EXPECT_EQ(machine.limits().preserve, 96h);
  EXPECT_EQ(machine.limits().evict_retries, 5);
  EXPECT_TRUE(machine.limits().never_fail_for_health);
  EXPECT_THAT(*machine.limits().node_conditions, ElementsAre("KernelDeadlock", " X"));
  EXPECT_EQ(machine.operation, (ShownOperation{.operation = Operation::kCreate,
                                               .state = OperationState::kSuccessful,
                                               .description = "fine",
                                               .at = At("2026-11-16T09:05:00Z")}));
  EXPECT_EQ(machine.phase_since, At("2026-11-16T09:05:00Z"));
  EXPECT_THAT(machine.conditions.list(),
              ElementsAre(core::Condition{"Ready", "True", At("2026-11-16T09:05:00Z"),
                                          "KubeletReady", ""}));
  EXPECT_EQ(machine.remembered, "{}");
}

TEST(ReadMachine, ANewOneHasNothing) {
  const MachineRecord machine = Machine(
      R"({"metadata":{"name":"a"},"spec":{"class":{"kind":"MachineClass","name":"c"}},"status":null})");
  EXPECT_EQ(machine.problem, "");
  EXPECT_EQ(machine.core.phase, core::Phase::kNew);
  EXPECT_EQ(machine.core.disposal.priority, 3);
  EXPECT_FALSE(machine.has_priority || machine.core.has_node || machine.stage || machine.owner);
  EXPECT_EQ(machine.limits(), MachineLimits());
}

TEST(ReadMachine, TheAnnotationGoesBeforeTheCreationTimeout) {
  EXPECT_EQ(Machine(R"({"metadata":{"annotations":
      {"node.machine.sapcloud.io/effective-creation-timeout":"5m"}},
      "spec":{"creationTimeout":"20m"}})")
                .limits()
                .creation,
            5min);
  EXPECT_EQ(Machine(R"({"metadata":{"annotations":
      {"node.machine.sapcloud.io/effective-creation-timeout":"soon"}},
      "spec":{"creationTimeout":"20m"}})")
                .limits()
                .creation,
            20min);
}

TEST(ReadMachine, TheChosenOneIsThatOfPriorityOne) {
  const MachineRecord machine = Machine(R"({"metadata":{"annotations":
      {"machinepriority.machine.sapcloud.io":"1",
       "machine.sapcloud.io/marked-for-deletion-time":"2026-11-16T09:00:00Z"}}})");
  EXPECT_EQ(
      machine.core.disposal,
      (core::Disposal{.chosen = true, .priority = 1, .marked_at = At("2026-11-16T09:00:00Z")}));
  EXPECT_EQ(
      Machine(R"({"metadata":{"annotations":{"machinepriority.machine.sapcloud.io":"high"}}})")
          .core.disposal.priority,
      3);
}

TEST(ReadMachine, AHalfDeletedOneIsTakenOver) {
  const MachineRecord machine = Machine(R"({
    "metadata":{"deletionTimestamp":"2026-11-16T09:00:00Z","labels":{"force-deletion":"T"},
      "annotations":{"millwright.dev/state":"{\"phaseBeforeDeletion\":\"Failed\"}"}},
    "status":{"currentStatus":{"phase":"Terminating"},
      "lastOperation":{"type":"Delete","state":"Processing",
        "description":"Drain successful. Initiate VM deletion"}}})");
  EXPECT_EQ(machine.stage, core::DeletionStage::kRemoveInstance);
  EXPECT_EQ(machine.phase_before_deletion, core::Phase::kFailed);
  EXPECT_TRUE(machine.forced_deletion && machine.core.IsDeleting());
}

TEST(ReadMachine, TheStageCountsOnlyInDeletion) {
  EXPECT_EQ(Machine(R"({"status":{"currentStatus":{"phase":"Running"},
      "lastOperation":{"description":"Initiate VM deletion"}}})")
                .stage,
            std::nullopt);
}

TEST(ReadMachine, KnowsHowFarAnUpdateInPlaceIs) {
  const MachineRecord machine = Machine(R"({
    "metadata":{"labels":{"node.machine.sapcloud.io/update-result":"successful"}},
    "status":{"currentStatus":{"phase":"InPlaceUpdating"},
      "conditions":[{"type":"InPlaceUpdate","status":"True","reason":"UpdateSuccessful"}]}})");
  EXPECT_EQ(machine.core.in_place,
            (core::InPlace{.updating = true, .succeeded = true, .handed_over = true}));
}

struct ProblemCase {
  const char* name;
  const char* spec;
  const char* want;
};

const ProblemCase kProblems[] = {
    {"Gardener_13_133_NoKind", R"({"class":{"name":"c"}})", "spec.class.kind"},
    {"Gardener_13_133_NoName", R"({"class":{"kind":"MachineClass","name":""}})", "spec.class.name"},
    {"NoClass", "null", "spec.class.kind"},
    {"NoDuration", R"({"class":{"kind":"k","name":"n"},"drainTimeout":"2 hours"})",
     "spec.drainTimeout is \"2 hours\""},
};

class ProblemTest : public ::testing::TestWithParam<ProblemCase> {};

TEST_P(ProblemTest, IsNamed) {
  const std::string object =
      std::string(R"({"metadata":{"name":"m"},"spec":)") + GetParam().spec + "}";
  EXPECT_THAT(Machine(object).problem, HasSubstr(GetParam().want));
}

INSTANTIATE_TEST_SUITE_P(Machine, ProblemTest, ::testing::ValuesIn(kProblems),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(ReadMachine, WhatIsNoMachineIsRefused) {
  SharedParts parts;
  EXPECT_FALSE(testing::Read(&ReadMachine, R"({"metadata":{"name":5}})", parts));
  EXPECT_FALSE(testing::Read(&ReadMachine, R"({"spec":[]})", parts));
}

}  // namespace
}  // namespace millwright::dialects::gardener
