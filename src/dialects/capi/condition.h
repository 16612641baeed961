// Conditions as Cluster API writes them: today's, and those that older clients read.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/time.h"

namespace millwright::dialects::capi {

enum class Truth : std::uint8_t { kTrue, kFalse, kUnknown };

// There are a dozen of them on each machine, and all well machines say the same.
struct Condition {
  Text type;
  Truth status = Truth::kUnknown;
  Text reason;
  Text message;
  WallTime since{};                      // whole seconds, of that status
  std::int64_t observed_generation = 0;  // 0: it does not say

  friend bool operator==(const Condition&, const Condition&) = default;
};

// status.deprecated.v1beta1.conditions
struct LegacyCondition {
  Text type;
  Truth status = Truth::kUnknown;
  Text severity;  // Error, Warning, Info; empty when true
  Text reason;
  Text message;
  WallTime since{};

  friend bool operator==(const LegacyCondition&, const LegacyCondition&) = default;
};

using Conditions = std::vector<Condition>;
using LegacyConditions = std::vector<LegacyCondition>;

inline const Condition* Find(std::span<const Condition> conditions, std::string_view type) {
  for (const Condition& condition : conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

inline bool Is(std::span<const Condition> conditions, std::string_view type, Truth status) {
  const Condition* found = Find(conditions, type);
  return found != nullptr && found->status == status;
}

}  // namespace millwright::dialects::capi
