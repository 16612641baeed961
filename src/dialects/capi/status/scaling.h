// ScalingUp, ScalingDown and Deleting of sets and deployments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/capi/status/machine_groups.h"

namespace millwright::dialects::capi {

struct ScalingFacts {
  std::optional<int> wished;  // spec.replicas; none: not set yet
  int machines = 0;
  bool known = true;  // the machines could be listed
  bool deleting = false;
  std::vector<std::string> missing_templates;  // kinds
  std::vector<std::string> blocked;            // other reasons why no machine is made
  std::string stale;                           // StaleDeletionLine
};

Shown ShowScalingUp(const ScalingFacts& facts);
Shown ShowScalingDown(const ScalingFacts& facts);

}  // namespace millwright::dialects::capi
