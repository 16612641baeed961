// Which unhealthy machines a set replaces now, where a health check only asks for it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/time.h"

namespace millwright::core {

struct RemediationCandidate {
  std::string name;
  WallTime created{};
  bool deleting = false;
  bool unhealthy = false;       // the check failed
  bool healthy = false;         // the check succeeded; neither: not known
  bool asked_for = false;       // the check asked this set to act, and it is not done
  bool being_replaced = false;  // we deleted it for that
  bool first = false;           // a person asked for this one
};

struct RemediationScene {
  std::vector<RemediationCandidate> machines;
  bool is_current = true;              // the set is of the deployment's present revision
  std::optional<int> max_in_flight;    // of the deployment; none: no limit
  std::vector<std::string> preflight;  // why no machine could be made now; empty: nothing
};

enum class DeferReason { kLimit, kPreflight };

struct Deferral {
  std::string name;
  DeferReason reason = DeferReason::kLimit;

  friend bool operator==(const Deferral&, const Deferral&) = default;
};

struct RemediationPlan {
  std::vector<std::string> recovered;  // forget that they were to be replaced
  std::vector<std::string> refused;    // they go with the rollout anyway
  std::vector<Deferral> deferred;
  std::vector<std::string> replace;  // mark, then delete; a new one comes when it is gone

  friend bool operator==(const RemediationPlan&, const RemediationPlan&) = default;
};

RemediationPlan PlanRemediation(const RemediationScene& scene);

}  // namespace millwright::core
