// Whether a machine is what its deployment wishes, and in what it is not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialects/capi/records.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

// In what two templates differ so that machines have to be replaced; one line for each, as users
// see it. Everything else is handed down.
std::vector<std::string> RolloutDifferences(const MachineTemplate& current,
                                            const MachineTemplate& wished);

struct UpToDateFacts {
  std::string machine_version;
  std::string kubelet_version;            // empty: there is no node, or it does not say
  std::optional<std::string> updating{};  // the message of an update that goes on
};

Shown ShowUpToDate(const SetRecord& set, const DeploymentRecord& deployment,
                   const UpToDateFacts& facts, WallTime now);

}  // namespace millwright::dialects::capi
