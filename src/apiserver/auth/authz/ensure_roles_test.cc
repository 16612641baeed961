#include "apiserver/auth/authz/ensure_roles.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/auth/authz/authorizer.h"
#include "apiserver/auth/authz/builtin_roles.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

class EnsureRolesTest : public testing::Test {
 protected:
  EnsureRolesTest() {
    Add("ClusterRole", "clusterroles", false);
    Add("ClusterRoleBinding", "clusterrolebindings", false);
    Add("Role", "roles", true);
    Add("RoleBinding", "rolebindings", true);
  }

  void Add(std::string kind, std::string plural, bool namespaced) {
    registry_.Add(
        std::make_shared<Resource>(Resource{.kind = {"rbac.authorization.k8s.io", "v1", kind},
                                            .plural = std::move(plural),
                                            .singular = {},
                                            .list_kind = kind + "List",
                                            .namespaced = namespaced,
                                            .storage_version = "v1",
                                            .rules = {.check_name = kube::CheckPathSegment}}));
  }
  Result<void> Ensure() { return *RunTask(store_.process(), EnsureBuiltinRoles(services_)); }
  bool Allowed(const User& user, const Access& access) {
    return authorizer_.Authorize(user, access).allowed;
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Registry registry_;
  SeededRandom random_{1};
  Admission admission_;
  Services services_{.store = *store_,
                     .registry = registry_,
                     .clock = store_.clock(),
                     .random = random_,
                     .admission = admission_,
                     .decode_protobuf = nullptr};
  Authorizer authorizer_{*store_};
};

TEST_F(EnsureRolesTest, GivesEverybodyWhatTheyNeed) {
  ASSERT_TRUE(Ensure());
  const User somebody{.name = "x", .groups = {"system:authenticated"}};
  const User node{.name = "system:node:n", .groups = {"system:nodes", "system:authenticated"}};
  const User manager{.name = "system:kube-controller-manager"};
  const Access lease{.verb = "update",
                     .group = "coordination.k8s.io",
                     .resource = "leases",
                     .namespace_ = "kube-system",
                     .name = "x"};
  const struct {
    User user;
    Access access;
    bool allowed;
  } cases[] = {
      {somebody, {.verb = "get", .path = "/apis/apps/v1"}, true},
      {somebody, {.verb = "get", .path = "/metrics"}, false},
      {somebody,
       {.verb = "create", .group = "authorization.k8s.io", .resource = "selfsubjectaccessreviews"},
       true},
      {somebody, {.verb = "list", .resource = "pods", .namespace_ = "a"}, false},
      {node, {.verb = "patch", .resource = "nodes", .subresource = "status", .name = "n"}, true},
      {node, {.verb = "delete", .resource = "nodes", .name = "n"}, false},
      {manager, {.verb = "list", .group = "any", .resource = "thing"}, true},
      {manager, {.verb = "delete", .resource = "pods", .namespace_ = "a", .name = "p"}, true},
      {manager, lease, true},
      {somebody, lease, false},
  };
  for (const auto& [user, access, allowed] : cases) {
    EXPECT_EQ(Allowed(user, access), allowed)
        << user.name << " " << access.verb << " " << access.resource << access.path;
  }
}

TEST_F(EnsureRolesTest, MakesTheRolesOfPeopleOfEachOther) {
  ASSERT_TRUE(Ensure());
  const RbacIndex& index = authorizer_.index();
  const auto may = [&](const char* role, const Access& access) {
    for (const PolicyRule& rule : *index.RulesOf({"ClusterRole", role}, "")) {
      if (rule.Allows(access)) return true;
    }
    return false;
  };
  const Access read{.verb = "get", .resource = "pods"};
  const Access write{.verb = "create", .resource = "pods"};
  const Access grant{
      .verb = "create", .group = "rbac.authorization.k8s.io", .resource = "rolebindings"};
  EXPECT_TRUE(may("view", read) && may("edit", read) && may("admin", read));
  EXPECT_TRUE(!may("view", write) && may("edit", write) && may("admin", write));
  EXPECT_TRUE(!may("view", grant) && !may("edit", grant) && may("admin", grant));
  EXPECT_FALSE(may("view", {.verb = "get", .resource = "secrets"}));
}

TEST_F(EnsureRolesTest, CommitsAllTogetherAndOnlyOnce) {
  ASSERT_TRUE(Ensure());
  const Revision revision = store_->revision();
  EXPECT_LE(store_.commits(), 2u);
  ASSERT_TRUE(Ensure());
  EXPECT_EQ(store_->revision(), revision);
}

TEST_F(EnsureRolesTest, AddsWhatIsMissingAndTakesNothingAway) {
  ASSERT_TRUE(Ensure());
  const std::string key = "/rbac.authorization.k8s.io/clusterroles/system:basic-user";
  json::value role = json::parse(store_->Get(key)->value);
  role.at("metadata").get_object().erase("resourceVersion");
  role.at("rules") = {{{"verbs", {"get"}}, {"apiGroups", {"mine"}}, {"resources", {"things"}}}};
  ASSERT_TRUE(store_.Update(key, {}, json::serialize(role)));
  ASSERT_TRUE(Ensure());
  const User somebody{.name = "x", .groups = {"system:authenticated"}};
  EXPECT_TRUE(Allowed(somebody, {.verb = "get", .group = "mine", .resource = "things"}));
  EXPECT_TRUE(Allowed(
      somebody,
      {.verb = "create", .group = "authentication.k8s.io", .resource = "selfsubjectreviews"}));

  role.at("metadata").at("annotations") = json::object();
  ASSERT_TRUE(store_.Update(key, {}, json::serialize(role)));
  const Revision revision = store_->revision();
  ASSERT_TRUE(Ensure());
  EXPECT_EQ(store_->revision(), revision);
}

}  // namespace
}  // namespace millwright::apiserver
