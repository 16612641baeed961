// What the server does by itself as time passes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "apiserver/server/virtual_server.h"
#include "base/base64.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kNodes = "/api/v1/nodes";
constexpr const char* kLeases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
constexpr const char* kPods = "/api/v1/namespaces/default/pods";

class NodeLifecycleTest : public testing::Test {
 protected:
  static std::string Target(std::string_view list, std::string_view name) {
    return fmt::format("{}/{}", list, name);
  }

  void AddNode(std::string_view name) {
    server_.Ask("POST", kNodes, fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    server_.Ask("POST", kLeases,
                fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"renewTime":"{}"}}}})", name,
                            server_.NowMicro()));
    Report(name, "True");
  }

  void Report(std::string_view node, std::string_view ready) {
    const auto reply =
        server_.Merge(Target(kNodes, node) + "/status",
                      fmt::format(R"({{"status":{{"conditions":[{{"type":"Ready","status":"{}",
                         "reason":"x","message":"y","lastHeartbeatTime":"{}",
                         "lastTransitionTime":"{}"}}]}}}})",
                                  ready, server_.Now(), server_.Now()));
    ASSERT_EQ(reply.status, 200) << reply.body;
  }

  void Renew(std::string_view node) {
    const auto reply =
        server_.Merge(Target(kLeases, node),
                      fmt::format(R"({{"spec":{{"renewTime":"{}"}}}})", server_.NowMicro()));
    ASSERT_EQ(reply.status, 200) << reply.body;
  }

  void Pass(Duration time, std::string_view renewed) {
    for (const auto end = clock_ + time; clock_ < end;) {
      server_.Pass(seconds(10));
      clock_ += seconds(10);
      Renew(renewed);
    }
  }

  // "Unknown: unreachable:NoSchedule ..."
  std::vector<std::string> TaintsOf(std::string_view node) {
    const auto reply = server_.Ask("GET", Target(kNodes, node));
    std::vector<std::string> found;
    const json::array* taints = kube::GetArray(reply.body, "spec.taints");
    for (const json::value& taint : taints == nullptr ? json::array() : *taints) {
      const std::string_view key = kube::GetString(taint, "key");
      found.push_back(
          fmt::format("{}:{}", key.substr(key.find('/') + 1), kube::GetString(taint, "effect")));
    }
    return found;
  }

  std::string ReadyOf(std::string_view list, std::string_view name) {
    const auto reply = server_.Ask("GET", Target(list, name));
    if (reply.status != 200) return "gone";
    const json::array* conditions = kube::GetArray(reply.body, "status.conditions");
    for (const json::value& one : conditions == nullptr ? json::array() : *conditions) {
      if (kube::GetString(one, "type") == "Ready")
        return std::string(kube::GetString(one, "status"));
    }
    return "";
  }

  void AddPod(std::string_view name, std::string_view node, std::string_view tolerations = "[]") {
    const auto made = server_.Ask(
        "POST", kPods,
        fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"nodeName":"{}","tolerations":{},
                         "terminationGracePeriodSeconds":0,
                         "containers":[{{"name":"c","image":"i:1"}}]}}}})",
                    name, node, tolerations));
    ASSERT_EQ(made.status, 201) << made.body;
    server_.Merge(Target(kPods, name) + "/status",
                  R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})");
  }

  VirtualServer server_;
  Duration clock_{};
};

TEST_F(NodeLifecycleTest, ASilentNodeIsUnknownAfterItsGrace) {
  AddNode("a");
  AddNode("b");
  EXPECT_THAT(TaintsOf("a"), IsEmpty()) << "it is ready";
  Pass(seconds(40), "b");
  EXPECT_EQ(ReadyOf(kNodes, "a"), "True");
  Pass(seconds(20), "b");
  EXPECT_EQ(ReadyOf(kNodes, "a"), "Unknown");
  EXPECT_THAT(TaintsOf("a"), ElementsAre("unreachable:NoExecute", "unreachable:NoSchedule"));
  EXPECT_EQ(ReadyOf(kNodes, "b"), "True");
  EXPECT_THAT(TaintsOf("b"), IsEmpty());

  Report("a", "True");
  server_.Pass(seconds(1));
  EXPECT_THAT(TaintsOf("a"), IsEmpty());
}

TEST_F(NodeLifecycleTest, ALeaseAloneIsASignOfLife) {
  AddNode("a");
  Pass(minutes(10), "a");
  EXPECT_EQ(ReadyOf(kNodes, "a"), "True");
}

TEST_F(NodeLifecycleTest, ANodeThatIsNotReadySaysSo) {
  AddNode("a");
  AddNode("b");
  Report("a", "False");
  server_.Pass(seconds(1));
  EXPECT_THAT(TaintsOf("a"), ElementsAre("not-ready:NoExecute", "not-ready:NoSchedule"));
}

