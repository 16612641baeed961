// What the server has, by paths.
#pragma once

#include <vector>

#include <boost/json/object.hpp>

#include "apiserver/discovery/health.h"
#include "apiserver/resources/registry.h"

namespace millwright::apiserver {

// /.
boost::json::object RootDocument(const Registry& registry, const std::vector<HealthCheck>& checks);

}  // namespace millwright::apiserver
