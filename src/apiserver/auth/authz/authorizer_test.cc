#include "apiserver/auth/authz/authorizer.h"

#include <gtest/gtest.h>

#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

constexpr const char* kRole =
    R"({"metadata":{"name":"reader"},"rules":[{"verbs":["list"],"apiGroups":[""],"resources":["pods"]}]})";
constexpr const char* kBinding =
    R"({"metadata":{"name":"readers","namespace":"a"},"roleRef":{"kind":"ClusterRole","name":"reader"},"subjects":[{"kind":"User","name":"ann"}]})";
constexpr const char* kRoleKey = "/rbac.authorization.k8s.io/clusterroles/reader";
constexpr const char* kBindingKey = "/rbac.authorization.k8s.io/rolebindings/a/readers";

class AuthorizerTest : public testing::Test {
 protected:
  bool Allowed() { return authorizer_.Authorize({.name = "ann"}, access_).allowed; }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Authorizer authorizer_{*store_};
  const Access access_{.verb = "list", .resource = "pods", .namespace_ = "a"};
};

TEST_F(AuthorizerTest, FollowsTheStore) {
  ASSERT_TRUE(store_.Create(kRoleKey, kRole));
  EXPECT_FALSE(Allowed());
  ASSERT_TRUE(store_.Create(kBindingKey, kBinding));
  EXPECT_TRUE(Allowed());
  ASSERT_TRUE(store_.Update(kRoleKey, {}, R"({"rules":[]})"));
  EXPECT_FALSE(Allowed());
  ASSERT_TRUE(store_.Update(kRoleKey, {}, kRole));
  EXPECT_TRUE(Allowed());
  ASSERT_TRUE(store_.Delete(kBindingKey));
  EXPECT_FALSE(Allowed());
}

TEST_F(AuthorizerTest, ListsAgainWhenItFellBehind) {
  EXPECT_FALSE(Allowed());
  ASSERT_TRUE(store_.Create(kRoleKey, kRole));
  ASSERT_TRUE(store_.Create(kBindingKey, kBinding));
  ASSERT_TRUE(store_.Compact(store_->revision()));
  EXPECT_TRUE(Allowed());
  ASSERT_TRUE(store_.Delete(kBindingKey));
  ASSERT_TRUE(store_.Compact(store_->revision()));
  EXPECT_FALSE(Allowed());
}

TEST_F(AuthorizerTest, LetsMastersDoAnything) {
  EXPECT_TRUE(authorizer_.Authorize({.name = "x", .groups = {"system:masters"}}, access_).allowed);
}

TEST_F(AuthorizerTest, RefusesWith403) {
  const auto refused = authorizer_.Check({.name = "ann"}, access_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(
      StatusOf(refused.error()).message,
      R"(pods is forbidden: User "ann" cannot list resource "pods" in API group "" in the namespace "a")");
}

}  // namespace
}  // namespace millwright::apiserver
