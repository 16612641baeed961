#include "core/health/node.h"

#include <algorithm>

namespace millwright::core {

bool IsNodeWell(std::span<const Condition> conditions, std::span<const std::string> watched) {
  if (conditions.empty()) return false;
  return std::ranges::all_of(conditions, [&](const Condition& condition) {
    if (condition.type == "Ready") return condition.status == "True";
    const bool matters = std::ranges::find(watched, condition.type.view()) != watched.end();
    return !matters || condition.status == "False";
  });
}

bool ConditionsDiffer(std::span<const Condition> remembered, std::span<const Condition> seen,
                      std::string_view by_reason) {
  if (remembered.size() != seen.size()) return true;
  return std::ranges::any_of(seen, [&](const Condition& condition) {
    const Condition* before = FindCondition(remembered, condition.type);
    if (before == nullptr || before->status != condition.status) return true;
    return condition.type == by_reason && before->reason != condition.reason;
  });
}

}  // namespace millwright::core
