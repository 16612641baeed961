#include "controllers/contract/machine/machine_controller.h"

#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

Task<void> RunMachines(ContractParts parts) {
  MachineController machines(parts.surroundings, parts.caches, parts.externals, parts.remotes);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  co_await machines.Run();
}

class MachineTest : public ContractFixture {
 protected:
  explicit MachineTest(Settings settings = {})
      : ContractFixture(RunMachines, std::move(settings)) {}

  void AddMachine(const std::string& metadata = "", const std::string& spec = "") {
    AddCluster();
    AddExternals();
    Create(kMachine, MachineBody("m", metadata, spec));
    Pass(1s);
  }
  std::string Owners(const Reply& object) {
    std::string text;
    const boost::json::array* owners = kube::GetArray(object.body, "metadata.ownerReferences");
    if (owners == nullptr) return text;
    for (const auto& owner : *owners) {
      text +=
          fmt::format("{}/{}{} ", kube::GetString(owner, "kind"), kube::GetString(owner, "name"),
                      kube::GetBool(owner, "controller") ? "!" : "");
    }
    return text;
  }
};

TEST_F(MachineTest, Capi_12_001_the_finalizer_comes_first) {
  AddCluster();
  Create(kMachine, MachineBody("m", R"(,"finalizers":["other/x"])"));
  Pass(1s);
  EXPECT_TRUE(Machine().Is("metadata.finalizers",
                           boost::json::array{"other/x", "machine.cluster.x-k8s.io"}));
}

TEST_F(MachineTest, Capi_12_002_one_that_goes_gets_no_finalizer) {
  Create(kMachine, MachineBody("m", R"(,"finalizers":["other/x"])"));
  Delete(fmt::format("{}/m", kMachine));
  AddCluster();
  Pass(2s);
  EXPECT_TRUE(Machine().Is("metadata.finalizers", boost::json::array{"other/x"}));
}

TEST_F(MachineTest, Capi_12_003_one_that_stands_alone_belongs_to_its_cluster) {
  AddMachine();
  EXPECT_EQ(Owners(Machine()), "Cluster/c ");
  EXPECT_EQ(kube::GetObject(Machine().body, "metadata.labels")->at("cluster.x-k8s.io/cluster-name"),
            "c");
}

TEST_F(MachineTest, Capi_12_004_one_with_a_controller_does_not) {
  const std::string uid =
      Create(kDevControlPlane, R"({"metadata":{"name":"x"}})").At("metadata.uid");
  AddMachine(fmt::format(R"(,"labels":{{"cluster.x-k8s.io/control-plane-name":"x"}},
      "ownerReferences":[{{"apiVersion":"controlplane.cluster.x-k8s.io/v1beta2",
        "kind":"DevControlPlane","name":"x","uid":"{}","controller":true}}])",
                         uid));
  EXPECT_EQ(Owners(Machine()), "DevControlPlane/x! ");
}

TEST_F(MachineTest, Capi_12_005_without_its_cluster_nothing_is_written) {
  Create(kMachine, MachineBody("m"));
  Pass(10s);
  EXPECT_EQ(Machine().Find("status"), nullptr);
  AddCluster();
  Pass(1s);
  EXPECT_NE(Machine().Find("status"), nullptr);
}

TEST_F(MachineTest, Capi_12_007_015_objects_that_come_later) {
  AddCluster();
  Create(kMachine, MachineBody("m"));
  Pass(1s);
  EXPECT_EQ(Shown(Machine(), "BootstrapConfigReady"),
            "False ObjectDoesNotExist: DevConfig does not exist");
  EXPECT_EQ(Shown(Machine(), "InfrastructureReady"),
            "False ObjectDoesNotExist: DevMachine does not exist");
  AddExternals();
  Pass(1s);
  EXPECT_EQ(Shown(Machine(), "InfrastructureReady"),
            "False NotReady: DevMachine status.initialization.provisioned is false");
}

