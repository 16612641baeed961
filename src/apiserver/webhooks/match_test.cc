#include "apiserver/webhooks/match.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

WebhookRule Pods() {
  return {.operations = {"CREATE", "UPDATE"},
          .groups = {""},
          .versions = {"v1"},
          .resources = {"pods"},
          .scope = "*"};
}

Subject CreatePod() {
  return {.operation = "CREATE", .resource = {"", "v1", "pods"}, .namespace_ = "ns"};
}

TEST(Match, ARuleNamesAllOfAWrite) {
  struct Case {
    const char* what;
    std::function<void(WebhookRule&, Subject&)> change;
    bool matches;
  };
  const Case cases[] = {
      {"as it is", [](auto&, auto&) {}, true},
      {"another operation", [](auto&, auto& s) { s.operation = "DELETE"; }, false},
      {"any operation",
       [](auto& r, auto& s) {
         r.operations = {"*"};
         s.operation = "DELETE";
       },
       true},
      {"another group", [](auto&, auto& s) { s.resource.group = "apps"; }, false},
      {"any group",
       [](auto& r, auto& s) {
         r.groups = {"*"};
         s.resource.group = "apps";
       },
       true},
      {"another version", [](auto&, auto& s) { s.resource.version = "v2"; }, false},
      {"any version",
       [](auto& r, auto& s) {
         r.versions = {"*"};
         s.resource.version = "v2";
       },
       true},
      {"another resource", [](auto&, auto& s) { s.resource.resource = "nodes"; }, false},
      {"a subresource that is not named", [](auto&, auto& s) { s.subresource = "status"; }, false},
      {"any resource, but none of its subresources",
       [](auto& r, auto& s) {
         r.resources = {"*"};
         s.subresource = "status";
       },
       false},
      {"a subresource by name",
       [](auto& r, auto& s) {
         r.resources = {"pods/status"};
         s.subresource = "status";
       },
       true},
      {"a subresource instead of the object", [](auto& r, auto&) { r.resources = {"pods/status"}; },
       false},
      {"one subresource of all",
       [](auto& r, auto& s) {
         r.resources = {"*/status"};
         s.subresource = "status";
       },
       true},
      {"all subresources and the object itself", [](auto& r, auto&) { r.resources = {"pods/*"}; },
       true},
      {"everything",
       [](auto& r, auto& s) {
         r.resources = {"*/*"};
         s.subresource = "scale";
       },
       true},
      {"in a namespace", [](auto& r, auto&) { r.scope = "Namespaced"; }, true},
      {"in none", [](auto& r, auto&) { r.scope = "Cluster"; }, false},
      {"an object of the cluster",
       [](auto& r, auto& s) {
         r.scope = "Cluster";
         s.namespace_ = "";
       },
       true},
      {"a namespace is of the cluster, whatever it is in",
       [](auto& r, auto& s) {
         r.resources = {"namespaces"};
         r.scope = "Cluster";
         s.resource.resource = "namespaces";
       },
       true},
      {"and never in one",
       [](auto& r, auto& s) {
         r.resources = {"namespaces"};
         r.scope = "Namespaced";
         s.resource.resource = "namespaces";
       },
       false},
  };
  for (const Case& one : cases) {
    WebhookRule rule = Pods();
    Subject subject = CreatePod();
    one.change(rule, subject);
    EXPECT_EQ(RuleMatches(rule, subject), one.matches) << one.what;
  }
}

TEST(Match, TheSameUnderAnotherVersionCountsUnlessToldOtherwise) {
  Webhook webhook;
  webhook.rules = {Pods()};
  webhook.rules[0].groups = {"example.org"};
  webhook.rules[0].resources = {"lathes"};
  webhook.rules[0].versions = {"v2"};
  const kube::GroupVersionResource v1{"example.org", "v1", "lathes"};
  const kube::GroupVersionResource v2{"example.org", "v2", "lathes"};
  const Subject subject{.operation = "CREATE", .resource = v1, .namespace_ = "ns"};
  EXPECT_EQ(MatchRules(webhook, subject, {v2}), v2);
  EXPECT_EQ(MatchRules(webhook, subject, {}), std::nullopt);
  webhook.exact = true;
  EXPECT_EQ(MatchRules(webhook, subject, {v2}), std::nullopt);
  webhook.rules[0].versions = {"v2", "v1"};
  EXPECT_EQ(MatchRules(webhook, subject, {v2}), v1);
}

TEST(Match, FindsTheOtherVersionsOfAResource) {
  Registry registry;
  const auto add = [&](const char* group, const char* version, const char* plural) {
    registry.Add(std::make_shared<Resource>(Resource{
        .kind = {group, version, "K"}, .plural = plural, .singular = "k", .list_kind = "KList"}));
  };
  add("", "v1", "events");
  add("events.k8s.io", "v1", "events");
  add("example.org", "v1", "lathes");
  add("example.org", "v2", "lathes");
  add("example.org", "v2", "saws");
  using Resources = std::vector<kube::GroupVersionResource>;
  EXPECT_EQ(EquivalentsOf(registry, {"example.org", "v1", "lathes"}),
            (Resources{{"example.org", "v2", "lathes"}}));
  EXPECT_EQ(EquivalentsOf(registry, {"example.org", "v2", "saws"}), Resources());
  EXPECT_EQ(EquivalentsOf(registry, {"", "v1", "events"}),
            (Resources{{"events.k8s.io", "v1", "events"}}));
}

TEST(Match, NobodyIsAskedAboutTheConfigurationsThemselves) {
  EXPECT_TRUE(IsExempt({"admissionregistration.k8s.io", "v1", "MutatingWebhookConfiguration"}));
  EXPECT_FALSE(IsExempt({"example.org", "v1", "MutatingWebhookConfiguration"}));
  EXPECT_FALSE(IsExempt({"", "v1", "Pod"}));
}

}  // namespace
}  // namespace millwright::apiserver
