#include "apiserver/auth/authz/rbac_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const Access kListPods = {.verb = "list", .resource = "pods", .namespace_ = "a"};
const Access kListAllPods = {.verb = "list", .resource = "pods"};

RbacRole MayList(std::string resource, kube::Labels labels = {}) {
  return {.rules = {{.verbs = {"list"}, .api_groups = {""}, .resources = {std::move(resource)}}},
          .labels = std::move(labels)};
}

RbacBinding Bind(std::string namespace_, std::string name, RoleReference role,
                 std::vector<RbacSubject> subjects) {
  return {.namespace_ = std::move(namespace_),
          .name = std::move(name),
          .role = std::move(role),
          .subjects = std::move(subjects)};
}

class RbacIndexTest : public testing::Test {
 protected:
  void Add(RbacBinding binding) {
    const std::string namespace_ = binding.namespace_;
    const std::string name = binding.name;
    index_.SetBinding(namespace_, name, std::move(binding));
  }
  bool Allowed(const User& user, const Access& access) {
    return index_.Authorize(user, access).allowed;
  }

  RbacIndex index_;
  const User ann_{.name = "ann", .groups = {"makers", "system:authenticated"}};
};

TEST_F(RbacIndexTest, AllowsNothingByItself) {
  const Decision decision = index_.Authorize(ann_, kListPods);
  EXPECT_FALSE(decision.allowed);
  EXPECT_EQ(decision.reason, "");
}

TEST_F(RbacIndexTest, GrantsARoleInItsNamespace) {
  index_.SetRole("a", "reader", MayList("pods"));
  Add(Bind("a", "readers", {"Role", "reader"}, {{"User", "ann"}}));
  const Decision decision = index_.Authorize(ann_, kListPods);
  EXPECT_TRUE(decision.allowed);
  EXPECT_EQ(decision.reason,
            R"(RBAC: allowed by RoleBinding "readers/a" of Role "reader" to User "ann")");
  EXPECT_FALSE(Allowed(ann_, kListAllPods));
  EXPECT_FALSE(Allowed({.name = "bob"}, kListPods));
}

TEST_F(RbacIndexTest, GrantsAClusterRoleInOneNamespaceOrAll) {
  index_.SetRole("", "reader", MayList("pods"));
  Add(Bind("a", "readers", {"ClusterRole", "reader"}, {{"Group", "makers"}}));
  EXPECT_TRUE(Allowed(ann_, kListPods));
  EXPECT_FALSE(Allowed(ann_, kListAllPods));
  Add(Bind("", "readers", {"ClusterRole", "reader"}, {{"Group", "makers"}}));
  const Decision decision = index_.Authorize(ann_, kListAllPods);
  EXPECT_TRUE(decision.allowed);
  EXPECT_EQ(
      decision.reason,
      R"(RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "makers")");
}

TEST_F(RbacIndexTest, KnowsServiceAccountsByTheirNamespace) {
  index_.SetRole("", "reader", MayList("pods"));
  Add(Bind("a", "here", {"ClusterRole", "reader"}, {{"ServiceAccount", "robot"}}));
  Add(Bind("", "nowhere", {"ClusterRole", "reader"}, {{"ServiceAccount", "tramp"}}));
  Add(Bind("", "there", {"ClusterRole", "reader"}, {{"ServiceAccount", "robot", "b"}}));
  EXPECT_TRUE(Allowed({.name = "system:serviceaccount:a:robot"}, kListPods));
  EXPECT_FALSE(Allowed({.name = "system:serviceaccount:a:robot"}, kListAllPods));
  EXPECT_FALSE(Allowed({.name = "system:serviceaccount::tramp"}, kListPods));
  const Decision decision =
      index_.Authorize({.name = "system:serviceaccount:b:robot"}, kListAllPods);
  EXPECT_EQ(
      decision.reason,
      R"(RBAC: allowed by ClusterRoleBinding "there" of ClusterRole "reader" to ServiceAccount "robot/b")");
}

