// The status of a MachineSet, from what a pass saw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/capi/records.h"
#include "dialects/capi/status/machine_groups.h"

namespace millwright::dialects::capi {

struct SetFacts {
  std::vector<const MachineRecord*> machines;  // those it has
  bool machines_known = true;                  // they could be listed
  std::vector<std::string> missing_templates;  // kinds of templates that do not exist
  std::vector<std::string> preflight;          // why no machine is made
  std::string creation_problem;                // why none could be made, for the old condition
  bool succeeded = true;
};

struct SetReport {
  SetStatus status;
  std::optional<WallTime> look_again;
};

SetReport NextSetStatus(const SetRecord& set, const SetFacts& facts, WallTime now);

}  // namespace millwright::dialects::capi
