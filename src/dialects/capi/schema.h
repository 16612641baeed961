// The fields of the six kinds in both versions, and the definitions made of them.
#pragma once

#include <boost/json/object.hpp>

#include <array>
#include <vector>

#include "dialects/schema_table.h"

namespace millwright::dialects::capi {

// The old version and the one that is stored.
using KindVersions = std::array<KindTable, 2>;

KindVersions ClusterTables();
KindVersions MachineTables();
KindVersions SetTables();
KindVersions DeploymentTables();
KindVersions HealthCheckTables();
KindVersions DrainRuleTables();

// The definitions of all six, without conversion: who serves it adds it (admission/).
std::vector<boost::json::object> Crds();

}  // namespace millwright::dialects::capi
