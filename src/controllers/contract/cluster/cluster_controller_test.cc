#include "controllers/contract/cluster/cluster_controller.h"

#include "apiserver/auth/pki/pki.h"
#include "controllers/contract/cluster/kubeconfig_secret.h"
#include "controllers/contract/remote/kube_dialer.h"
#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

Task<void> RunClusters(ContractParts parts) {
  ClusterController clusters(parts.surroundings, parts.caches, parts.externals, parts.remotes);
  if (co_await parts.caches.WaitSynced() == Wake::kCancelled) co_return;
  co_await clusters.Run();
}

class ClusterTest : public ContractFixture {
 protected:
  ClusterTest() : ContractFixture(RunClusters) {}

  static constexpr const char* kC = "/apis/cluster.x-k8s.io/v1beta2/namespaces/ns/clusters/c";
  static constexpr const char* kInfra =
      "/apis/infrastructure.cluster.x-k8s.io/v1beta2/namespaces/ns/devclusters/c";
  static constexpr const char* kPlane =
      "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/ns/devcontrolplanes/c";

  void AddManaged() {
    Create(kDevCluster, R"({"metadata":{"name":"c","finalizers":["dev/x"]},"spec":{}})");
    Create(kDevControlPlane, R"({"metadata":{"name":"c","finalizers":["dev/x"]},"spec":{}})");
    Create(kCluster, R"({"metadata":{"name":"c"},"spec":{
        "infrastructureRef":{"kind":"DevCluster","name":"c",
          "apiGroup":"infrastructure.cluster.x-k8s.io"},
        "controlPlaneRef":{"kind":"DevControlPlane","name":"c",
          "apiGroup":"controlplane.cluster.x-k8s.io"}}})");
    Pass(1s);
  }
  Reply C() { return Get(kC); }
};

TEST_F(ClusterTest, without_infrastructure_it_is_provisioned) {
  Create(kCluster, R"({"metadata":{"name":"c"},"spec":{"paused":false}})");
  Pass(1s);
  EXPECT_TRUE(C().Is("metadata.finalizers", boost::json::array{"cluster.cluster.x-k8s.io"}));
  EXPECT_TRUE(C().Is("status.initialization.infrastructureProvisioned", true));
}

TEST_F(ClusterTest, learns_from_its_providers) {
  AddManaged();
  EXPECT_EQ(C().Find("status.initialization.infrastructureProvisioned"), nullptr);
  EXPECT_EQ(C().At("status.phase"), "Provisioning");
  EXPECT_EQ(kube::GetString(Get(kInfra).body.at("metadata").at("ownerReferences").at(0), "kind"),
            "Cluster");
  Patch(kInfra, R"({"spec":{"controlPlaneEndpoint":{"host":"1.2.3.4","port":6443}}})");
  Patch(std::string(kInfra) + "/status",
        R"({"status":{"initialization":{"provisioned":true},
            "failureDomains":[{"name":"a","controlPlane":true}]}})");
  Pass(1s);
  EXPECT_EQ(C().At("spec.controlPlaneEndpoint.host"), "1.2.3.4");
  EXPECT_TRUE(C().Is("status.initialization.infrastructureProvisioned", true));
  EXPECT_EQ(C().At("status.phase"), "Provisioned");
  EXPECT_EQ(kube::GetString(C().body.at("status").at("failureDomains").at(0), "name"), "a");
  EXPECT_TRUE(Shown(C(), "ControlPlaneInitialized").starts_with("False NotInitialized"));
  Patch(std::string(kPlane) + "/status",
        R"({"status":{"initialization":{"controlPlaneInitialized":true}}})");
  Pass(1s);
  EXPECT_EQ(Shown(C(), "ControlPlaneInitialized"), "True Initialized");
  EXPECT_FALSE(Exists(std::string(kSecret) + "/c-kubeconfig"));
}

TEST_F(ClusterTest, shows_whether_it_can_be_reached) {
  AddCluster();
  Pass(1s);
  EXPECT_TRUE(Shown(C(), "RemoteConnectionProbe").starts_with("True ProbeSucceeded"))
      << Shown(C(), "RemoteConnectionProbe");
  workload_->down = true;
  Pass(70s);
  EXPECT_TRUE(Shown(C(), "RemoteConnectionProbe").starts_with("False ProbeFailed"));
}

