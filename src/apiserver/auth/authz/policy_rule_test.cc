#include "apiserver/auth/authz/policy_rule.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace millwright::apiserver {
namespace {

struct Case {
  const char* what;
  PolicyRule rule;
  Access access;
  bool allowed;
};

const Access kGetPod = {.verb = "get", .resource = "pods", .namespace_ = "a", .name = "p"};
const Access kPodStatus = {.verb = "get", .resource = "pods", .subresource = "status", .name = "p"};

TEST(PolicyRuleTest, AllowsWhatItNames) {
  const Case cases[] = {
      {"all of it", {.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}}, kGetPod, true},
      {"exactly it", {.verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}}, kGetPod, true},
      {"another verb",
       {.verbs = {"list"}, .api_groups = {""}, .resources = {"pods"}},
       kGetPod,
       false},
      {"another group",
       {.verbs = {"get"}, .api_groups = {"apps"}, .resources = {"pods"}},
       kGetPod,
       false},
      {"no group", {.verbs = {"get"}, .resources = {"pods"}}, kGetPod, false},
      {"its name",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}, .resource_names = {"p"}},
       kGetPod,
       true},
      {"another name",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}, .resource_names = {"q"}},
       kGetPod,
       false},
      {"a name where none is asked for",
       {.verbs = {"list"}, .api_groups = {""}, .resources = {"pods"}, .resource_names = {"p"}},
       {.verb = "list", .resource = "pods"},
       false},
      {"the object is not its endpoint",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"pods"}},
       kPodStatus,
       false},
      {"the endpoint",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"pods/status"}},
       kPodStatus,
       true},
      {"that endpoint of everything",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"*/status"}},
       kPodStatus,
       true},
      {"another endpoint of everything",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"*/scale"}},
       kPodStatus,
       false},
      {"the endpoint is not its object",
       {.verbs = {"get"}, .api_groups = {""}, .resources = {"*/status"}},
       kGetPod,
       false},
      {"a path",
       {.verbs = {"get"}, .non_resource_urls = {"/healthz"}},
       {.verb = "get", .path = "/healthz"},
       true},
      {"below a path",
       {.verbs = {"get"}, .non_resource_urls = {"/healthz/*"}},
       {.verb = "get", .path = "/healthz/ping"},
       true},
      {"not the path above",
       {.verbs = {"get"}, .non_resource_urls = {"/healthz/*"}},
       {.verb = "get", .path = "/healthz"},
       false},
      {"all paths",
       {.verbs = {"*"}, .non_resource_urls = {"*"}},
       {.verb = "post", .path = "/x"},
       true},
      {"all resources are no path",
       {.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}},
       {.verb = "get", .path = "/x"},
       false},
      {"all paths are no resource", {.verbs = {"*"}, .non_resource_urls = {"*"}}, kGetPod, false},
  };
  for (const Case& c : cases) EXPECT_EQ(c.rule.Allows(c.access), c.allowed) << c.what;
}

TEST(PolicyRuleTest, IsReadAsItIsWritten) {
  const PolicyRules rules = {{.verbs = {"get", "list"},
                              .api_groups = {""},
                              .resources = {"pods"},
                              .resource_names = {"a"}},
                             {.verbs = {"get"}, .non_resource_urls = {"/x"}}};
  EXPECT_EQ(ReadRules(boost::json::object{{"rules", WriteRules(rules)}}), rules);
  EXPECT_TRUE(ReadRules(boost::json::object{{"rules", nullptr}}).empty());
  EXPECT_EQ(rules[0].ToString(),
            R"({APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get" "list"]})");
  EXPECT_EQ(rules[1].ToString(), R"({NonResourceURLs:["/x"], Verbs:["get"]})");
}

}  // namespace
}  // namespace millwright::apiserver
