#include "apiserver/auth/authz/covers.h"

#include <gtest/gtest.h>

namespace millwright::apiserver {
namespace {

PolicyRule Rule(std::vector<std::string> verbs, std::vector<std::string> resources,
                std::vector<std::string> names = {}) {
  return {.verbs = std::move(verbs),
          .api_groups = {""},
          .resources = std::move(resources),
          .resource_names = std::move(names)};
}

PolicyRule Urls(std::vector<std::string> urls) {
  return {.verbs = {"get"}, .non_resource_urls = std::move(urls)};
}

TEST(MissingRulesTest, TellsWhatIsNotHeld) {
  const PolicyRule all{.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}};
  const struct {
    const char* what;
    PolicyRules held;
    PolicyRules wanted;
    std::string missing;
  } cases[] = {
      {"nothing", {}, {}, ""},
      {"the same", {Rule({"get"}, {"pods"})}, {Rule({"get"}, {"pods"})}, ""},
      {"everything holds", {all}, {Rule({"get"}, {"pods/status"}, {"a"}), all}, ""},
      {"everything is not urls",
       {all},
       {Urls({"/x"})},
       R"({NonResourceURLs:["/x"], Verbs:["get"]})"},
      {"spread over rules",
       {Rule({"get"}, {"pods"}), Rule({"list"}, {"pods"})},
       {Rule({"get", "list"}, {"pods"})},
       ""},
      {"verbs of one thing are told together",
       {Rule({"get"}, {"pods"})},
       {Rule({"get", "list", "watch"}, {"pods", "nodes"})},
       "{APIGroups:[\"\"], Resources:[\"nodes\"], Verbs:[\"get\" \"list\" \"watch\"]}\n"
       "{APIGroups:[\"\"], Resources:[\"pods\"], Verbs:[\"list\" \"watch\"]}"},
      {"a name does not hold all",
       {Rule({"get"}, {"pods"}, {"a"})},
       {Rule({"get"}, {"pods"})},
       R"({APIGroups:[""], Resources:["pods"], Verbs:["get"]})"},
      {"all holds a name", {Rule({"get"}, {"pods"})}, {Rule({"get"}, {"pods"}, {"a", "b"})}, ""},
      {"one name of two",
       {Rule({"get"}, {"pods"}, {"a"})},
       {Rule({"get"}, {"pods"}, {"a", "b"})},
       R"({APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]})"},
      {"an endpoint of everything", {Rule({"get"}, {"*/scale"})}, {Rule({"get"}, {"a/scale"})}, ""},
      {"one endpoint is not that of everything",
       {Rule({"get"}, {"a/scale"})},
       {Rule({"get"}, {"*/scale"})},
       R"({APIGroups:[""], Resources:["*/scale"], Verbs:["get"]})"},
      {"urls below", {Urls({"/a/*"})}, {Urls({"/a/b", "/a/b/*"})}, ""},
      {"urls above",
       {Urls({"/a/*"})},
       {Urls({"/*"})},
       R"({NonResourceURLs:["/*"], Verbs:["get"]})"},
  };
  for (const auto& [what, held, wanted, missing] : cases) {
    EXPECT_EQ(DescribeRules(MissingRules(held, wanted)), missing) << what;
  }
}

}  // namespace
}  // namespace millwright::apiserver
