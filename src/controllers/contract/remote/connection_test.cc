#include "controllers/contract/remote/remote_clusters.h"
#include "controllers/contract/testing/contract_fixture.h"

namespace millwright::controllers::contract {
namespace {

using namespace std::chrono_literals;

class ConnectionTest : public ContractFixture {
 protected:
  ConnectionTest() : ContractFixture([this](ContractParts parts) { return Listen(parts); }) {}

  Task<void> Listen(ContractParts parts) {
    parts.remotes.OnConnection([this](const kube::ObjectKey&) { ++changes_; });
    parts.remotes.OnSilence(50s, [this](const kube::ObjectKey&) { ++silences_; });
    parts.remotes.OnNode(
        [this](const kube::ObjectKey&, const RemoteNode*, const RemoteNode* after) {
          if (after != nullptr) nodes_.push_back(after->meta.key.name);
        });
    co_await UntilCancelled();
  }

  bool IsConnected() const { return remotes_->Find({"ns", "c"}) != nullptr; }
  RemoteHealth Health() const { return remotes_->HealthOf({"ns", "c"}); }

  int changes_ = 0;
  int silences_ = 0;
  std::vector<std::string> nodes_;
};

TEST_F(ConnectionTest, nobody_is_called_before_the_infrastructure_is_there) {
  Create(kCluster, R"({"metadata":{"name":"c"},"spec":{"paused":false}})");
  Pass(60s);
  EXPECT_EQ(dialer_->dials, 0);
  EXPECT_FALSE(IsConnected());
  EXPECT_EQ(Health(), RemoteHealth{});
}

TEST_F(ConnectionTest, a_kubeconfig_that_comes_later_is_used_at_once) {
  Create(kCluster, R"({"metadata":{"name":"c"},"spec":{"paused":false}})");
  MakeReachable();
  EXPECT_EQ(Health().failures, 1);
  Create(kSecret, fmt::format(R"({{"metadata":{{"name":"c-kubeconfig",
      "labels":{{"cluster.x-k8s.io/cluster-name":"c"}}}},"data":{{"value":"{}"}}}})",
                              EncodeBase64("good")));
  Pass(1s);
  EXPECT_TRUE(IsConnected());
  EXPECT_EQ(Health().failures, 0);
  EXPECT_EQ(changes_, 1);
}

TEST_F(ConnectionTest, Capi_12_166_probes_go_on_while_it_is_well) {
  AddCluster();
  ASSERT_TRUE(IsConnected());
  const WallTime before = *Health().last_success;
  Pass(10s);
  EXPECT_GE(*Health().last_success, before + 9s);
}

TEST_F(ConnectionTest, Capi_12_166_the_fifth_failure_disconnects) {
  AddCluster();
  workload_->down = true;
  Pass(50s);
  EXPECT_TRUE(IsConnected());
  EXPECT_GT(Health().failures, 0);
  Pass(40s);
  EXPECT_FALSE(IsConnected());
  EXPECT_EQ(changes_, 2);
  workload_->down = false;
  Pass(40s);
  EXPECT_TRUE(IsConnected());
  EXPECT_EQ(changes_, 3);
  EXPECT_EQ(Health().failures, 0);
}

TEST_F(ConnectionTest, Capi_12_166_refused_credentials_are_read_anew_at_once) {
  AddCluster();
  EXPECT_EQ(dialer_->dials, 1);
  workload_->unauthenticated = true;
  Pass(11s);
  EXPECT_GE(dialer_->dials, 2);
  EXPECT_FALSE(IsConnected());
  workload_->unauthenticated = false;
  Pass(31s);
  EXPECT_TRUE(IsConnected());
}

TEST_F(ConnectionTest, Capi_12_167_a_silence_is_told_once) {
  AddCluster();
  EXPECT_EQ(changes_, 1);
  Pass(600s);
  EXPECT_EQ(silences_, 0);
  workload_->down = true;
  Pass(600s);
  EXPECT_EQ(silences_, 1);
  EXPECT_EQ(changes_, 2);
  workload_->down = false;
  Pass(60s);
  workload_->down = true;
  Pass(600s);
  EXPECT_EQ(silences_, 2);
}

TEST_F(ConnectionTest, nodes_are_told_with_their_cluster) {
  AddCluster();
  AddNode("n1", "dev:///1");
  ASSERT_TRUE(IsConnected());
  EXPECT_EQ(nodes_.at(0), "n1");
  EXPECT_EQ(remotes_->Find({"ns", "c"})->NodesWithId("dev:///1").size(), 1);
}

TEST_F(ConnectionTest, a_cluster_that_is_gone_is_forgotten) {
  AddCluster();
  ASSERT_TRUE(IsConnected());
  Delete(fmt::format("{}/c", kCluster));
  Pass(1s);
  EXPECT_FALSE(IsConnected());
  EXPECT_EQ(Health(), RemoteHealth{});
  const int probes = workload_->Count("GET /");
  Pass(60s);
  EXPECT_EQ(workload_->Count("GET /"), probes);
}

TEST_F(ConnectionTest, a_cluster_that_hangs_holds_up_nobody) {
  workload_->down = true;
  AddCluster("c");
  AddCluster("d");
  Pass(40s);
  EXPECT_GT(remotes_->HealthOf({"ns", "c"}).failures, 0);
  EXPECT_GT(remotes_->HealthOf({"ns", "d"}).failures, 0);
}

}  // namespace
}  // namespace millwright::controllers::contract
