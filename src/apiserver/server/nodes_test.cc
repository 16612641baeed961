// What a node is allowed, by asking as one.

#include <gtest/gtest.h>

#include "apiserver/server/virtual_server.h"

namespace millwright::apiserver {
namespace {

constexpr const char* kNodes = "/api/v1/nodes";
constexpr const char* kPods = "/api/v1/namespaces/default/pods";
constexpr const char* kLeases = "/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases";
constexpr const char* kMerge = "application/merge-patch+json";

class NodesTest : public testing::Test {
 protected:
  NodesTest() {
    self_.verified = true;
    self_.common_name = "system:node:a";
    self_.organizations = {"system:nodes"};
  }

  VirtualServer::Reply Ask(std::string method, std::string target, std::string body = "",
                           std::string type = "application/json") {
    return server_.AskAs(self_, std::move(method), std::move(target), std::move(body),
                         std::move(type));
  }

  static std::string Pod(std::string name, std::string node) {
    return R"({"metadata":{"name":")" + name + R"("},"spec":{"nodeName":")" + node +
           R"(","terminationGracePeriodSeconds":0,"containers":[{"name":"c","image":"i:1"}]}})";
  }

  VirtualServer server_;
  net::PeerIdentity self_;
};

TEST_F(NodesTest, ANodeComesInAndReports) {
  const auto made = Ask("POST", kNodes, R"({"metadata":{"name":"a","labels":{
    "kubernetes.io/hostname":"a","example.org/rack":"1"}}})");
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(Ask("GET", std::string(kNodes) + "/a").status, 200);
  EXPECT_EQ(Ask("GET", std::string(kNodes) + "?fieldSelector=metadata.name%3Da").status, 200);
  EXPECT_EQ(
      Ask("PATCH", std::string(kNodes) + "/a/status", R"({"status":{"phase":"Running"}})", kMerge)
          .status,
      200);
  EXPECT_EQ(Ask("POST", kLeases, R"({"metadata":{"name":"a"}})").status, 201);
  EXPECT_EQ(Ask("POST", "/api/v1/namespaces/default/events",
                R"({"metadata":{"name":"e"},"involvedObject":{"namespace":"default"}})")
                .status,
            201);
}

TEST_F(NodesTest, OtherNodesAreNotItsBusiness) {
  server_.Ask("POST", kNodes, R"({"metadata":{"name":"b"}})");
  EXPECT_EQ(Ask("GET", std::string(kNodes) + "/b").status, 403);
  EXPECT_EQ(Ask("GET", kNodes).status, 403);
  const auto patched = Ask("PATCH", std::string(kNodes) + "/b/status", R"({"status":{}})", kMerge);
  EXPECT_EQ(patched.status, 403);
  EXPECT_EQ(patched.At("message"),
            R"(nodes "b" is forbidden: node "a" is not allowed to modify node "b")");
  EXPECT_EQ(Ask("POST", kNodes, R"({"metadata":{"name":"c"}})").status, 403);
  EXPECT_EQ(Ask("POST", kLeases, R"({"metadata":{"name":"b"}})").status, 403);
}

TEST_F(NodesTest, ItDoesNotDecideWhatRunsOnIt) {
  Ask("POST", kNodes, R"({"metadata":{"name":"a"}})");
  const std::string node = std::string(kNodes) + "/a";
  EXPECT_EQ(Ask("PATCH", node, R"({"spec":{"taints":null}})", kMerge).At("message"),
            R"(nodes "a" is forbidden: node "a" is not allowed to modify taints)");
  EXPECT_EQ(Ask("PATCH", node,
                R"({"metadata":{"labels":{"node-restriction.kubernetes.io/x":"1"}}})", kMerge)
                .status,
            403);
  EXPECT_EQ(Ask("PATCH", node, R"({"metadata":{"labels":{"example.org/x":"1"}}})", kMerge).status,
            200);
  EXPECT_EQ(Ask("POST", kPods, Pod("p", "a")).status, 403) << "only mirrors of its own pods";
}

TEST_F(NodesTest, ItLooksAfterItsOwnPods) {
  server_.Ask("POST", kPods, Pod("mine", "a"));
  server_.Ask("POST", kPods, Pod("other", "b"));
  EXPECT_EQ(Ask("GET", "/api/v1/pods?fieldSelector=spec.nodeName%3Da").status, 200);
  EXPECT_EQ(Ask("GET", "/api/v1/pods").status, 403);
  const auto report = [&](const std::string& pod) {
    return Ask("PATCH", std::string(kPods) + "/" + pod + "/status",
               R"({"status":{"phase":"Running"}})", kMerge)
        .status;
  };
  EXPECT_EQ(report("mine"), 200);
  EXPECT_EQ(report("other"), 403);
  EXPECT_EQ(Ask("DELETE", std::string(kPods) + "/other").status, 403);
  EXPECT_EQ(Ask("DELETE", std::string(kPods) + "/mine").status, 200);
}

}  // namespace
}  // namespace millwright::apiserver
