// The fields of the six kinds in both versions, and the definitions made of them.
#pragma once

#include <boost/json/object.hpp>

#include <array>
#include <span>
#include <vector>

#include "dialects/schema_table.h"

namespace millwright::dialects::capi {

// The old version and the one that is stored.
using KindVersions = std::array<KindTable, 2>;

// The old version differs in its fields and columns, and says that it is old.
KindVersions InBothVersions(const KindTable& stored, std::span<const FieldGroup> old_fields,
                            std::span<const Column> old_columns);

KindVersions ClusterTables();
KindVersions MachineTables();
KindVersions SetTables();
KindVersions DeploymentTables();
KindVersions HealthCheckTables();
KindVersions DrainRuleTables();

// The definitions of all six, without conversion: who serves it adds it (admission/).
std::vector<boost::json::object> Crds();

}  // namespace millwright::dialects::capi
