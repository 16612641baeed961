// The schema of a custom kind as a definition.
#pragma once

#include <boost/json/object.hpp>

#include "apiserver/discovery/openapi/dialect.h"
#include "kube/api/schema.h"

namespace millwright::apiserver::openapi {

// With what every object has: apiVersion, kind, metadata. `schema` may be null: anything goes. For
// v2 without what that form cannot say, or what old versions of kubectl take amiss.
boost::json::object CustomDefinition(const kube::Schema* schema, Dialect dialect);

}  // namespace millwright::apiserver::openapi