TEST_F(NodeLifecycleTest, NobodyIsDrivenOutWhenNoNodeIsWell) {
  AddNode("a");
  AddPod("p", "a");
  server_.Pass(minutes(20));
  EXPECT_EQ(ReadyOf(kNodes, "a"), "Unknown");
  EXPECT_THAT(TaintsOf("a"), ElementsAre("unreachable:NoSchedule"));
  EXPECT_EQ(ReadyOf(kPods, "p"), "False");
}

TEST_F(NodeLifecycleTest, PodsOfASilentNodeLeaveWhenTheyTolerateItNoLonger) {
  AddNode("a");
  AddNode("b");
  AddPod("usual", "a");
  AddPod("stays", "a", R"([{"operator":"Exists"}])");
  AddPod("other", "b");
  Pass(seconds(60), "b");
  EXPECT_EQ(ReadyOf(kPods, "usual"), "False");
  EXPECT_EQ(ReadyOf(kPods, "other"), "True");
  Pass(minutes(4), "b");
  EXPECT_EQ(ReadyOf(kPods, "usual"), "False") << "tolerates it for five minutes";
  Pass(minutes(2), "b");
  EXPECT_EQ(ReadyOf(kPods, "usual"), "gone");
  EXPECT_EQ(ReadyOf(kPods, "stays"), "False");
  EXPECT_EQ(ReadyOf(kPods, "other"), "True");
}

TEST_F(NodeLifecycleTest, PodsStayWhenTheirNodeComesBack) {
  AddNode("a");
  AddNode("b");
  AddPod("p", "a");
  Pass(minutes(3), "b");
  EXPECT_EQ(ReadyOf(kPods, "p"), "False");
  Report("a", "True");
  for (int i = 0; i < 60; ++i) {
    Pass(seconds(10), "b");
    Renew("a");
  }
  EXPECT_EQ(ReadyOf(kPods, "p"), "False") << "the node says when it is ready again";
}

TEST_F(NodeLifecycleTest, ANewNodeIsGivenTimeToSpeak) {
  server_.Ask("POST", kNodes, R"({"metadata":{"name":"a"}})");
  server_.Pass(seconds(55));
  EXPECT_EQ(ReadyOf(kNodes, "a"), "");
  EXPECT_THAT(TaintsOf("a"), ElementsAre("not-ready:NoSchedule"));
  server_.Pass(seconds(10));
  EXPECT_EQ(ReadyOf(kNodes, "a"), "Unknown");
  EXPECT_THAT(TaintsOf("a"), ElementsAre("unreachable:NoSchedule"));
}

TEST(NodeLifecycleOffTest, NodesAreLeftAlone) {
  VirtualServer server([](EmbeddedServer::Parts& parts) { parts.nodes = std::nullopt; });
  server.Ask("POST", kNodes, R"({"metadata":{"name":"a"},"spec":{"unschedulable":true}})");
  server.Pass(minutes(10));
  const auto node = server.Ask("GET", std::string(kNodes) + "/a");
  EXPECT_EQ(kube::Find(node.body, "status.conditions"), nullptr);
  EXPECT_EQ(kube::GetArray(node.body, "spec.taints")->size(), 1u);
}

TEST(ExpiryControllerTest, EventsGoAfterAnHour) {
  VirtualServer server;
  constexpr const char* kEvents = "/api/v1/namespaces/default/events";
  const auto* event = R"({"metadata":{"name":"a"},"involvedObject":{"namespace":"default"}})";
  ASSERT_EQ(server.Ask("POST", kEvents, event).status, 201);
  server.Pass(minutes(50));
  server.Merge(std::string(kEvents) + "/a", R"({"count":2})");
  server.Pass(minutes(50));
  EXPECT_EQ(server.Ask("GET", std::string(kEvents) + "/a").status, 200) << "it was told again";
  server.Pass(minutes(11));
  EXPECT_EQ(server.Ask("GET", std::string(kEvents) + "/a").status, 404);
}

TEST(ExpiryControllerTest, TokensGoWhenTheyAreOver) {
  VirtualServer server;
  constexpr const char* kSecrets = "/api/v1/namespaces/kube-system/secrets";
  const auto soon = FormatTime(*ParseTime(server.Now()) + std::chrono::hours(5));
  const auto made = server.Ask("POST", kSecrets,
                               fmt::format(R"({{"metadata":{{"name":"bootstrap-token-abcdef"}},
                       "type":"bootstrap.kubernetes.io/token","data":{{"expiration":"{}"}}}})",
                                           EncodeBase64(soon)));
  ASSERT_EQ(made.status, 201) << made.body;
  server.Pass(minutes(299));
  EXPECT_EQ(server.Ask("GET", std::string(kSecrets) + "/bootstrap-token-abcdef").status, 200);
  server.Pass(minutes(2));
  EXPECT_EQ(server.Ask("GET", std::string(kSecrets) + "/bootstrap-token-abcdef").status, 404);
}

}  // namespace
}  // namespace millwright::apiserver
