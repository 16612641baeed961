#include "controllers/contract/health/health_controller.h"

#include "controllers/contract/set/set_controller.h"
#include "controllers/contract/testing/owner_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

Task<void> RunHealth(ContractParts parts) {
  HealthController health(parts.surroundings, parts.caches, parts.remotes);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  co_await health.Run();
}

class HealthControllerTest : public OwnerFixture {
 protected:
  HealthControllerTest() : OwnerFixture(RunHealth) {}

  void AddCheck(const std::string& spec = "", const std::string& metadata = "") {
    Create(kHealthCheck, fmt::format(R"({{"metadata":{{"name":"h"{}}},"spec":{{"clusterName":"c",
        "selector":{{"matchLabels":{{"app":"x"}}}},"checks":{{"nodeStartupTimeoutSeconds":600,
        "unhealthyNodeConditions":[{{"type":"Ready","status":"Unknown","timeoutSeconds":300}}]}}{}}}}})",
                                     metadata, spec));
    Pass(20s);
  }
  void AddMachine(const std::string& name, const std::string& label = "x",
                  const std::string& annotations = "") {
    Create(kMachine, MachineBody(name, fmt::format(R"(,"labels":{{"app":"{}",
        "cluster.x-k8s.io/cluster-name":"c"}},"annotations":{{{}}})",
                                                   label, annotations)));
  }
  // With a node of its own.
  void AddRunning(const std::string& name) {
    AddMachine(name);
    AddNode("node-" + name, "dev:///" + name);
    ShowMachine(name, {Condition("Ready", "True")});
  }
  void SetNodeReady(const std::string& name, const std::string& status) {
    PatchThere(fmt::format("{}/node-{}/status", kNode, name),
               fmt::format(R"({{"status":{{"conditions":[{{"type":"Ready","status":"{}",
                   "reason":"R","lastTransitionTime":"{}"}}]}}}})",
                           status, FormatTime(clock_.Now())));
    Pass(16s);
  }
  Reply Check() { return Get(std::string(kHealthCheck) + "/h"); }
  std::string Succeeded(const std::string& name) {
    return Shown(Machine(name), "HealthCheckSucceeded");
  }
};

TEST_F(HealthControllerTest, Capi_12_150_it_belongs_to_its_cluster) {
  AddCluster();
  AddCheck("", R"(,"labels":{"k":"v","cluster.x-k8s.io/cluster-name":"wrong"},
      "ownerReferences":[{"apiVersion":"v1","kind":"X","name":"x","uid":"u"}])");
  EXPECT_EQ(Check().Find("metadata.labels")->at("cluster.x-k8s.io/cluster-name"), "c");
  EXPECT_EQ(Check().Find("metadata.labels")->at("k"), "v");
  ASSERT_EQ(Check().Find("metadata.ownerReferences")->as_array().size(), 2U);
  EXPECT_EQ(Check().Find("metadata.ownerReferences")->at(1).at("kind"), "Cluster");
}

TEST_F(HealthControllerTest, Capi_12_151_158_only_what_it_selects) {
  AddCluster();
  AddRunning("a");
  AddMachine("other", "y");
  AddMachine("skipped", "x", R"("cluster.x-k8s.io/skip-remediation":"")");
  AddMachine("paused", "x", R"("cluster.x-k8s.io/paused":"")");
  AddCheck();
  EXPECT_EQ(Check().Find("status.expectedMachines")->as_int64(), 1);
  EXPECT_EQ(Check().Find("status.currentHealthy")->as_int64(), 1);
  EXPECT_EQ(Check().Find("status.targets")->as_array().size(), 1U);
  EXPECT_EQ(Succeeded("a"), "True HealthCheckSucceeded");
  management_->requests.clear();
  Pass(20min);
  EXPECT_EQ(management_->Count("PATCH"), 0);
}

TEST_F(HealthControllerTest, Capi_12_152_nothing_is_marked_before_the_infrastructure_is_there) {
  AddCluster();
  Patch(std::string(kCluster) + "/c/status", R"({"status":{"conditions":[
      {"type":"ControlPlaneInitialized","status":"True","reason":"Initialized","message":"",
       "lastTransitionTime":"2026-01-01T00:00:00Z"}]}})");
  AddRunning("a");
  SetNodeReady("a", "Unknown");
  AddCheck();
  Pass(10min);
  EXPECT_EQ(Succeeded("a"), "");
}

