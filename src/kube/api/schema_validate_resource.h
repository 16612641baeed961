// What a resource inside of a resource has to have.
#pragma once

#include <string>

#include <boost/json/object.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_findings.h"

namespace millwright::kube {

// Finds the embedded resources below an object and checks their apiVersion, kind and metadata.
void CheckEmbedded(const Schema& schema, const boost::json::object& object, const std::string& path,
                   Findings& out);

// The types in ObjectMeta; what it says is checked by who writes the object.
Findings CheckObjectMeta(const boost::json::value& metadata, const std::string& path);

}  // namespace millwright::kube
