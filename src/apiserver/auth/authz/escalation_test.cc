#include "apiserver/auth/authz/escalation.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/rest/failures.h"
#include "apiserver/store/virtual_store.h"

namespace millwright::apiserver {
namespace {

namespace json = boost::json;

constexpr const char* kRoot = "/rbac.authorization.k8s.io/";

Resource Kind(std::string kind, std::string plural) {
  return {.kind = {"rbac.authorization.k8s.io", "v1", kind},
          .plural = std::move(plural),
          .singular = {},
          .list_kind = kind + "List",
          .storage_version = "v1"};
}

class EscalationTest : public testing::Test {
 protected:
  EscalationTest() {
    Store("clusterroles/reader", {{"rules", Rules("get", "pods")}});
    Store("clusterroles/writer", {{"rules", Rules("update", "pods")}});
    Store("clusterroles/boss",
          {{"rules",
            {{{"verbs", {"escalate", "bind"}}, {"apiGroups", {"*"}}, {"resources", {"*"}}}}}});
    Bind("ann", "reader");
    Bind("boss", "boss");
  }

  static json::array Rules(const char* verb, const char* resource) {
    return {{{"verbs", {verb}}, {"apiGroups", {""}}, {"resources", {resource}}}};
  }
  static json::object Binding(const char* role) {
    return {{"roleRef", {{"kind", "ClusterRole"}, {"name", role}}}, {"metadata", json::object()}};
  }
  void Store(const std::string& place, const json::value& object) {
    store_.Create(kRoot + place, json::serialize(object)).value();
  }
  void Bind(const char* user, const char* role) {
    json::object binding = Binding(role);
    binding["metadata"] = {{"name", user}};
    binding["subjects"] = {{{"kind", "User"}, {"name", user}}};
    Store(std::string("clusterrolebindings/") + user, binding);
  }

  // The message of the refusal; empty if there is none.
  std::string Try(const Resource& resource, const User& user, const json::value& object,
                  const json::value* old = nullptr) {
    const Place place{.group = resource.kind.group,
                      .version = "v1",
                      .resource = resource.plural,
                      .name = old == nullptr ? "" : "x"};
    const Admittance about{.operation = old == nullptr ? Admittance::Operation::kCreate
                                                       : Admittance::Operation::kUpdate,
                           .resource = resource,
                           .place = place,
                           .name = "x",
                           .user = user,
                           .old = old};
    std::vector<std::string> warnings;
    const auto outcome = *RunTask(store_.process(), step_.Validate(about, &object, warnings));
    return outcome ? "" : StatusOf(outcome.error()).message;
  }

  VirtualWorld world_;
  Platter platter_{"test"};
  VirtualStore store_{world_, platter_};
  Authorizer authorizer_{*store_};
  EscalationStep step_{authorizer_};
  const Resource roles_ = Kind("ClusterRole", "clusterroles");
  const Resource bindings_ = Kind("ClusterRoleBinding", "clusterrolebindings");
  const User ann_{.name = "ann", .groups = {"a", "b"}};
  const User boss_{.name = "boss"};
};

TEST_F(EscalationTest, GrantsOnlyWhatIsHeld) {
  EXPECT_EQ(Try(roles_, ann_, {{"rules", Rules("get", "pods")}}), "");
  EXPECT_EQ(
      Try(roles_, ann_, {{"rules", Rules("get", "secrets")}}),
      "clusterroles.rbac.authorization.k8s.io \"x\" is forbidden: user \"ann\" (groups=[\"a\" "
      "\"b\"]) is attempting to grant RBAC permissions not currently held:\n"
      "{APIGroups:[\"\"], Resources:[\"secrets\"], Verbs:[\"get\"]}");
  EXPECT_EQ(Try(roles_, boss_, {{"rules", Rules("get", "secrets")}}), "");
  EXPECT_EQ(Try(roles_, {.name = "root", .groups = {"system:masters"}},
                {{"rules", Rules("get", "secrets")}}),
            "");
}

TEST_F(EscalationTest, BindsOnlyWhatIsHeld) {
  EXPECT_EQ(Try(bindings_, ann_, Binding("reader")), "");
  EXPECT_EQ(Try(bindings_, ann_, Binding("writer")),
            "clusterrolebindings.rbac.authorization.k8s.io \"x\" is forbidden: user \"ann\" "
            "(groups=[\"a\" \"b\"]) is attempting to grant RBAC permissions not currently held:\n"
            "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"update\"]}");
  EXPECT_EQ(Try(bindings_, boss_, Binding("writer")), "");
  EXPECT_EQ(Try(bindings_, boss_, Binding("missing")), "");
  EXPECT_EQ(Try(bindings_, ann_, Binding("missing")),
            "clusterrolebindings.rbac.authorization.k8s.io \"missing\" not found");
}

TEST_F(EscalationTest, AggregatesOnlyForAdministrators) {
  const json::value aggregated{
      {"aggregationRule",
       {{"clusterRoleSelectors", {json::object{{"matchLabels", {{"a", "b"}}}}}}}}};
  const std::string refusal =
      "clusterroles.rbac.authorization.k8s.io \"x\" is forbidden: must have cluster-admin "
      "privileges to use the aggregationRule";
  EXPECT_EQ(Try(roles_, ann_, aggregated), refusal);
  EXPECT_EQ(Try(roles_, ann_, {{"rules", nullptr}}, &aggregated), refusal);
  EXPECT_EQ(Try(roles_, boss_, aggregated), "");
}

TEST_F(EscalationTest, LetsOwnersBeChanged) {
  const json::value old{{"metadata", {{"name", "x"}, {"finalizers", {"a"}}}},
                        {"rules", Rules("get", "secrets")}};
  json::value changed = old;
  changed.at("metadata").get_object().erase("finalizers");
  changed.at("metadata").get_object()["ownerReferences"] = json::array();
  EXPECT_EQ(Try(roles_, ann_, changed, &old), "");
  changed.at("metadata").get_object()["labels"] = {{"a", "b"}};
  EXPECT_NE(Try(roles_, ann_, changed, &old), "");
}

TEST_F(EscalationTest, LooksAtNothingElse) {
  Resource pods = Kind("Pod", "pods");
  pods.kind.group = "";
  EXPECT_EQ(Try(pods, ann_, {{"rules", Rules("get", "secrets")}}), "");
}

}  // namespace
}  // namespace millwright::apiserver
