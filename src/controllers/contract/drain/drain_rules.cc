#include "controllers/contract/drain/drain_rules.h"

#include <algorithm>
#include <cctype>
#include <string>

#include "dialects/capi/names.h"

namespace millwright::controllers::contract {

using capi::DrainRuleRecord;
using core::PodRule;

namespace {

bool Concerns(const DrainRuleRecord& rule, const kube::Labels& machine,
              const kube::Labels& cluster) {
  return rule.machines.empty() || std::ranges::any_of(rule.machines, [&](const auto& entry) {
           return entry.machines.Matches(machine) && entry.clusters.Matches(cluster);
         });
}

bool Chooses(const DrainRuleRecord& rule, const kube::Labels& pod, const kube::Labels& space) {
  return rule.pods.empty() || std::ranges::any_of(rule.pods, [&](const auto& entry) {
           return entry.pods.Matches(pod) && entry.namespaces.Matches(space);
         });
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

}  // namespace

Result<std::vector<DrainRuleRecord>> RulesFor(std::span<const DrainRuleRecord* const> of_namespace,
                                              const kube::Labels& machine,
                                              const kube::Labels& cluster) {
  std::vector<DrainRuleRecord> rules;
  for (const DrainRuleRecord* rule : of_namespace) {
    if (!rule->problem.empty()) {
      return Fail(ErrorKind::kInvalid,
                  "MachineDrainRule " + rule->meta.key.name + ": " + rule->problem);
    }
    if (Concerns(*rule, machine, cluster)) rules.push_back(*rule);
  }
  std::ranges::sort(rules, {}, [](const DrainRuleRecord& rule) { return rule.meta.key.name; });
  return rules;
}

Result<std::optional<PodRule>> RuleFor(std::span<const DrainRuleRecord> rules,
                                       const kube::Labels& pod, const kube::Labels& namespace_) {
  for (const DrainRuleRecord& rule : rules) {
    if (!Chooses(rule, pod, namespace_)) continue;
    if (rule.behavior == "Drain") {
      return std::optional(PodRule{PodRule::Behaviour::kDrain, rule.order});
    }
    if (rule.behavior == "Skip") return std::optional(PodRule{PodRule::Behaviour::kSkip, 0});
    if (rule.behavior == "WaitCompleted") {
      return std::optional(PodRule{PodRule::Behaviour::kWaitCompleted, 0});
    }
    return Fail(ErrorKind::kInvalid, "MachineDrainRule " + rule.meta.key.name +
                                         " has unknown spec.drain.behavior: \"" + rule.behavior +
                                         "\"");
  }
  return std::optional<PodRule>();
}

std::optional<PodRule> RuleOfLabel(const kube::Labels& pod) {
  const auto label = pod.find(capi::labels::kDrain);
  if (label == pod.end()) return std::nullopt;
  std::string value = Lower(label->second);
  if (value == "skip") return PodRule{PodRule::Behaviour::kSkip, 0};
  if (const std::size_t dash = value.find('-'); dash != std::string::npos) value.erase(dash, 1);
  if (value == "waitcompleted") return PodRule{PodRule::Behaviour::kWaitCompleted, 0};
  return std::nullopt;
}

}  // namespace millwright::controllers::contract
