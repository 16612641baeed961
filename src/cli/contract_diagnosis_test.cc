#include "cli/contract_diagnosis.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/contract_describe.h"
#include "cli/contract_sample_for_tests.h"

namespace millwright::cli {
namespace {

namespace capi = dialects::capi;

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::kNow;
using ::testing::Not;
using testing::Say;
using testing::Truth;
using namespace std::chrono_literals;

class ContractWhyTest : public ::testing::Test {
 protected:
  std::string OfMachine() { return CausesText(WhyNot(sample_.seen, machine(), kNow)); }
  std::string OfDeployment() {
    return CausesText(WhyNot(sample_.seen, sample_.deployment(), kNow));
  }
  std::string OfCluster() { return CausesText(WhyNot(sample_.seen, sample_.cluster(), kNow)); }

  capi::MachineRecord& machine() { return sample_.machine(); }
  void Tell(std::string type, Truth status, std::string reason, std::string message) {
    Say(machine().status.conditions, std::move(type), status, std::move(reason),
        std::move(message));
  }
  void Deleting(std::string reason, std::string message) {
    machine().meta.deleting_since = kNow - 3min;
    Tell("Deleting", Truth::kTrue, std::move(reason), std::move(message));
  }

  testing::SampleCluster sample_;
};

TEST_F(ContractWhyTest, NothingIsSaidOfWhatIsWell) {
  EXPECT_EQ(OfMachine(), "");
  EXPECT_EQ(OfDeployment(), "");
  EXPECT_EQ(OfCluster(), "");
  EXPECT_EQ(CausesText(WhyNot(sample_.seen, sample_.set(), kNow)), "");
}

TEST_F(ContractWhyTest, AProviderIsNamedWithItsConditionsMessage) {
  Tell("InfrastructureReady", Truth::kFalse, "NotReady", "mirrored");
  machine().status.infrastructure_provisioned = false;
  sample_.infrastructure().provisioned = false;
  sample_.infrastructure().ready_condition =
      capi::Condition{.type = "Ready",
                      .status = Truth::kFalse,
                      .reason = "QuotaExceeded",
                      .message = "no room:\n* zone a: full\n* zone b: full"};
  EXPECT_EQ(OfMachine(),
            "  - its instance is not provisioned, or not well for 5m\n"
            "    - TestMachine w-1 says QuotaExceeded\n"
            "      - no room:\n"
            "        - zone a: full\n"
            "        - zone b: full\n");
}

TEST_F(ContractWhyTest, AProviderThatSaysNothingMayNotRun) {
  Tell("BootstrapConfigReady", Truth::kFalse, "NotReady", "");
  sample_.bootstrap().data_secret_created = false;
  EXPECT_THAT(OfMachine(),
              AllOf(HasSubstr("its bootstrap data is not there"),
                    HasSubstr("TestBootstrap w-1 is 10m old, and its provider has said nothing: "
                              "does the controller of test run?")));
  sample_.bootstrap().annotations[std::string(capi::annotations::kPaused)] = "";
  EXPECT_THAT(OfMachine(), HasSubstr("TestBootstrap w-1 is paused by the annotation"));
  sample_.seen.externals.clear();
  EXPECT_THAT(OfMachine(), HasSubstr("TestBootstrap w-1 does not exist"));
}

TEST_F(ContractWhyTest, HooksAreNamedWithTheirOwners) {
  Deleting("WaitingForPreDrainHook", "Waiting for pre-drain hooks to succeed (hooks: a)");
  machine().annotations["pre-drain.delete.hook.machine.cluster.x-k8s.io/a"] = "migrator";
  machine().annotations["pre-terminate.delete.hook.machine.cluster.x-k8s.io/b"] = "";
  EXPECT_EQ(OfMachine(),
            "  - it is being deleted since 3m, now held by a hook before the drain\n"
            "    - hook pre-drain.delete.hook.machine.cluster.x-k8s.io/a holds it before its node "
            "is drained: migrator has to take the annotation off\n");
}

TEST_F(ContractWhyTest, ADrainNamesPodsAndBudgetsAndWhenItIsOver) {
  Deleting("DrainingNode",
           "Drain not completed yet (started at T):\n* Pod default/kept: cannot evict pod as it "
           "would violate the pod's disruption budget. The disruption budget all needs 1");
  machine().spec.handed_down.drain_timeout_seconds = 600;
  machine().status.deletion.drain = kNow - 2min;
  EXPECT_EQ(OfMachine(),
            "  - it is being deleted since 3m, now draining its node; it goes on without that in "
            "8m\n"
            "    - Drain not completed yet (started at T):\n"
            "      - Pod default/kept: cannot evict pod as it would violate the pod's disruption "
            "budget. The disruption budget all needs 1\n");
}

TEST_F(ContractWhyTest, AnInstanceThatDoesNotGoIsItsProviders) {
  Deleting("WaitingForInfrastructureDeletion", "Waiting for TestMachine to be deleted");
  machine().finalizers.push_back("example.com/mine");
  sample_.infrastructure().meta.deleting_since = kNow - 2min;
  sample_.infrastructure().finalizers = {"test/held"};
  EXPECT_EQ(OfMachine(),
            "  - it is being deleted since 3m, now removing its instance\n"
            "    - TestMachine w-1 is being deleted since 2m\n"
            "      - finalizer test/held is not taken off: its provider still works on it, or does "
            "not run\n"
            "    - finalizer example.com/mine of somebody else holds it: whoever set it has to "
            "remove it\n");
}

TEST_F(ContractWhyTest, AnInstanceThatIsInDoubtIsItsProviders) {
  const std::string waits = "Waiting for TestMachine to find out whether it has an instance";
  Deleting("Deleting", waits);
  sample_.infrastructure().annotations[std::string(capi::annotations::kInstanceInDoubt)] = "true";
  sample_.infrastructure().ready_condition = {
      .type = "Ready", .status = Truth::kFalse, .reason = "DeletionFailed", .message = "no Secret"};
  EXPECT_EQ(OfMachine(), "  - it is being deleted since 3m\n    - " + waits +
                             "\n    - TestMachine w-1 says DeletionFailed\n      - no Secret\n");
}

TEST_F(ContractWhyTest, ADeletionOnWhichNobodyActsIsNoticed) {
  machine().meta.deleting_since = kNow - 3min;
  EXPECT_THAT(OfMachine(), HasSubstr("nobody acts on it: is the controller running?"));
}

TEST_F(ContractWhyTest, WhoPausedIsNamed) {
  sample_.cluster().paused = true;
  machine().annotations[std::string(capi::annotations::kPaused)] = "";
  EXPECT_THAT(OfMachine(),
              AllOf(HasSubstr("Cluster demo is paused (spec.paused)"),
                    HasSubstr("it is paused by the annotation cluster.x-k8s.io/paused")));
  EXPECT_THAT(OfDeployment(), HasSubstr("Cluster demo is paused"));
  EXPECT_THAT(OfCluster(), HasSubstr("Cluster demo is paused"));
}

TEST_F(ContractWhyTest, ANodeThatIsNotWellAndWhoNoticed) {
  Tell("NodeHealthy", Truth::kFalse, "NodeNotHealthy", "* Node.Ready: kubelet stopped");
  Tell("HealthCheckSucceeded", Truth::kFalse, "UnhealthyNode", "Health check failed");
  EXPECT_THAT(OfMachine(), AllOf(HasSubstr("its node node-1 is not well for 5m"),
                                 HasSubstr("Node.Ready: kubelet stopped"),
                                 HasSubstr("a health check does not let it pass")));
  machine().status.node.clear();
  EXPECT_THAT(OfMachine(), HasSubstr("its instance is there, its node has not joined for 5m"));
}

TEST_F(ContractWhyTest, GatesAndWaitsAreNamed) {
  machine().spec.handed_down.min_ready_seconds = 600;
  Tell("Available", Truth::kFalse, "WaitingForMinReadySeconds", "");
  EXPECT_EQ(OfMachine(), "  - it is ready since 5m, and counts as available after 10m\n");
  machine().spec.handed_down.readiness_gates = {{.type = "Storage"}};
  EXPECT_EQ(OfMachine(),
            "  - its readiness gate Storage is not passed\n"
            "    - nobody has said anything about it\n");
}

TEST_F(ContractWhyTest, ADeploymentLeadsDownToTheCause) {
  sample_.deployment().status.ready = sample_.deployment().status.available = 0;
  sample_.set().status.ready = 0;
  Tell("NodeHealthy", Truth::kUnknown, "ConnectionDown", "Last successful probe at T");
  EXPECT_EQ(OfDeployment(),
            "  - 1 of 1 updated, 0 available\n"
            "    - MachineSet workers-a (current, revision 2) wants 1 machine, has 1 and 0 ready\n"
            "      - Machine w-1, 10m old\n"
            "        - its node node-1 is not well for 5m\n"
            "          - Last successful probe at T\n");
  EXPECT_THAT(OfCluster(), HasSubstr("  - MachineDeployment workers\n"));
}

TEST_F(ContractWhyTest, WhatBlocksASetIsSaidByIt) {
  sample_.set().spec.replicas = 2;
  Say(sample_.set().status.conditions, "ScalingUp", Truth::kTrue, "ScalingUp",
      "Scaling up from 1 to 2 replicas is blocked because:\n* MachineTemplate does not exist");
  EXPECT_EQ(CausesText(WhyNot(sample_.seen, sample_.set(), kNow)),
            "  - it wants 2 machines, has 1 and 1 ready\n"
            "    - Scaling up from 1 to 2 replicas is blocked because:\n"
            "      - MachineTemplate does not exist\n");
}

TEST_F(ContractWhyTest, StrategiesThatWaitForPeopleSaySo) {
  sample_.deployment().spec.strategy = "OnDelete";
  sample_.deployment().status.up_to_date = 0;
  EXPECT_THAT(OfDeployment(), HasSubstr("its strategy is OnDelete"));
  sample_.deployment().spec.paused = true;
  EXPECT_THAT(OfDeployment(), HasSubstr("millwright rollout resume workers"));
}

TEST_F(ContractWhyTest, ADescriptionHasFactsConditionsAndTheTree) {
  const std::string text = RenderDescription(Describe(sample_.seen, machine(), kNow), {}, kNow);
  EXPECT_THAT(text,
              AllOf(HasSubstr("Machine default/w-1\n"), HasSubstr("It is running."),
                    HasSubstr("Infrastructure:  TestMachine.test w-1"), HasSubstr("NodeHealthy"),
                    HasSubstr("TestBootstrap/w-1"), HasSubstr("Node/node-1")));
}

TEST(Bullets, AreATree) {
  const auto causes = Bullets("one:\n* a:\n  * deep\n* b\ntwo");
  ASSERT_EQ(causes.size(), 2u);
  ASSERT_EQ(causes[0].because.size(), 2u);
  EXPECT_EQ(causes[0].because[0].because[0].what, "deep");
  EXPECT_EQ(causes[1].what, "two");
  EXPECT_EQ(FirstLine("* a:\n  * deep\n* b"), "a: deep");
  EXPECT_EQ(FirstLine(""), "");
}

}  // namespace
}  // namespace millwright::cli