TEST_F(MachineTest, Capi_12_009_010_bootstrap_data) {
  AddMachine();
  EXPECT_EQ(Machine().Find("spec.bootstrap.dataSecretName"), nullptr);
  EXPECT_EQ(Machine().Find("status.initialization.bootstrapDataSecretCreated"), nullptr);
  EXPECT_EQ(Machine().At("status.phase"), "Pending");
  FinishBootstrap();
  Pass(1s);
  EXPECT_EQ(Machine().At("spec.bootstrap.dataSecretName"), "secret-data");
  EXPECT_TRUE(Machine().Is("status.initialization.bootstrapDataSecretCreated", true));
  EXPECT_EQ(Machine().At("status.phase"), "Provisioning");
}

TEST_F(MachineTest, Capi_12_011_a_paused_bootstrap_config_is_still_read) {
  AddMachine();
  Patch(fmt::format("{}/m", kDevConfig),
        R"({"metadata":{"annotations":{"cluster.x-k8s.io/paused":""}}})");
  FinishBootstrap();
  Pass(1s);
  EXPECT_EQ(Machine().Find("spec.bootstrap.dataSecretName"), nullptr);  // its events are ignored
  Patch(fmt::format("{}/m", kMachine), R"({"metadata":{"labels":{"a":"b"}}})");
  Pass(1s);
  EXPECT_EQ(Machine().At("spec.bootstrap.dataSecretName"), "secret-data");
}

TEST_F(MachineTest, Capi_12_012_ready_without_a_secret_is_an_error) {
  AddMachine();
  Patch(fmt::format("{}/m/status", kDevConfig),
        R"({"status":{"initialization":{"dataSecretCreated":true}}})");
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.initialization.bootstrapDataSecretCreated"), nullptr);
}

TEST_F(MachineTest, Capi_12_013_a_machine_keeps_its_own_secret) {
  AddMachine();
  FinishBootstrap();
  Pass(1s);
  FinishBootstrap("m", "other");
  Pass(1s);
  EXPECT_EQ(Machine().At("spec.bootstrap.dataSecretName"), "secret-data");
}

TEST_F(MachineTest, Capi_12_016_infrastructure_that_is_gone_after_use) {
  AddMachine();
  FinishBootstrap();
  FinishInfrastructure();
  Pass(1s);
  Delete(fmt::format("{}/m", kDevMachine));
  LetGo(fmt::format("{}/m", kDevMachine));
  Pass(1s);
  EXPECT_EQ(Machine().At("status.deprecated.v1beta1.failureReason"), "InvalidConfiguration");
  EXPECT_NE(Machine().At("status.deprecated.v1beta1.failureMessage"), "");
  EXPECT_EQ(Shown(Machine(), "InfrastructureReady"),
            "False ObjectDeleted: DevMachine has been deleted while the Machine still exists");
}

