// What sets and deployments show of their machines, in the same words.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "dialects/capi/records.h"
#include "dialects/capi/status/set_condition.h"

namespace millwright::dialects::capi {

using MachineList = std::span<const MachineRecord* const>;

Shown ShowMachinesReady(MachineList machines);

struct UpToDateGroup {
  Shown shown;
  std::optional<WallTime> look_again;  // when a machine is old enough to be counted
};
UpToDateGroup ShowMachinesUpToDate(MachineList machines, WallTime now);

// `kind` is whose condition it is: "MachineSet"; empty: nobody's in particular.
Shown ShowRemediating(MachineList machines, std::string_view kind);

// The check failed and asked the owner to act, which has not finished.
bool IsToBeRemediated(const MachineRecord& machine);

// In the middle of a change in place, or about to be.
bool IsUpdatingInPlace(const MachineRecord& machine);
bool IsUnacknowledged(const MachineRecord& machine);  // moved, and not counted by its deployment

// The version its node runs, else the one it was made for; empty: neither is known.
std::string_view RunningVersion(const MachineRecord& machine);
std::vector<VersionCount> CountVersions(MachineList machines);

struct Counts {
  int replicas = 0;
  int ready = 0;
  int available = 0;
  int up_to_date = 0;
};
Counts CountMachines(MachineList machines);

}  // namespace millwright::dialects::capi
