#include "kube/api/group_version.h"

#include <gtest/gtest.h>

namespace millwright::kube {
namespace {

const GroupVersionResource kPods{"", "v1", "pods"};
const GroupVersionResource kMachines{"cluster.x-k8s.io", "v1beta2", "machines"};

struct PathCase {
  const char* name;
  GroupVersionResource resource;
  const char* namespace_;
  const char* object;
  const char* subresource;
  const char* want;
};

const PathCase kPaths[] = {
    {"CoreInAllNamespaces", kPods, "", "", "", "/api/v1/pods"},
    {"CoreInANamespace", kPods, "x", "", "", "/api/v1/namespaces/x/pods"},
    {"CoreObject", kPods, "x", "y", "", "/api/v1/namespaces/x/pods/y"},
    {"CoreSubresource", kPods, "x", "y", "status", "/api/v1/namespaces/x/pods/y/status"},
    {"ClusterObject", {"", "v1", "nodes"}, "", "n", "", "/api/v1/nodes/n"},
    {"Namespace", {"", "v1", "namespaces"}, "", "n", "", "/api/v1/namespaces/n"},
    {"Group", kMachines, "", "", "", "/apis/cluster.x-k8s.io/v1beta2/machines"},
    {"GroupObject", kMachines, "x", "y", "scale",
     "/apis/cluster.x-k8s.io/v1beta2/namespaces/x/machines/y/scale"},
    {"SlashCannotLeadElsewhere", kPods, "x", "../../y", "",
     "/api/v1/namespaces/x/pods/..%2F..%2Fy"},
    {"DotsCannotLeadElsewhere", kPods, "x", "..", "", "/api/v1/namespaces/x/pods/%2E%2E"},
    {"QueryCannotBeAdded", kPods, "x", "y?a=b#c", "", "/api/v1/namespaces/x/pods/y%3Fa=b%23c"},
    {"ColonStays",
     {"rbac.authorization.k8s.io", "v1", "clusterroles"},
     "",
     "system:node",
     "",
     "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node"},
    {"OtherBytesAreEncoded", kPods, "x", "\u00fc %", "", "/api/v1/namespaces/x/pods/%C3%BC%20%25"},
};

class ResourcePathTest : public testing::TestWithParam<PathCase> {};

TEST_P(ResourcePathTest, LeadsToTheResource) {
  const auto& [name, resource, namespace_, object, subresource, want] = GetParam();
  EXPECT_EQ(ResourcePath(resource, namespace_, object, subresource), want);
}

INSTANTIATE_TEST_SUITE_P(All, ResourcePathTest, testing::ValuesIn(kPaths),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(GroupVersionResource, IsReadAsWritten) {
  EXPECT_EQ(*ParseGroupVersionResource("apps/v1/deployments"),
            (GroupVersionResource{"apps", "v1", "deployments"}));
  EXPECT_EQ(*ParseGroupVersionResource("v1/nodes"), (GroupVersionResource{"", "v1", "nodes"}));
  for (const auto& resource : {kPods, kMachines}) {
    EXPECT_EQ(*ParseGroupVersionResource(resource.ToString()), resource);
  }
}

TEST(GroupVersionResource, RefusesMissingAndSurplusParts) {
  for (const char* text : {"", "nodes", "/v1/nodes", "v1/", "v1//nodes", "a/b/c/d"}) {
    EXPECT_FALSE(ParseGroupVersionResource(text)) << text;
  }
}

TEST(GroupVersionKind, IsReadFromAnObject) {
  EXPECT_EQ(*ParseGroupVersionKind("apps/v1", "Deployment"),
            (GroupVersionKind{"apps", "v1", "Deployment"}));
  EXPECT_EQ(*ParseGroupVersionKind("v1", "Node"), (GroupVersionKind{"", "v1", "Node"}));
  EXPECT_EQ(ParseGroupVersionKind("apps/v1", "Deployment")->ApiVersion(), "apps/v1");
  EXPECT_EQ(ParseGroupVersionKind("v1", "Node")->ToString(), "v1/Node");
  for (const char* text : {"", "/v1", "apps/", "a/b/c"})
    EXPECT_FALSE(ParseGroupVersionKind(text, "X")) << text;
  EXPECT_FALSE(ParseGroupVersionKind("v1", ""));
}

}  // namespace
}  // namespace millwright::kube
