// What clients of the old version read: conditions with severities.
#pragma once

#include "dialects/capi/status/machine_status.h"

namespace millwright::dialects::capi {

// `next` has its new conditions already; its old ones are brought in line with them.
void SetLegacy(const MachineRecord& machine, const MachineFacts& facts, MachineStatus& next,
               WallTime now);

}  // namespace millwright::dialects::capi
