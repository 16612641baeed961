// The Ready condition (or another) of a provider's object, shown on ours.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/lifecycle/contract.h"
#include "dialects/capi/condition.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

// What is known of an object that a machine (or cluster) names.
struct SeenExternal {
  core::ObjectState state = core::ObjectState::kNone;
  std::optional<Condition> ready;  // as it reports it
  std::string conditions_problem;  // what it reports cannot be read
};

struct MirrorFallback {
  bool ready = false;   // our own flag
  std::string message;  // if it is not
  std::string_view yes = "Ready";
  std::string_view no = "NotReady";
};

// Of an object that was found.
Shown Mirror(const SeenExternal& object, const MirrorFallback& fallback);

}  // namespace millwright::dialects::capi