TEST_F(MachineTest, Capi_12_018_019_nothing_surfaces_before_it_is_provisioned) {
  AddMachine();
  Patch(fmt::format("{}/m", kDevMachine), R"({"spec":{"providerID":"dev:///m"}})");
  Patch(fmt::format("{}/m/status", kDevMachine),
        R"({"status":{"addresses":[{"type":"InternalIP","address":"10.0.0.1"}]}})");
  Pass(1s);
  EXPECT_EQ(Machine().Find("spec.providerID"), nullptr);
  EXPECT_EQ(Machine().Find("status.addresses"), nullptr);
  Patch(fmt::format("{}/m/status", kDevMachine),
        R"({"status":{"initialization":{"provisioned":true}}})");
  Pass(1s);
  EXPECT_EQ(Machine().At("spec.providerID"), "dev:///m");
  EXPECT_TRUE(Machine().Is("status.initialization.infrastructureProvisioned", true));
  EXPECT_NE(Machine().Find("status.addresses"), nullptr);
  EXPECT_EQ(Machine().Find("spec.failureDomain"), nullptr);
  EXPECT_EQ(Machine().At("status.phase"), "Provisioned");
}

TEST_F(MachineTest, Capi_12_019_the_old_contract) {
  AddCluster();
  Create(kOldMachine, R"({"metadata":{"name":"m"},"spec":{"providerID":"old:///m"}})");
  Create(kDevConfig, R"({"metadata":{"name":"m"}})");
  std::string body = MachineBody("m");
  body.replace(body.find("DevMachine"), 10, "OldMachine");
  Create(kMachine, body);
  Patch(fmt::format("{}/m/status", kOldMachine), R"({"status":{"ready":true}})");
  Pass(1s);
  EXPECT_EQ(Machine().At("spec.providerID"), "old:///m");
  EXPECT_TRUE(Machine().Is("status.initialization.infrastructureProvisioned", true));
}

TEST_F(MachineTest, Capi_12_020_a_wished_failure_domain_is_taken_over) {
  AddMachine();
  Patch(fmt::format("{}/m", kDevMachine), R"({"spec":{"failureDomain":"foo"}})");
  FinishInfrastructure();
  Pass(1s);
  EXPECT_EQ(Machine().At("spec.failureDomain"), "foo");
}

TEST_F(MachineTest, Capi_12_021_a_failure_domain_that_is_seen_is_shown) {
  AddMachine();
  Patch(fmt::format("{}/m/status", kDevMachine), R"({"status":{"failureDomain":"foo"}})");
  FinishInfrastructure();
  Pass(1s);
  EXPECT_EQ(Machine().At("status.failureDomain"), "foo");
  EXPECT_EQ(Machine().Find("spec.failureDomain"), nullptr);
}

TEST_F(MachineTest, Capi_12_022_provisioned_without_an_id_waits) {
  AddMachine();
  Patch(fmt::format("{}/m/status", kDevMachine),
        R"({"status":{"initialization":{"provisioned":true}}})");
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.initialization.infrastructureProvisioned"), nullptr);
}

TEST_F(MachineTest, Capi_12_023_once_provisioned_it_stays_so) {
  AddMachine();
  FinishInfrastructure();
  Pass(1s);
  Patch(fmt::format("{}/m/status", kDevMachine),
        R"({"status":{"initialization":{"provisioned":false},
            "addresses":[{"type":"InternalIP","address":"10.0.0.9"}]}})");
  Pass(1s);
  EXPECT_TRUE(Machine().Is("status.initialization.infrastructureProvisioned", true));
  EXPECT_NE(Machine().Find("status.addresses"), nullptr);
}

TEST_F(MachineTest, Capi_12_024_later_changes_are_followed) {
  AddMachine();
  FinishInfrastructure();
  Pass(1s);
  Patch(fmt::format("{}/m", kDevMachine),
        R"({"spec":{"providerID":"dev:///other","failureDomain":"b"}})");
  Patch(fmt::format("{}/m/status", kDevMachine),
        R"({"status":{"failureDomain":"c",
            "addresses":[{"type":"InternalIP","address":"10.0.0.9"}]}})");
  Pass(1s);
  const Reply machine = Machine();
  EXPECT_EQ(machine.At("spec.providerID"), "dev:///other");
  EXPECT_EQ(machine.At("spec.failureDomain"), "b");
  EXPECT_EQ(machine.At("status.failureDomain"), "c");
  EXPECT_EQ(machine.Find("status.addresses")->at(0).at("address"), "10.0.0.9");
}

