// What expressions know of data that a schema describes.
#pragma once

#include <string>

#include "kube/api/schema.h"
#include "kube/cel/type.h"

namespace millwright::kube::cel {

// The schema as rules see it: the root of a resource, and every resource embedded in it, has
// apiVersion, kind, metadata.name and metadata.generateName, whether it mentions them or not.
SchemaPtr ForRules(const Schema& schema, bool is_resource);

// Null if expressions cannot touch such data: what has no type has no operations either. `name` is
// what messages call the type. Expects the result of ForRules.
TypePtr TypeOfSchema(const Schema& schema, const std::string& name);

}  // namespace millwright::kube::cel
