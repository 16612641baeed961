#include "apiserver/auth/authz/node_access.h"

#include <gtest/gtest.h>

#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

const User kNode{.name = "system:node:a", .groups = {"system:nodes", "system:authenticated"}};

class NodeAccessTest : public testing::Test {
 protected:
  NodeAccessTest() {
    (void)store_.Create("/core/pods/ns/mine", R"({"metadata":{"name":"mine"},"spec":{"nodeName":"a",
      "serviceAccountName":"worker","volumes":[{"name":"v","secret":{"secretName":"key"}},
      {"name":"w","persistentVolumeClaim":{"claimName":"disk"}},{"name":"x","ephemeral":{}}],
      "containers":[{"envFrom":[{"configMapRef":{"name":"settings"}}]}]}})");
    (void)store_.Create("/core/pods/ns/other", R"({"spec":{"nodeName":"b",
      "imagePullSecrets":[{"name":"pull"}]}})");
    (void)store_.Create("/core/persistentvolumes/v1",
                        R"({"spec":{"claimRef":{"namespace":"ns","name":"disk"}}})");
  }

  // "yes", or why not.
  std::string May(const Access& access) {
    const Decision decision = authorizer_.Authorize(kNode, access);
    return decision.allowed ? "yes" : decision.reason;
  }
  std::string Get(std::string resource, std::string name) {
    return May({.verb = "get",
                .resource = std::move(resource),
                .namespace_ = "ns",
                .name = std::move(name)});
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Authorizer authorizer_{*store_};
};

constexpr const char* kUnrelated = "no relationship found between node 'a' and this object";

TEST_F(NodeAccessTest, IsKnownByNameAndGroup) {
  EXPECT_EQ(NodeNameOf(kNode), "a");
  EXPECT_EQ(NodeNameOf({.name = "system:node:a"}), std::nullopt);
  EXPECT_EQ(NodeNameOf({.name = "a", .groups = {"system:nodes"}}), std::nullopt);
  EXPECT_EQ(NodeNameOf({.name = "system:node:", .groups = {"system:nodes"}}), std::nullopt);
}

TEST_F(NodeAccessTest, SeesItselfAndNoOtherNode) {
  EXPECT_EQ(May({.verb = "get", .resource = "nodes", .name = "a"}), "yes");
  EXPECT_EQ(May({.verb = "get", .resource = "nodes", .name = "b"}),
            "node 'a' cannot read 'b', only its own Node object");
  EXPECT_EQ(May({.verb = "list", .resource = "nodes"}),
            "node 'a' cannot read all nodes, only its own Node object");
  EXPECT_EQ(May({.verb = "patch", .resource = "nodes", .subresource = "status", .name = "a"}),
            "yes");
  EXPECT_EQ(May({.verb = "delete", .resource = "nodes", .name = "a"}), "");
}

TEST_F(NodeAccessTest, SeesItsOwnPods) {
  Access list{.verb = "watch", .resource = "pods"};
  EXPECT_EQ(May(list), "can only list/watch pods with spec.nodeName field selector");
  list.field_selector = "spec.nodeName=b";
  EXPECT_EQ(May(list), "can only list/watch pods with spec.nodeName field selector");
  list.field_selector = "spec.nodeName!=a";
  EXPECT_EQ(May(list), "can only list/watch pods with spec.nodeName field selector");
  list.field_selector = "status.phase=Running,spec.nodeName=a";
  EXPECT_EQ(May(list), "yes");
  EXPECT_EQ(Get("pods", "mine"), "yes");
  EXPECT_EQ(Get("pods", "other"), kUnrelated);
  EXPECT_EQ(Get("pods", "nowhere"), kUnrelated);
}

TEST_F(NodeAccessTest, SeesWhatItsPodsNeed) {
  EXPECT_EQ(Get("secrets", "key"), "yes");
  EXPECT_EQ(Get("secrets", "pull"), kUnrelated);
  EXPECT_EQ(Get("configmaps", "settings"), "yes");
  EXPECT_EQ(Get("configmaps", "key"), kUnrelated);
  EXPECT_EQ(Get("persistentvolumeclaims", "disk"), "yes");
  EXPECT_EQ(Get("persistentvolumeclaims", "mine-x"), "yes");
  EXPECT_EQ(Get("persistentvolumeclaims", "mine-v"), kUnrelated);
  EXPECT_EQ(May({.verb = "get", .resource = "persistentvolumes", .name = "v1"}), "yes");
  EXPECT_EQ(May({.verb = "list", .resource = "secrets", .namespace_ = "ns"}),
            "No Object name found");
  EXPECT_EQ(May({.verb = "list", .resource = "secrets"}),
            "can only read namespaced object of this type");
  const Access token{.verb = "create",
                     .resource = "serviceaccounts",
                     .subresource = "token",
                     .namespace_ = "ns",
                     .name = "worker"};
  EXPECT_EQ(May(token), "yes");
}

TEST_F(NodeAccessTest, HasOneLease) {
  Access lease{.verb = "update",
               .group = "coordination.k8s.io",
               .resource = "leases",
               .namespace_ = "kube-node-lease",
               .name = "a"};
  EXPECT_EQ(May(lease), "yes");
  lease.name = "b";
  EXPECT_EQ(May(lease), "can only access node lease with the same name as the requesting node");
  lease.namespace_ = "kube-system";
  EXPECT_EQ(May(lease), R"(can only access leases in the "kube-node-lease" system namespace)");
}

TEST_F(NodeAccessTest, MayDoWhatEveryNodeNeeds) {
  EXPECT_EQ(May({.verb = "create", .resource = "events", .namespace_ = "ns"}), "yes");
  EXPECT_EQ(May({.verb = "create",
                 .group = "certificates.k8s.io",
                 .resource = "certificatesigningrequests"}),
            "yes");
  EXPECT_EQ(May({.verb = "list", .group = "apps", .resource = "deployments"}), "");
}

}  // namespace
}  // namespace millwright::apiserver