TEST_F(MachineTest, Capi_12_025_objects_made_by_a_set_become_the_machines_own) {
  AddCluster();
  const std::string uid = Create(kSet, R"({"metadata":{"name":"s"},"spec":{"clusterName":"c",
      "selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},
      "spec":{"clusterName":"c","bootstrap":{"dataSecretName":"x"},"infrastructureRef":{
        "kind":"DevMachineTemplate","name":"t",
        "apiGroup":"infrastructure.cluster.x-k8s.io"}}}}})")
                              .At("metadata.uid");
  Create(kDevConfig, fmt::format(R"({{"metadata":{{"name":"m","ownerReferences":[
      {{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachineSet","name":"s","uid":"{}"}}]}}}})",
                                 uid));
  Create(kDevMachine, R"({"metadata":{"name":"m"}})");
  Create(kMachine, MachineBody("m"));
  Pass(1s);
  for (const char* path : {kDevConfig, kDevMachine}) {
    const Reply object = Get(fmt::format("{}/m", path));
    EXPECT_EQ(Owners(object), "Machine/m! ") << path;
    EXPECT_EQ(kube::GetObject(object.body, "metadata.labels")->at("cluster.x-k8s.io/cluster-name"),
              "c");
  }
}

TEST_F(MachineTest, Capi_12_026_certificates_of_workers_do_not_count) {
  AddMachine(
      R"(,"annotations":{"machine.cluster.x-k8s.io/certificates-expiry":"2027-01-01T00:00:00Z"})");
  EXPECT_EQ(Machine().Find("status.certificatesExpiryDate"), nullptr);
}

TEST_F(MachineTest, Capi_12_027_certificates_of_control_planes) {
  const std::string mark = "machine.cluster.x-k8s.io/certificates-expiry";
  const auto annotate = [&](const char* path, const std::string& value) {
    Patch(fmt::format("{}/m", path),
          fmt::format(R"({{"metadata":{{"annotations":{{"{}":{}}}}}}})", mark, value));
    Pass(1s);
  };
  AddMachine(R"(,"labels":{"cluster.x-k8s.io/control-plane":""})");
  EXPECT_EQ(Machine().Find("status.certificatesExpiryDate"), nullptr);
  annotate(kDevConfig, R"("2028-01-01T00:00:00Z")");
  EXPECT_EQ(Machine().At("status.certificatesExpiryDate"), "2028-01-01T00:00:00Z");
  annotate(kMachine, R"("2027-01-01T00:00:00Z")");
  EXPECT_EQ(Machine().At("status.certificatesExpiryDate"), "2027-01-01T00:00:00Z");
  annotate(kMachine, "null");
  EXPECT_EQ(Machine().At("status.certificatesExpiryDate"), "2028-01-01T00:00:00Z");
  annotate(kDevConfig, "null");
  EXPECT_EQ(Machine().Find("status.certificatesExpiryDate"), nullptr);
}

TEST_F(MachineTest, Capi_12_028_without_an_id_no_node_is_looked_for) {
  AddMachine();
  CreateThere(kNode, R"({"metadata":{"name":"node"}})");
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.nodeRef"), nullptr);
  EXPECT_EQ(Shown(Machine(), "NodeReady"),
            "Unknown InspectionFailed: Waiting for DevMachine to report spec.providerID");
  EXPECT_EQ(workload_->Count("PATCH"), 0);
}

TEST_F(MachineTest, Capi_12_029_nodes_that_cannot_be_listed) {
  workload_->refuses = [](const net::HttpRequest& request) {
    return request.target.starts_with("/api/v1/nodes");
  };
  AddMachine();
  FinishBootstrap();
  AddNode();
  FinishInfrastructure();
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.nodeRef"), nullptr);
  EXPECT_TRUE(Shown(Machine(), "NodeReady").starts_with("Unknown ConnectionDown"))
      << Shown(Machine(), "NodeReady");
  EXPECT_NE(Machine().Find("metadata.generation"), nullptr);
  EXPECT_EQ(Machine().Find("status.observedGeneration"), nullptr);  // something failed
  workload_->refuses = nullptr;
  Pass(60s);
  EXPECT_EQ(Machine().At("status.nodeRef.name"), "node");
  EXPECT_NE(Machine().Find("status.observedGeneration"), nullptr);
}

TEST_F(MachineTest, Capi_12_030_031_the_node_is_found_by_its_id) {
  AddMachine();
  FinishBootstrap();
  FinishInfrastructure();
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.nodeRef"), nullptr);
  EXPECT_EQ(Shown(Machine(), "NodeHealthy"),
            "Unknown InspectionFailed: Waiting for a Node with spec.providerID dev:///m to exist");
  AddNode();
  Pass(1s);
  const Reply machine = Machine();
  EXPECT_EQ(machine.At("status.nodeRef.name"), "node");
  EXPECT_EQ(machine.At("status.nodeInfo.kubeletVersion"), "v1.36.0");
  EXPECT_EQ(machine.At("status.phase"), "Running");
  EXPECT_EQ(Shown(machine, "Ready"), "True Ready");
  EXPECT_EQ(Shown(machine, "Available"), "True Available");
  const Reply node = GetThere("/api/v1/nodes/node");
  const auto* annotations = kube::GetObject(node.body, "metadata.annotations");
  ASSERT_NE(annotations, nullptr);
  EXPECT_EQ(annotations->at("cluster.x-k8s.io/machine"), "m");
  EXPECT_EQ(annotations->at("cluster.x-k8s.io/cluster-name"), "c");
  EXPECT_EQ(annotations->at("cluster.x-k8s.io/cluster-namespace"), "ns");
  EXPECT_TRUE(HasEvent("SuccessfulSetNodeRef"));
}

TEST_F(MachineTest, nothing_is_written_when_nothing_changed) {
  AddCluster();
  AddRunningMachine();
  Pass(5s);
  management_->requests.clear();
  workload_->requests.clear();
  Patch(fmt::format("{}/m/status", kDevMachine), R"({"status":{"irrelevant":1}})");
  Patch(fmt::format("{}/m", kMachine), R"({"metadata":{"labels":{"a":"b"}}})");
  Pass(60s);
  EXPECT_EQ(management_->Count("PATCH"), 0);
  EXPECT_EQ(management_->Count("PUT"), 0);
  EXPECT_EQ(workload_->Count("PATCH"), 0);
}

TEST_F(MachineTest, Capi_12_032_a_node_that_is_gone) {
  AddCluster();
  AddRunningMachine();
  DeleteThere("/api/v1/nodes/node");
  Pass(1s);
  EXPECT_EQ(Shown(Machine(), "NodeHealthy"),
            "False NodeDeleted: Node node has been deleted while the Machine still exists");
  EXPECT_EQ(Machine().At("status.nodeRef.name"), "node");
}

TEST_F(MachineTest, Capi_12_033_two_nodes_with_one_id) {
  AddMachine();
  FinishBootstrap();
  AddNode("a");
  AddNode("b");
  FinishInfrastructure();
  Pass(1s);
  EXPECT_EQ(Machine().Find("status.nodeRef"), nullptr);
  EXPECT_TRUE(Shown(Machine(), "NodeReady").starts_with("Unknown InternalError"));
  EXPECT_TRUE(HasEvent("Failed to retrieve Node by ProviderID"));
}

TEST_F(MachineTest, Capi_12_035_addresses_of_a_node_may_repeat) {
  AddMachine(R"(,"labels":{"node.cluster.x-k8s.io/pool":"a"})");
  FinishBootstrap();
  AddNode();
  PatchThere("/api/v1/nodes/node/status", R"({"status":{"addresses":[
      {"type":"InternalIP","address":"10.0.0.1"},{"type":"InternalIP","address":"10.0.0.2"},
      {"type":"InternalIP","address":"10.0.0.1"}]}})");
  FinishInfrastructure();
  Pass(1s);
  const Reply node = GetThere("/api/v1/nodes/node");
  EXPECT_EQ(kube::GetObject(node.body, "metadata.labels")->at("node.cluster.x-k8s.io/pool"), "a");
  EXPECT_EQ(kube::GetArray(node.body, "status.addresses")->size(), 3U);
}

