// A health check and its machines as core sees them.
#pragma once

#include <optional>
#include <vector>

#include "controllers/contract/health/health_sightings.h"
#include "core/health/check.h"
#include "core/health/gate.h"
#include "dialects/capi/records.h"
#include "dialects/node_record.h"

namespace millwright::controllers::contract {

namespace capi = dialects::capi;

core::Checks ChecksOf(const capi::HealthCheckRecord& check);

// Fails if the limit cannot be read; nothing is remediated then.
Result<core::GatePolicy> GateOf(const capi::HealthCheckRecord& check);

// Whether the check looks at that machine of its namespace at all.
bool IsTarget(const capi::HealthCheckRecord& check, const capi::MachineRecord& machine);

struct JudgedMachine {
  const capi::MachineRecord* machine = nullptr;
  const capi::ClusterRecord* cluster = nullptr;
  bool nodes_known = false;                    // its cluster can be asked for nodes
  const dialects::NodeRecord* node = nullptr;  // null: it has none
};

core::Verdict Judge(const JudgedMachine& judged, const core::Checks& checks,
                    const HealthSightings& sightings, WallTime now);

}  // namespace millwright::controllers::contract