TEST_F(ClusterTest, shows_what_belongs_to_it) {
  AddManaged();
  EXPECT_EQ(Shown(C(), "WorkersAvailable"), "True NoWorkers");
  EXPECT_TRUE(Shown(C(), "ControlPlaneAvailable").starts_with("False NotAvailable"));
  Patch(kPlane, R"({"spec":{"replicas":3}})");
  Patch(std::string(kPlane) + "/status",
        R"({"status":{"replicas":2,"readyReplicas":1,"conditions":[{"type":"Available",
            "status":"True","reason":"Serves","message":"",
            "lastTransitionTime":"2026-11-16T10:00:00Z"}]}})");
  Pass(1s);
  EXPECT_EQ(Shown(C(), "ControlPlaneAvailable"), "True Serves");
  EXPECT_TRUE(C().Is("status.controlPlane.desiredReplicas", 3));
  EXPECT_TRUE(C().Is("status.controlPlane.replicas", 2));
  EXPECT_TRUE(C().Is("status.controlPlane.readyReplicas", 1));

  Create(kMachine, fmt::format(R"({{"metadata":{{"name":"w",
      "ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","name":"c",
        "uid":"{}"}}]}},
      "spec":{{"clusterName":"c","bootstrap":{{"dataSecretName":"s"}},
        "infrastructureRef":{{"kind":"DevMachine","name":"w",
          "apiGroup":"infrastructure.cluster.x-k8s.io"}}}}}})",
                               C().At("metadata.uid")));
  Pass(2s);
  EXPECT_TRUE(C().Is("status.workers.replicas", 1));
  EXPECT_TRUE(Shown(C(), "WorkerMachinesReady").starts_with("Unknown ReadyUnknown"));
  EXPECT_EQ(Shown(C(), "WorkerMachinesUpToDate"), "True NoReplicas");
  Patch(fmt::format("{}/w/status", kMachine),
        R"({"status":{"conditions":[{"type":"Ready","status":"True","reason":"Ready",
            "message":"","lastTransitionTime":"2026-11-16T10:00:00Z"}]}})");
  Pass(2s);
  EXPECT_EQ(Shown(C(), "WorkerMachinesReady"), "True Ready");
  EXPECT_TRUE(C().Is("status.workers.readyReplicas", 1));
  // Time passes and nothing else: it has had its time to report.
  Pass(10s);
  EXPECT_TRUE(Shown(C(), "WorkerMachinesUpToDate").starts_with("Unknown UpToDateUnknown"));
}

TEST_F(ClusterTest, many_changes_of_machines_are_few_writes) {
  AddManaged();
  for (int i = 0; i < 20; ++i) {
    Create(kMachine, fmt::format(R"({{"metadata":{{"name":"w{}"}},
        "spec":{{"clusterName":"c","bootstrap":{{"dataSecretName":"s"}},
          "infrastructureRef":{{"kind":"DevMachine","name":"w",
            "apiGroup":"infrastructure.cluster.x-k8s.io"}}}}}})",
                                 i));
  }
  Pass(2s);
  const auto version = [&] { return C().At("metadata.resourceVersion"); };
  int writes = 0;
  std::string last = version();
  for (int round = 0; round < 20; ++round) {
    for (int i = 0; i < 20; ++i) {
      Patch(fmt::format("{}/w{}/status", kMachine, i),
            fmt::format(R"({{"status":{{"conditions":[{{"type":"Ready","status":"False",
                "reason":"R","message":"round {}",
                "lastTransitionTime":"2026-11-16T10:00:00Z"}}]}}}})",
                        round));
    }
    Pass(100ms);
    if (version() != last) ++writes;
    last = version();
  }
  EXPECT_LE(writes, 3);
  Pass(2s);
  EXPECT_TRUE(Shown(C(), "WorkerMachinesReady").contains("round 19"));
}

TEST_F(ClusterTest, makes_a_kubeconfig_from_the_authority) {
  Create(kCluster, R"({"metadata":{"name":"c"},"spec":{
      "controlPlaneEndpoint":{"host":"1.2.3.4","port":6443}}})");
  Pass(1s);
  EXPECT_FALSE(Exists(std::string(kSecret) + "/c-kubeconfig"));
  const apiserver::Pki pki = apiserver::MakePki({}, clock_.Now(), random_);
  Create(kSecret, fmt::format(R"({{"metadata":{{"name":"c-ca",
      "labels":{{"cluster.x-k8s.io/cluster-name":"c"}}}},
      "data":{{"tls.crt":"{}","tls.key":"{}"}}}})",
                              EncodeBase64(pki.ca.certificate), EncodeBase64(pki.ca.key.Reveal())));
  Pass(1s);
  const Reply secret = Get(std::string(kSecret) + "/c-kubeconfig");
  ASSERT_EQ(secret.status, 200);
  EXPECT_EQ(secret.At("type"), "cluster.x-k8s.io/secret");
  const auto config = ReadSecretKubeconfig(*DecodeBase64(secret.At("data.value")));
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->server, "https://1.2.3.4:6443");
  EXPECT_FALSE(config->tls.client_cert.empty());
}

TEST_F(ClusterTest, goes_in_order) {
  AddManaged();
  const std::string uid = C().At("metadata.uid");
  Create(kMachine, fmt::format(R"({{"metadata":{{"name":"w","finalizers":["x/y"],
      "ownerReferences":[{{"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","name":"c",
        "uid":"{}"}}]}},
      "spec":{{"clusterName":"c","bootstrap":{{"dataSecretName":"s"}},
        "infrastructureRef":{{"kind":"DevMachine","name":"w",
          "apiGroup":"infrastructure.cluster.x-k8s.io"}}}}}})",
                               uid));
  Delete(kC);
  Pass(1s);
  EXPECT_TRUE(Shown(C(), "Deleting").starts_with("True WaitingForWorkersDeletion"));
  EXPECT_FALSE(Machine("w").At("metadata.deletionTimestamp").empty());
  EXPECT_TRUE(Get(kPlane).At("metadata.deletionTimestamp").empty());
  LetGo(fmt::format("{}/w", kMachine));
  Pass(1s);
  EXPECT_TRUE(Shown(C(), "Deleting").starts_with("True WaitingForControlPlaneDeletion"));
  EXPECT_TRUE(Get(kInfra).At("metadata.deletionTimestamp").empty());
  LetGo(kPlane);
  Pass(1s);
  EXPECT_TRUE(Shown(C(), "Deleting").starts_with("True WaitingForInfrastructureDeletion"));
  LetGo(kInfra);
  Pass(1s);
  EXPECT_FALSE(Exists(kC));
}

}  // namespace
}  // namespace millwright::controllers::contract
