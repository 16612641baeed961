#include "controllers/contract/drain/drain_rules.h"

#include <gtest/gtest.h>

#include "dialects/capi/testing.h"

namespace millwright::controllers::contract {
namespace {

using core::PodRule;
using Behaviour = PodRule::Behaviour;

capi::DrainRuleRecord Rule(std::string name, std::string spec) {
  return capi::testing::DrainRule(R"({"metadata":{"name":")" + name +
                                  R"(","namespace":"ns"},"spec":)" + spec + "}");
}

Result<std::vector<capi::DrainRuleRecord>> RulesOf(const std::vector<capi::DrainRuleRecord>& all,
                                                   const kube::Labels& machine,
                                                   const kube::Labels& cluster) {
  std::vector<const capi::DrainRuleRecord*> pointers;
  for (const auto& rule : all) pointers.push_back(&rule);
  return RulesFor(pointers, machine, cluster);
}

TEST(DrainRules, Capi_12_084_a_label_of_the_pod) {
  const auto rule = [](const char* value) {
    return RuleOfLabel({{"cluster.x-k8s.io/drain", value}});
  };
  EXPECT_EQ(rule("skip"), (PodRule{Behaviour::kSkip, 0}));
  EXPECT_EQ(rule("Skip"), (PodRule{Behaviour::kSkip, 0}));
  EXPECT_EQ(rule("wait-completed"), (PodRule{Behaviour::kWaitCompleted, 0}));
  EXPECT_EQ(rule("WaitCompleted"), (PodRule{Behaviour::kWaitCompleted, 0}));
  EXPECT_EQ(rule("other"), std::nullopt);
  EXPECT_EQ(RuleOfLabel({}), std::nullopt);
}

TEST(DrainRules, Capi_12_085_an_unknown_behaviour_is_an_error) {
  const std::vector rules = {Rule("a", R"({"drain":{"behavior":"Dance"}})")};
  EXPECT_FALSE(RuleFor(rules, {}, {}));
}

TEST(DrainRules, Capi_12_086_the_first_by_name_decides) {
  const std::vector all = {Rule("z", R"({"drain":{"behavior":"Skip"}})"),
                           Rule("a", R"({"drain":{"behavior":"Drain","order":5}})")};
  const auto rules = RulesOf(all, {}, {});
  ASSERT_TRUE(rules);
  EXPECT_EQ(*RuleFor(*rules, {}, {}), (PodRule{Behaviour::kDrain, 5}));
}

TEST(DrainRules, Capi_12_086_one_that_cannot_be_read_fails_all) {
  auto broken = Rule("z", R"({"drain":{"behavior":"Skip"}})");
  broken.problem = "selector: bad operator";
  EXPECT_FALSE(RulesOf({Rule("a", R"({"drain":{"behavior":"Skip"}})"), broken}, {}, {}));
}

TEST(DrainRules, Capi_12_087_both_selectors_of_an_entry_must_match) {
  const auto rule = Rule("a", R"({"drain":{"behavior":"Skip"},"machines":[
      {"selector":{"matchLabels":{"m":"1"}},"clusterSelector":{"matchLabels":{"c":"1"}}}]})");
  EXPECT_EQ(RulesOf({rule}, {{"m", "1"}}, {{"c", "1"}})->size(), 1);
  EXPECT_EQ(RulesOf({rule}, {{"m", "1"}}, {{"c", "2"}})->size(), 0);
  EXPECT_EQ(RulesOf({rule}, {}, {{"c", "1"}})->size(), 0);
  const auto empty = Rule("b", R"({"drain":{"behavior":"Skip"},"machines":[{"selector":{}}]})");
  EXPECT_EQ(RulesOf({empty}, {}, {})->size(), 1);
}

TEST(DrainRules, pods_are_chosen_by_their_labels_and_their_namespaces) {
  const std::vector rules = {Rule("a", R"({"drain":{"behavior":"Skip"},"pods":[
      {"selector":{"matchLabels":{"p":"1"}},"namespaceSelector":{"matchLabels":{"n":"1"}}},
      {"selector":{"matchLabels":{"p":"2"}}}]})")};
  EXPECT_TRUE(*RuleFor(rules, {{"p", "1"}}, {{"n", "1"}}));
  EXPECT_FALSE(*RuleFor(rules, {{"p", "1"}}, {}));
  EXPECT_TRUE(*RuleFor(rules, {{"p", "2"}}, {}));
}

}  // namespace
}  // namespace millwright::controllers::contract