TEST_F(RbacIndexTest, DoesNotTakeAUserForAGroup) {
  index_.SetRole("", "reader", MayList("pods"));
  Add(Bind("", "readers", {"ClusterRole", "reader"}, {{"Group", "ann"}, {"User", "makers"}}));
  EXPECT_FALSE(Allowed(ann_, kListPods));
}

TEST_F(RbacIndexTest, ForgetsWhatWasTakenAway) {
  index_.SetRole("", "reader", MayList("pods"));
  Add(Bind("", "readers", {"ClusterRole", "reader"}, {{"User", "ann"}, {"Group", "makers"}}));
  ASSERT_TRUE(Allowed(ann_, kListPods));
  Add(Bind("", "readers", {"ClusterRole", "reader"}, {{"User", "bob"}}));
  EXPECT_FALSE(Allowed(ann_, kListPods));
  EXPECT_TRUE(Allowed({.name = "bob"}, kListPods));
  index_.SetBinding("", "readers", std::nullopt);
  EXPECT_FALSE(Allowed({.name = "bob"}, kListPods));
}

TEST_F(RbacIndexTest, SaysWhichRoleIsMissing) {
  Add(Bind("a", "x", {"Role", "gone"}, {{"User", "ann"}}));
  EXPECT_EQ(index_.Authorize(ann_, kListPods).reason,
            R"(RBAC: role.rbac.authorization.k8s.io "gone" not found)");
  Add(Bind("", "y", {"ClusterRole", "lost"}, {{"User", "ann"}}));
  Add(Bind("", "z", {"ClusterRole", "lost"}, {{"User", "ann"}}));
  EXPECT_EQ(
      index_.Authorize(ann_, kListPods).reason,
      R"(RBAC: [clusterrole.rbac.authorization.k8s.io "lost" not found, role.rbac.authorization.k8s.io "gone" not found])");
}

TEST_F(RbacIndexTest, GathersAggregatedRoles) {
  const auto selects = [](const char* label) {
    return RbacRole{.rules = MayList("secrets").rules,
                    .aggregated = {kube::ParseLabelSelector(label).value()}};
  };
  RbacRole edit = selects("to-edit");
  edit.labels = {{"to-admin", ""}, {"to-edit", ""}};  // itself too, which must not go round
  index_.SetRole("", "admin", selects("to-admin"));
  index_.SetRole("", "edit", edit);
  index_.SetRole("", "part", MayList("pods", {{"to-edit", ""}}));
  Add(Bind("", "x", {"ClusterRole", "admin"}, {{"User", "ann"}}));
  EXPECT_TRUE(Allowed(ann_, kListPods));
  // Its own rules do not count: Kubernetes writes over them.
  EXPECT_FALSE(Allowed(ann_, {.verb = "list", .resource = "secrets"}));

  index_.SetRole("", "more", MayList("nodes", {{"to-edit", ""}}));
  EXPECT_TRUE(Allowed(ann_, {.verb = "list", .resource = "nodes"}));
  index_.SetRole("", "part", std::nullopt);
  EXPECT_FALSE(Allowed(ann_, kListPods));
}

TEST_F(RbacIndexTest, ListsTheRulesOfAUserOnce) {
  index_.SetRole("", "reader", MayList("pods"));
  Add(Bind("", "x", {"ClusterRole", "reader"}, {{"User", "ann"}, {"Group", "makers"}}));
  Add(Bind("a", "y", {"Role", "gone"}, {{"User", "ann"}}));
  EXPECT_THAT(index_.RulesFor(ann_, "").rules, SizeIs(1));
  const HeldRules held = index_.RulesFor(ann_, "a");
  EXPECT_THAT(held.rules, SizeIs(1));
  EXPECT_THAT(held.problems, ElementsAre(R"(role.rbac.authorization.k8s.io "gone" not found)"));
}

}  // namespace
}  // namespace millwright::apiserver
