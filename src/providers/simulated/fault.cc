#include "providers/simulated/fault.h"

namespace millwright::providers {
namespace {

bool Matches(const FaultRule& rule, CallKind kind, const std::string& machine) {
  return (!rule.kind || *rule.kind == kind) && (rule.machine.empty() || rule.machine == machine);
}

// `number` of the matching call, from one.
bool Applies(const FaultRule& rule, std::uint64_t number, Random& random) {
  if (number < rule.first || number - rule.first >= rule.times) return false;
  // No draw for what is certain: a rule then leaves the rest of a seeded run as it was.
  return rule.probability >= 1 || random.Unit() < rule.probability;
}

}  // namespace

FaultScript::RuleId FaultScript::Add(FaultRule rule) {
  rules_.emplace(next_, Counted{std::move(rule)});
  return next_++;
}

std::optional<FaultRule> FaultScript::Draw(CallKind kind, const std::string& machine,
                                           const std::vector<FaultRule>& class_rules,
                                           const std::string& class_key, Random& random) {
  // Every rule counts every call that it matches, whichever of them is taken in the end.
  std::optional<FaultRule> taken;
  for (auto& [id, counted] : rules_) {
    if (!Matches(counted.rule, kind, machine)) continue;
    const std::uint64_t number = ++counted.matches;
    if (!taken && Applies(counted.rule, number, random)) taken = counted.rule;
  }
  for (std::size_t i = 0; i < class_rules.size(); ++i) {
    if (!Matches(class_rules[i], kind, machine)) continue;
    const std::uint64_t number = ++class_matches_[{class_key, i}];
    if (!taken && Applies(class_rules[i], number, random)) taken = class_rules[i];
  }
  return taken;
}

}  // namespace millwright::providers
