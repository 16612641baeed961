// How a condition is changed, and in which order a list of them is written.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialects/capi/condition.h"

namespace millwright::dialects::capi {

// What is to be shown; the time and the generation are added when it is set.
struct Shown {
  Truth status = Truth::kUnknown;
  std::string reason;
  std::string message = {};
  std::optional<WallTime> since = {};  // of a new status, where its source knows better than now

  friend bool operator==(const Shown&, const Shown&) = default;
};

// The time changes only with the status, and is cut to whole seconds. The list stays in order.
void Set(Conditions& conditions, std::string_view type, const Shown& shown, std::int64_t generation,
         WallTime now);
void Remove(Conditions& conditions, std::string_view type);

// The fixed order: what matters first, types nobody knows by name, then Paused and Deleting.
void Sort(Conditions& conditions);

struct LegacyShown {
  Truth status = Truth::kUnknown;
  std::string reason = {};    // empty when true
  std::string severity = {};  // empty when true or unknown
  std::string message = {};
};

// Ready comes first, then by type.
void Set(LegacyConditions& conditions, std::string_view type, const LegacyShown& shown,
         WallTime now);
void Remove(LegacyConditions& conditions, std::string_view type);
const LegacyCondition* Find(const LegacyConditions& conditions, std::string_view type);

std::string_view ToString(Truth truth);
Truth TruthFrom(std::string_view text);  // whatever is neither True nor False is unknown

}  // namespace millwright::dialects::capi
