// Machines from the wish to their end, on the real controllers.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/sim/cluster.h"

namespace millwright::sim {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr const char* kApi = "/apis/machine.sapcloud.io/v1alpha1/namespaces/default/";

// Three machines.
std::string Objects() {
  return GardenerWords().sample({.replicas = 3, .surge = 1, .unavailable = 1});
}

std::string Phase(const json::value& machine) {
  boost::system::error_code none;
  const json::value* phase = machine.find_pointer("/status/currentStatus/phase", none);
  return phase == nullptr ? "" : std::string(phase->as_string());
}

class LifeTest : public testing::Test {
 protected:
  void SetUp() override { cluster_.InstallKinds(); }

  int CountIn(const std::string& phase) {
    int count = 0;
    for (const json::value& machine : cluster_.List(std::string(kApi) + "machines")) {
      count += Phase(machine) == phase ? 1 : 0;
    }
    return count;
  }

  std::string Dump() {
    std::string text;
    for (const std::string& line : cluster_.log().lines()) text += line + "\n";
    for (const char* kind : {"machinedeployments", "machinesets", "machines", "machineclasses"}) {
      for (const json::value& object : cluster_.List(std::string(kApi) + kind)) {
        text += json::serialize(object) + "\n";
      }
    }
    return text;
  }

  Cluster cluster_;
};

TEST_F(LifeTest, ADeploymentBecomesRunningMachinesAndGoesWithoutATrace) {
  cluster_.Apply(Objects());
  cluster_.StartControllers();
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Running") == 3; }, 10min)) << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 3u);
  EXPECT_EQ(cluster_.List("/api/v1/nodes").size(), 3u);

  const std::string web = std::string(kApi) + "machinedeployments/web";
  cluster_.Ask("PATCH", web, R"({"spec":{"replicas":5}})", "application/merge-patch+json");
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Running") == 5; }, 10min)) << Dump();

  cluster_.Ask("PATCH", web, R"({"spec":{"template":{"metadata":{"labels":{"v":"2"}}}}})",
               "application/merge-patch+json");
  ASSERT_TRUE(cluster_.Until(
      [&] {
        const json::value deployment = cluster_.Get(web);
        boost::system::error_code none;
        const json::value* updated = deployment.find_pointer("/status/updatedReplicas", none);
        return updated != nullptr && updated->to_number<int>() == 5 && CountIn("Running") == 5 &&
               cluster_.List(std::string(kApi) + "machines").size() == 5;
      },
      10min))
      << Dump();

  cluster_.Ask("DELETE", web);
  ASSERT_TRUE(cluster_.Until(
      [&] { return cluster_.List(std::string(kApi) + "machinedeployments").empty(); }, 10min))
      << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 0u);
  EXPECT_TRUE(cluster_.List("/api/v1/nodes").empty());
  EXPECT_TRUE(cluster_.List("/api/v1/namespaces/kube-system/secrets").empty());
}

TEST_F(LifeTest, Gardener_13_134_AMachineOfItsOwnComesAndGoes) {
  cluster_.Apply(Objects());
  cluster_.Ask("DELETE", std::string(kApi) + "machinedeployments/web");
  cluster_.StartControllers();
  cluster_.Apply(R"(
apiVersion: machine.sapcloud.io/v1alpha1
kind: Machine
metadata: {name: alone, namespace: default}
spec: {class: {kind: MachineClass, name: small}}
)");
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Running") == 1; }, 10min)) << Dump();
  EXPECT_EQ(cluster_.List("/api/v1/nodes").size(), 1u);
  EXPECT_EQ(cluster_.Ask("DELETE", std::string(kApi) + "machines/another").status, 404);
  EXPECT_EQ(cluster_.List("/api/v1/nodes").size(), 1u);
  cluster_.Ask("DELETE", std::string(kApi) + "machines/alone");
  ASSERT_TRUE(cluster_.Until([&] { return cluster_.List("/api/v1/nodes").empty(); }, 10min))
      << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 0u);
}

TEST_F(LifeTest, Gardener_13_137_AnotherClassAndAnotherSizeAtOnce) {
  cluster_.Apply(Objects());
  cluster_.Apply(R"(
apiVersion: machine.sapcloud.io/v1alpha1
kind: MachineClass
metadata: {name: large, namespace: default}
provider: simulated
providerSpec: {}
secretRef: {name: small, namespace: default}
)");
  cluster_.StartControllers();
  ASSERT_TRUE(cluster_.Until([&] { return CountIn("Running") == 3; }, 10min)) << Dump();
  const std::string web = std::string(kApi) + "machinedeployments/web";
  cluster_.Ask("PATCH", web,
               R"({"spec":{"replicas":4,"template":{"spec":{"class":{"name":"large"}}}}})",
               "application/merge-patch+json");
  const auto shown = [&](const char* field) {
    const json::value deployment = cluster_.Get(web);
    boost::system::error_code none;
    const json::value* count = deployment.find_pointer(std::string("/status/") + field, none);
    return count == nullptr ? 0 : count->to_number<int>();
  };
  ASSERT_TRUE(cluster_.Until(
      [&] {
        return shown("updatedReplicas") == 4 && shown("availableReplicas") == 4 &&
               cluster_.List("/api/v1/nodes").size() == 4;
      },
      10min))
      << Dump();

  // And Gardener_13_138: the deployment goes, and all that was made for it.
  cluster_.Ask("DELETE", web);
  ASSERT_TRUE(cluster_.Until([&] { return cluster_.List("/api/v1/nodes").empty(); }, 10min))
      << Dump();
  EXPECT_EQ(cluster_.cloud().live(), 0u);
}

}  // namespace
}  // namespace millwright::sim
