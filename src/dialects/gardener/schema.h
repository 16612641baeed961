// The fields of the four kinds, and the CRDs made of them.
#pragma once

#include <boost/json/object.hpp>

#include <vector>

#include "dialects/schema_table.h"

namespace millwright::dialects::gardener {

KindTable MachineTable();
KindTable SetTable();
KindTable DeploymentTable();
KindTable ClassTable();

// The CRDs of all four.
std::vector<boost::json::object> Crds();

}  // namespace millwright::dialects::gardener