TEST_F(MachineTest, Capi_12_037_labels_reach_the_node_and_are_repaired) {
  AddCluster();
  AddRunningMachine(R"(,"labels":{"node.cluster.x-k8s.io/pool":"a","other":"b"})");
  const auto label = [this] {
    const Reply node = GetThere("/api/v1/nodes/node");
    const auto* labels = kube::GetObject(node.body, "metadata.labels");
    return labels != nullptr && labels->contains("node.cluster.x-k8s.io/pool");
  };
  EXPECT_TRUE(label());
  PatchThere("/api/v1/nodes/node",
             R"({"metadata":{"labels":{"node.cluster.x-k8s.io/pool":null}}})");
  Pass(1s);
  EXPECT_TRUE(label());
}

TEST_F(MachineTest, Capi_12_041_the_uninitialized_taint_goes_and_others_stay) {
  AddMachine();
  FinishBootstrap();
  CreateThere(kNode, R"({"metadata":{"name":"node"},"spec":{"providerID":"dev:///m","taints":[
      {"key":"node.cluster.x-k8s.io/uninitialized","effect":"NoSchedule"},
      {"key":"mine","effect":"NoSchedule"}]}})");
  FinishInfrastructure();
  Pass(1s);
  const Reply node = GetThere("/api/v1/nodes/node");
  const auto* taints = kube::GetArray(node.body, "spec.taints");
  ASSERT_NE(taints, nullptr);
  std::vector<std::string> keys;  // the server adds one that it is not ready
  for (const auto& taint : *taints) keys.emplace_back(kube::GetString(taint, "key"));
  EXPECT_NE(std::ranges::find(keys, "mine"), keys.end());
  EXPECT_EQ(std::ranges::find(keys, "node.cluster.x-k8s.io/uninitialized"), keys.end());
}

