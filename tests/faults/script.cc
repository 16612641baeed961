#include "tests/faults/script.h"

namespace millwright::faults {

namespace {

bool Matches(const FaultRule& rule, const RequestFacts& request) {
  if (rule.method == "write" && !request.IsWrite()) return false;
  if (!rule.method.empty() && rule.method != "write" && rule.method != request.method) return false;
  return request.target.find(rule.target_contains) != std::string::npos;
}

}  // namespace

std::optional<FaultAction> FaultScript::Next(const RequestFacts& request) {
  for (FaultRule& rule : rules_) {
    if (rule.times == 0 || !Matches(rule, request)) continue;
    if (rule.skip > 0) {
      --rule.skip;
      continue;
    }
    if (rule.times > 0) --rule.times;
    ++applied_;
    return rule.action;
  }
  return std::nullopt;
}

}  // namespace millwright::faults