TEST_F(HealthControllerTest, Capi_12_153_156_an_unknown_node_beyond_its_time) {
  AddCluster();
  for (const char* name : {"a", "b", "d"}) AddRunning(name);
  AddCheck();
  SetNodeReady("a", "Unknown");
  EXPECT_EQ(Succeeded("a"), "True HealthCheckSucceeded") << "not yet";
  Pass(5min);
  EXPECT_EQ(Succeeded("a").substr(0, 19), "False UnhealthyNode");
  EXPECT_EQ(Shown(Machine("a"), "OwnerRemediated"),
            "False WaitingForRemediation: Waiting for remediation");
  EXPECT_EQ(Succeeded("b"), "True HealthCheckSucceeded");
  EXPECT_EQ(Shown(Check(), "RemediationAllowed"), "True RemediationAllowed");
  EXPECT_EQ(Check().Find("status.currentHealthy")->as_int64(), 2);
  EXPECT_TRUE(HasEvent("MachineMarkedUnhealthy"));
  SetNodeReady("a", "True");
  EXPECT_EQ(Succeeded("a"), "True HealthCheckSucceeded");
}

TEST_F(HealthControllerTest, Capi_12_154_too_many_unhealthy_are_only_marked) {
  AddCluster();
  for (const char* name : {"a", "b", "d"}) AddRunning(name);
  AddCheck(R"(,"remediation":{"triggerIf":{"unhealthyLessThanOrEqualTo":"40%"}})");
  SetNodeReady("a", "Unknown");
  SetNodeReady("b", "Unknown");
  Pass(6min);
  EXPECT_EQ(Succeeded("a").substr(0, 19), "False UnhealthyNode");
  EXPECT_EQ(Shown(Machine("a"), "OwnerRemediated"), "");
  EXPECT_EQ(Shown(Check(), "RemediationAllowed").substr(0, 22), "False TooManyUnhealthy");
  EXPECT_EQ(Check().Find("status.remediationsAllowed")->as_int64(), 0);
  EXPECT_TRUE(HasEvent("RemediationRestricted"));
  SetNodeReady("b", "True");
  EXPECT_EQ(Shown(Machine("a"), "OwnerRemediated").substr(0, 5), "False");
}

TEST_F(HealthControllerTest, Capi_12_155_a_machine_that_never_started) {
  AddCluster();
  AddMachine("a");
  AddCheck();
  EXPECT_EQ(Succeeded("a"), "");
  Pass(11min);
  EXPECT_EQ(Succeeded("a"),
            "False NodeStartupTimeout: Health check failed:\n  * Node failed to report startup in "
            "10m0s");
}

TEST_F(HealthControllerTest, Capi_12_157_a_node_that_is_gone) {
  AddCluster();
  AddRunning("a");
  AddCheck();
  DeleteThere(std::string(kNode) + "/node-a");
  Pass(16s);
  EXPECT_EQ(Succeeded("a"),
            "False NodeDeleted: Health check failed:\n  * Node node-a has been deleted");
}

TEST_F(HealthControllerTest, Capi_12_158_somebody_asks_for_remediation) {
  AddCluster();
  AddRunning("a");
  AddCheck();
  Patch(std::string(kMachine) + "/a",
        R"({"metadata":{"annotations":{"cluster.x-k8s.io/remediate-machine":""}}})");
  Pass(16s);
  EXPECT_EQ(Succeeded("a").substr(0, 28), "False HasRemediateAnnotation");
  EXPECT_NE(Shown(Machine("a"), "OwnerRemediated"), "");
}

