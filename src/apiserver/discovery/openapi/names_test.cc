#include "apiserver/discovery/openapi/names.h"

#include <gtest/gtest.h>

namespace millwright::apiserver::openapi {
namespace {

TEST(NamesTest, AreThoseOfAKubeApiserver) {
  struct Case {
    kube::GroupVersionKind kind;
    std::string place;
    std::string tag;
  };
  const std::vector<Case> cases = {
      {{"", "v1", "Pod"}, "CoreV1", "core_v1"},
      {{"apps", "v1", "Deployment"}, "AppsV1", "apps_v1"},
      {{"rbac.authorization.k8s.io", "v1", "Role"}, "RbacAuthorizationV1", "rbacAuthorization_v1"},
      {{"example.org", "v1beta1", "Lathe"}, "ExampleOrgV1beta1", "exampleOrg_v1beta1"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(OperationPlace(one.kind), one.place);
    EXPECT_EQ(OperationTag(one.kind), one.tag);
  }
  EXPECT_EQ(CustomDefinitionName({"example.org", "v1", "Lathe"}), "org.example.v1.Lathe");
  EXPECT_EQ(CustomDefinitionName({"machine.sapcloud.io", "v1alpha1", "Machine"}),
            "io.sapcloud.machine.v1alpha1.Machine");
}

}  // namespace
}  // namespace millwright::apiserver::openapi
