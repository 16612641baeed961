#include "apiserver/auth/authz/impersonation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

using testing::ElementsAre;

class ImpersonationTest : public testing::Test {
 protected:
  ImpersonationTest() {
    store_
        .Create("/rbac.authorization.k8s.io/clusterroles/actor",
                R"({"rules":[{"verbs":["impersonate"],"apiGroups":[""],"resources":["users"],)"
                R"("resourceNames":["bob"]},{"verbs":["impersonate"],"apiGroups":[""],)"
                R"("resources":["groups"],"resourceNames":["makers"]}]})")
        .value();
    store_
        .Create("/rbac.authorization.k8s.io/clusterrolebindings/actor",
                R"({"metadata":{"name":"actor"},"roleRef":{"kind":"ClusterRole","name":"actor"},)"
                R"("subjects":[{"kind":"User","name":"ann"}]})")
        .value();
  }

  Result<User> As(const User& user, net::Headers headers) {
    return Impersonate(user, headers, authorizer_);
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Authorizer authorizer_{*store_};
  const User ann_{.name = "ann", .groups = {"x"}};
  const User root_{.name = "root", .groups = {"system:masters"}};
};

TEST_F(ImpersonationTest, LeavesOthersAlone) {
  EXPECT_EQ(As(ann_, {{"Accept", "x"}}).value(), ann_);
}

TEST_F(ImpersonationTest, TakesOnWhatIsAllowed) {
  const auto bob = As(ann_, {{"impersonate-user", "bob"}, {"Impersonate-Group", "makers"}});
  ASSERT_TRUE(bob);
  EXPECT_EQ(bob->name, "bob");
  EXPECT_THAT(bob->groups, ElementsAre("makers", "system:authenticated"));
}

TEST_F(ImpersonationTest, RefusesEachPartThatIsNot) {
  const struct {
    net::Headers headers;
    const char* message;
  } cases[] = {
      {{{"Impersonate-User", "eve"}},
       R"(users "eve" is forbidden: User "ann" cannot impersonate resource "users" in API group "" at the cluster scope)"},
      {{{"Impersonate-User", "bob"}, {"Impersonate-Group", "system:masters"}},
       R"(groups "system:masters" is forbidden: User "ann" cannot impersonate resource "groups" in API group "" at the cluster scope)"},
      {{{"Impersonate-User", "bob"}, {"Impersonate-Uid", "1"}},
       R"(uids.authentication.k8s.io "1" is forbidden: User "ann" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope)"},
      {{{"Impersonate-User", "bob"}, {"Impersonate-Extra-Scopes", "all"}},
       R"(userextras.authentication.k8s.io "all" is forbidden: User "ann" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope)"},
      {{{"Impersonate-User", "system:serviceaccount:a:b"}},
       R"(serviceaccounts "b" is forbidden: User "ann" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "a")"},
  };
  for (const auto& [headers, message] : cases) {
    const auto refused = As(ann_, headers);
    ASSERT_FALSE(refused);
    EXPECT_EQ(StatusOf(refused.error()).message, message);
  }
}

TEST_F(ImpersonationTest, NeedsAUser) {
  const auto refused = As(root_, {{"Impersonate-Group", "makers"}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(StatusOf(refused.error()).code, 400);
  EXPECT_EQ(StatusOf(refused.error()).message,
            R"(requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"makers"}, )"
            R"(Extra:map[string][]string(nil)} without impersonating a user name)");
}

TEST_F(ImpersonationTest, KnowsWhichGroupsComeWithAName) {
  const struct {
    net::Headers headers;
    std::vector<std::string> groups;
  } cases[] = {
      {{{"Impersonate-User", "system:serviceaccount:a:b"}},
       {"system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated"}},
      {{{"Impersonate-User", "system:serviceaccount:a:b"}, {"Impersonate-Group", "g"}},
       {"g", "system:authenticated"}},
      {{{"Impersonate-User", "system:anonymous"}}, {"system:unauthenticated"}},
      {{{"Impersonate-User", "x"}, {"Impersonate-Group", "system:unauthenticated"}},
       {"system:unauthenticated"}},
  };
  for (const auto& [headers, groups] : cases) EXPECT_EQ(As(root_, headers)->groups, groups);
}

TEST_F(ImpersonationTest, ReadsExtrasWithEscapedKeys) {
  const auto user = As(root_, {{"Impersonate-User", "x"},
                               {"Impersonate-Extra-Acme.com%2fProject", "one"},
                               {"impersonate-extra-acme.com%2fproject", "two"}});
  ASSERT_TRUE(user);
  EXPECT_THAT(user->extra.at("acme.com/project"), ElementsAre("one", "two"));
}

TEST(ServiceAccountUserTest, IsTakenApart) {
  EXPECT_EQ(ParseServiceAccountUser("system:serviceaccount:a:b.c")->name, "b.c");
  for (const char* user : {"ann", "system:serviceaccount:a", "system:serviceaccount::b",
                           "system:serviceaccount:a:", "system:serviceaccount:a:b:c"}) {
    EXPECT_FALSE(ParseServiceAccountUser(user)) << user;
  }
}

}  // namespace
}  // namespace millwright::apiserver