TEST_F(HealthControllerTest, Capi_12_161_external_remediation) {
  const std::string path =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devremediations";
  Define("infrastructure.cluster.x-k8s.io", "DevRemediation");
  Define("infrastructure.cluster.x-k8s.io", "DevRemediationTemplate");
  AddCluster();
  AddRunning("a");
  AddRunning("b");
  Create(path.substr(0, path.size() - 1) + "templates",
         R"({"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2","kind":"DevRemediationTemplate",
         "metadata":{"name":"r"},"spec":{"template":{"spec":{"how":"reboot"}}}})");
  AddCheck(R"(,"remediation":{"templateRef":{"kind":"DevRemediationTemplate","name":"r",
      "apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2"}})");
  EXPECT_EQ(Succeeded("a"), "True HealthCheckSucceeded");
  SetNodeReady("a", "Unknown");
  Pass(6min);
  const Reply request = Get(path + "/a");
  ASSERT_EQ(request.status, 200);
  EXPECT_EQ(request.At("spec.how"), "reboot");
  EXPECT_EQ(request.Find("metadata.ownerReferences")->at(0).at("kind"), "Machine");
  EXPECT_EQ(request.Find("metadata.labels")->at("cluster.x-k8s.io/cluster-name"), "c");
  EXPECT_EQ(Shown(Machine("a"), "ExternallyRemediated"), "False WaitingForRemediation");
  EXPECT_EQ(Shown(Machine("a"), "OwnerRemediated"), "");
  EXPECT_FALSE(Exists(path + "/b"));
  SetNodeReady("a", "True");
  EXPECT_FALSE(Exists(path + "/a"));
  EXPECT_EQ(Succeeded("a"), "True HealthCheckSucceeded");
}

TEST_F(HealthControllerTest, Capi_12_162_checks_of_other_clusters_are_not_woken) {
  AddCluster();
  AddCluster("other");
  AddRunning("a");
  AddCheck();
  Create(kHealthCheck, R"({"metadata":{"name":"o"},"spec":{"clusterName":"other",
      "selector":{"matchLabels":{"app":"x"}},"checks":{"unhealthyNodeConditions":[
      {"type":"Ready","status":"Unknown","timeoutSeconds":0}]}}})");
  Pass(20s);
  DeleteThere(std::string(kNode) + "/node-a");
  Pass(20s);
  EXPECT_EQ(Get(std::string(kHealthCheck) + "/o").Find("status.expectedMachines")->as_int64(), 0);
  EXPECT_EQ(Succeeded("a").substr(0, 17), "False NodeDeleted");
}

// A set and a check together.
Task<void> RunWithSets(ContractParts parts) {
  HealthController health(parts.surroundings, parts.caches, parts.remotes);
  SetController sets(parts.surroundings, parts.caches, parts.externals);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  TaskGroup tasks(parts.surroundings.executor);
  tasks.Spawn([&] { return sets.Run(); });
  co_await health.Run();
  tasks.Cancel();
  co_await tasks.Join();
}

class HealthOfSetTest : public OwnerFixture {
 protected:
  HealthOfSetTest() : OwnerFixture(RunWithSets) {}
};

TEST_F(HealthOfSetTest, Capi_12_163_an_unhealthy_machine_of_a_set_is_replaced) {
  AddCluster();
  AddTemplates();
  Create(kSet, fmt::format(R"({{"metadata":{{"name":"s"}},"spec":{{"clusterName":"c","replicas":1,
      "selector":{{"matchLabels":{{"app":"x"}}}},
      "template":{{"metadata":{{"labels":{{"app":"x"}}}},"spec":{}}}}}}})",
                           TemplateSpec()));
  Create(kHealthCheck, R"({"metadata":{"name":"h"},"spec":{"clusterName":"c",
      "selector":{"matchLabels":{"app":"x"}},"checks":{"nodeStartupTimeoutSeconds":600}}})");
  Pass(5s);
  ASSERT_EQ(Names(kMachine).size(), 1U);
  const std::string sick = Names(kMachine).at(0);
  Pass(11min);
  EXPECT_TRUE(IsDeleting(fmt::format("{}/{}", kMachine, sick)));
  EXPECT_EQ(Names(kMachine).size(), 1U);
  FinishDeletions();
  ASSERT_EQ(Names(kMachine).size(), 1U);
  EXPECT_NE(Names(kMachine).at(0), sick);
}

}  // namespace
}  // namespace millwright::controllers::contract
