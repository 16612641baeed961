// What pods get on their way in, and what /readyz says.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/server/health_checks.h"
#include "apiserver/server/pod_account_step.h"
#include "apiserver/server/virtual_server.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

constexpr const char* kPods = "/api/v1/namespaces/default/pods";
constexpr const char* kClasses = "/apis/scheduling.k8s.io/v1/priorityclasses";

std::string Pod(std::string_view spec = "{}") {
  json::value pod = json::parse(R"({"metadata":{"name":"p"},"spec":)" + std::string(spec) + "}");
  pod.at("spec").get_object()["containers"] =
      json::array{json::object{{"name", "c"}, {"image", "i:1"}}};
  return json::serialize(pod);
}

TEST(PodAccountTest, PodsRunAsTheDefaultAccountWithItsToken) {
  VirtualServer server;
  const auto made = server.Ask("POST", kPods, Pod());
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.At("spec.serviceAccountName"), "default");
  EXPECT_EQ(made.At("spec.serviceAccount"), "default");
  const auto& mount = made.body.at("spec").at("containers").at(0).at("volumeMounts").at(0);
  EXPECT_EQ(kube::GetString(mount, "mountPath"), "/var/run/secrets/kubernetes.io/serviceaccount");
  EXPECT_EQ(mount.at("name"), made.body.at("spec").at("volumes").at(0).at("name"));
}

TEST(PodAccountTest, AnAccountHasToBeThere) {
  VirtualServer server;
  const auto refused = server.Ask("POST", kPods, Pod(R"({"serviceAccountName":"ghost"})"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_THAT(std::string(refused.At("message")),
              HasSubstr(R"(service account default/ghost: serviceaccount "ghost" not found)"));
}

TEST(PodAccountTest, ThatOfANewNamespaceIsWaitedFor) {
  VirtualServer server;
  server.Ask("POST", "/api/v1/namespaces", R"({"metadata":{"name":"new"}})");
  EXPECT_EQ(server.Ask("POST", "/api/v1/namespaces/new/pods", Pod()).status, 201);
}

TEST(PodAccountTest, TokensAreMountedOnceAndOnlyWhereTheyAreWanted) {
  const json::value account =
      json::parse(R"({"metadata":{"name":"a"},"imagePullSecrets":[{"name":"pull"}]})");
  json::value pod = json::parse(Pod());
  RunAs(account, "kube-api-access-1", pod);
  const json::value once = pod;
  RunAs(account, "kube-api-access-2", pod);
  EXPECT_EQ(pod, once);
  EXPECT_EQ(kube::GetArray(pod, "spec.imagePullSecrets")->size(), 1u);

  json::value shy = json::parse(Pod(R"({"automountServiceAccountToken":false})"));
  RunAs(account, "kube-api-access-1", shy);
  EXPECT_EQ(kube::Find(shy, "spec.volumes"), nullptr);
  json::value eager = json::parse(Pod(R"({"automountServiceAccountToken":true})"));
  const json::value closed =
      json::parse(R"({"metadata":{"name":"a"},"automountServiceAccountToken":false})");
  RunAs(closed, "kube-api-access-1", eager);
  EXPECT_NE(kube::Find(eager, "spec.volumes"), nullptr);
}

TEST(PodPriorityTest, IsThatOfTheClass) {
  VirtualServer server;
  const auto made =
      server.Ask("POST", kPods, Pod(R"({"priorityClassName":"system-node-critical"})"));
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(kube::GetInt(made.body, "spec.priority"), 2000001000);
  EXPECT_EQ(server.Ask("DELETE", std::string(kPods) + "/p").status, 200);
  const auto wrong = server.Ask("POST", kPods, Pod(R"({"priority":7})"));
  EXPECT_EQ(wrong.status, 403);
  EXPECT_EQ(server.Ask("POST", kPods, Pod(R"({"priorityClassName":"ghost"})")).At("message"),
            R"(pods "p" is forbidden: no PriorityClass with name ghost was found)");
}

TEST(PodPriorityTest, ThereIsOneDefault) {
  VirtualServer server;
  const auto one = server.Ask("POST", kClasses,
                              R"({"metadata":{"name":"usual"},"value":5,"globalDefault":true})");
  ASSERT_EQ(one.status, 201) << one.body;
  const auto two = server.Ask("POST", kClasses,
                              R"({"metadata":{"name":"other"},"value":6,"globalDefault":true})");
  EXPECT_EQ(two.status, 403);
  const auto pod = server.Ask("POST", kPods, Pod());
  EXPECT_EQ(kube::GetInt(pod.body, "spec.priority"), 5) << pod.body;
  EXPECT_EQ(pod.At("spec.priorityClassName"), "usual");
}

TEST(HealthChecksTest, TheServerSaysWhatItLooksAt) {
  VirtualServer server;
  const auto ready = server.Ask("GET", "/readyz?verbose");
  EXPECT_EQ(ready.status, 200);
  EXPECT_THAT(std::string(ready.body.get_string()),
              HasSubstr("[+]ping ok\n[+]store ok\n[+]started ok\n"));
}

TEST(HealthChecksTest, AStoreIsBrokenUntilAWriteGetsThrough) {
  StoreHealth health;
  EXPECT_TRUE(health.Judge({.commits = 3}));
  EXPECT_FALSE(health.Judge({.commits = 3, .failed_commits = 1}));
  EXPECT_FALSE(health.Judge({.commits = 3, .failed_commits = 1}));
  EXPECT_TRUE(health.Judge({.commits = 4, .failed_commits = 1}));
}

TEST(HealthChecksTest, AFullDiskStopsWritesAndNothingElse) {
  VirtualServer server;
  constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
  server.Ask("GET", "/readyz");
  server.disk_full = true;
  const auto refused = server.Ask("POST", kMaps, R"({"metadata":{"name":"a"}})");
  EXPECT_EQ(refused.status, 503) << refused.body;
  EXPECT_EQ(server.Ask("GET", kMaps).status, 200);
  EXPECT_EQ(server.Ask("GET", "/readyz").status, 500);
  EXPECT_EQ(server.Ask("GET", "/livez").status, 200) << "a restart would not help";
  server.disk_full = false;
  EXPECT_EQ(server.Ask("POST", kMaps, R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(server.Ask("GET", "/readyz").status, 200);
}

TEST(LimitsTest, TooManyRequestsAreTurnedAwayButWatchesAreNot) {
  VirtualServer server([](EmbeddedServer::Parts& parts) { parts.limits.in_flight = 0; });
  const auto refused = server.Ask("GET", kPods);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.At("reason"), "TooManyRequests");
  EXPECT_EQ(server.Ask("GET", "/readyz").status, 200);
  EXPECT_EQ(server.StatusOf(std::string(kPods) + "?watch=1"), 200);
}

}  // namespace
}  // namespace millwright::apiserver
