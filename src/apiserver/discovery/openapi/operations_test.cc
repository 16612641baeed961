#include "apiserver/discovery/openapi/operations.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/discovery/fixture.h"

namespace millwright::apiserver::openapi {
namespace {

using testing::ElementsAre;

// "get /path: id action body -> answer codes".
std::vector<std::string> Summary(const Resource& resource) {
  std::vector<std::string> lines;
  for (const Path& path : PathsOf(resource)) {
    for (const Operation& operation : path.operations) {
      lines.push_back(
          fmt::format("{} {} {} {}", operation.method, path.path, operation.id, operation.action));
    }
  }
  return lines;
}

// Recorded from a kube-apiserver 1.36.

TEST(OperationsTest, ANamespacedKindHasItsPathsInEveryNamespace) {
  EXPECT_THAT(
      Summary(*LatheResource()),
      ElementsAre(
          "get /apis/example.org/v1/lathes listExampleOrgV1LatheForAllNamespaces list",
          "get /apis/example.org/v1/namespaces/{namespace}/lathes listExampleOrgV1NamespacedLathe "
          "list",
          "post /apis/example.org/v1/namespaces/{namespace}/lathes "
          "createExampleOrgV1NamespacedLathe post",
          "delete /apis/example.org/v1/namespaces/{namespace}/lathes "
          "deleteExampleOrgV1CollectionNamespacedLathe deletecollection",
          "get /apis/example.org/v1/namespaces/{namespace}/lathes/{name} "
          "readExampleOrgV1NamespacedLathe get",
          "put /apis/example.org/v1/namespaces/{namespace}/lathes/{name} "
          "replaceExampleOrgV1NamespacedLathe put",
          "delete /apis/example.org/v1/namespaces/{namespace}/lathes/{name} "
          "deleteExampleOrgV1NamespacedLathe delete",
          "patch /apis/example.org/v1/namespaces/{namespace}/lathes/{name} "
          "patchExampleOrgV1NamespacedLathe patch",
          "get /apis/example.org/v1/namespaces/{namespace}/lathes/{name}/status "
          "readExampleOrgV1NamespacedLatheStatus get",
          "put /apis/example.org/v1/namespaces/{namespace}/lathes/{name}/status "
          "replaceExampleOrgV1NamespacedLatheStatus put",
          "patch /apis/example.org/v1/namespaces/{namespace}/lathes/{name}/status "
          "patchExampleOrgV1NamespacedLatheStatus patch",
          "get /apis/example.org/v1/namespaces/{namespace}/lathes/{name}/scale "
          "readExampleOrgV1NamespacedLatheScale get",
          "put /apis/example.org/v1/namespaces/{namespace}/lathes/{name}/scale "
          "replaceExampleOrgV1NamespacedLatheScale put",
          "patch /apis/example.org/v1/namespaces/{namespace}/lathes/{name}/scale "
          "patchExampleOrgV1NamespacedLatheScale patch"));
}

TEST(OperationsTest, AKindWithoutNamespaceAndOneThatIsOnlyCreated) {
  EXPECT_EQ(PathsOf(*SawResource()).front().path, "/apis/example.org/v1/saws");
  EXPECT_THAT(Summary(*AccessReviewResource()),
              ElementsAre("post /apis/authorization.k8s.io/v1/selfsubjectaccessreviews "
                          "createAuthorizationV1SelfSubjectAccessReview post"));
}

TEST(OperationsTest, ASubresourceSpeaksItsOwnKind) {
  const auto paths = PathsOf(*PodResource());
  const Path& eviction = paths.at(3);
  EXPECT_EQ(eviction.path, "/api/v1/namespaces/{namespace}/pods/{name}/eviction");
  EXPECT_EQ(eviction.operations.at(0).id, "createCoreV1NamespacedPodEviction");
  EXPECT_EQ(eviction.operations.at(0).kind.ToString(), "policy/v1/Eviction");
  EXPECT_EQ(eviction.operations.at(0).body, "io.k8s.api.policy.v1.Eviction");
  // The scale of a custom kind counts as that kind.
  const auto lathe = PathsOf(*LatheResource());
  EXPECT_EQ(lathe.back().operations.at(0).kind.ToString(), "example.org/v1/Lathe");
  EXPECT_EQ(lathe.back().operations.at(0).answer, "io.k8s.api.autoscaling.v1.Scale");
}

TEST(OperationsTest, OnlyBuiltInKindsTakeStrategicMergePatches) {
  const auto types = [](const Resource& resource) {
    for (const Path& path : PathsOf(resource)) {
      for (const Operation& operation : path.operations) {
        if (operation.method == "patch") return operation.body_types;
      }
    }
    return std::vector<std::string_view>();
  };
  EXPECT_THAT(
      types(*DeploymentResource()),
      ElementsAre("application/json-patch+json", "application/merge-patch+json",
                  "application/strategic-merge-patch+json", "application/apply-patch+yaml"));
  EXPECT_THAT(types(*LatheResource()),
              ElementsAre("application/json-patch+json", "application/merge-patch+json",
                          "application/apply-patch+yaml"));
}

TEST(OperationsTest, EveryPatchNamesTheParametersThatKubectlLooksFor) {
  for (const ResourcePtr& resource : {PodResource(), DeploymentResource(), LatheResource()}) {
    for (const Path& path : PathsOf(*resource)) {
      for (const Operation& operation : path.operations) {
        if (operation.method != "patch") continue;
        std::vector<std::string_view> names;
        for (const Parameter& parameter : operation.parameters) names.push_back(parameter.name);
        EXPECT_THAT(names, ElementsAre("dryRun", "fieldManager", "fieldValidation", "force"));
      }
    }
  }
}

}  // namespace
}  // namespace millwright::apiserver::openapi