TEST_F(MachineTest, paused_machines_are_left_alone) {
  AddMachine();
  Patch(fmt::format("{}/c", kCluster), R"({"spec":{"paused":true}})");
  Pass(1s);
  EXPECT_EQ(Shown(Machine(), "Paused"), "True Paused: Cluster spec.paused is set to true");
  FinishBootstrap();
  Pass(1s);
  EXPECT_EQ(Machine().Find("spec.bootstrap.dataSecretName"), nullptr);
  Patch(fmt::format("{}/c", kCluster), R"({"spec":{"paused":false}})");
  Pass(1s);
  EXPECT_EQ(Shown(Machine(), "Paused"), "False NotPaused");
  EXPECT_EQ(Machine().At("spec.bootstrap.dataSecretName"), "secret-data");
}

TEST_F(MachineTest, Capi_12_164_a_missing_definition_is_no_missing_object) {
  AddCluster();
  std::string body = MachineBody("m");
  body.replace(body.find("DevMachine"), 10, "NewMachine");
  Create(kMachine, body);
  Create(kDevConfig, R"({"metadata":{"name":"m"}})");
  Pass(1s);
  EXPECT_TRUE(Shown(Machine(), "InfrastructureReady").starts_with("Unknown InternalError"));
  Create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
         boost::json::serialize(
             Definition("infrastructure.cluster.x-k8s.io", "NewMachine", "v1beta2", "v1beta2")));
  Pass(2s);
  EXPECT_EQ(Shown(Machine(), "InfrastructureReady"),
            "False ObjectDoesNotExist: NewMachine does not exist");
}

class TwoClustersTest : public ContractFixture {
 protected:
  TwoClustersTest() : ContractFixture(RunMachines, {}, nullptr, true) {}
};

TEST_F(TwoClustersTest, Capi_12_052_nodes_of_one_name_in_two_clusters) {
  AddCluster();
  AddRunningMachine();
  AddCluster("d", R"({"paused":false})", "second");
  AddExternals("n");
  std::string body = MachineBody("n");
  body.replace(body.find(R"("clusterName":"c")"), 17, R"("clusterName":"d")");
  Create(kMachine, body);
  FinishBootstrap("n");
  FinishInfrastructure("n", "dev:///n");
  std::swap(workload_http_, second_http_);
  AddNode("node", "dev:///n");
  std::swap(workload_http_, second_http_);
  Pass(1s);
  ASSERT_EQ(Machine("n").At("status.nodeRef.name"), "node");

  // A change of the one is no change of the other.
  const std::string before = Machine().At("metadata.resourceVersion");
  Must(*second_http_, "PATCH", "/api/v1/nodes/node/status",
       R"({"status":{"conditions":[{"type":"Ready","status":"False","message":"x"}]}})", 200);
  Pass(1s);
  EXPECT_TRUE(Shown(Machine("n"), "NodeReady").starts_with("False NodeNotReady"));
  EXPECT_EQ(Shown(Machine(), "NodeReady"), "True NodeReady");
  EXPECT_EQ(Machine().At("metadata.resourceVersion"), before);
  Must(*second_http_, "DELETE", "/api/v1/nodes/node", "", 200);
  Pass(1s);
  EXPECT_TRUE(Shown(Machine("n"), "NodeReady").starts_with("False NodeDeleted"));
  EXPECT_EQ(Shown(Machine(), "NodeReady"), "True NodeReady");
}

}  // namespace
}  // namespace millwright::controllers::contract
