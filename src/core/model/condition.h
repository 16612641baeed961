// A condition that a node or a machine reports about itself.
#pragma once

#include <span>
#include <string_view>

#include "base/text.h"
#include "base/time.h"

namespace millwright::core {

struct Condition {
  Text type;
  Text status;       // "True", "False", "Unknown"; whatever else somebody writes is kept
  WallTime since{};  // of that status
  Text reason;
  Text message;

  friend bool operator==(const Condition&, const Condition&) = default;
};

inline const Condition* FindCondition(std::span<const Condition> conditions,
                                      std::string_view type) {
  for (const Condition& condition : conditions) {
    if (condition.type == type) return &condition;
  }
  return nullptr;
}

}  // namespace millwright::core
