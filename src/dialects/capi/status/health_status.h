// What a MachineHealthCheck shows of itself, and what it writes on machines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/health/check.h"
#include "core/health/gate.h"
#include "dialects/capi/records.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

// HealthCheckSucceeded of a machine that was found unhealthy.
Shown ShowUnhealthy(const core::Verdict& verdict, const std::string& node);
LegacyShown ShowUnhealthyOld(const core::Verdict& verdict);

Shown ShowHealthy();

// Asks the machine's owner to replace it, unless it was asked and has not finished.
// False: nothing changed.
bool AskForRemediation(MachineStatus& status, std::int64_t generation, WallTime now);

struct HealthCheckFacts {
  std::vector<std::string> targets;  // names, in any order
  int healthy = 0;
  core::Gate gate;
  bool succeeded = true;
};

HealthCheckStatus NextHealthCheckStatus(const HealthCheckRecord& check,
                                        const HealthCheckFacts& facts, WallTime now);

// The words of RemediationAllowed when it is not; also of the event.
std::string TooManyUnhealthy(const HealthCheckRecord& check, int expected, const core::Gate& gate);

}  // namespace millwright::dialects::capi
