// From the text of a CustomResourceDefinition to a Schema, and back.
#pragma once

#include <string_view>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/schema.h"

namespace millwright::kube {

// Reads an openAPIV3Schema. Keywords nobody knows are skipped, as a server skips unknown fields of
// a CustomResourceDefinition; those that Kubernetes knows and refuses ($ref, definitions, ...) are
// errors. Fails with kInvalid and a FieldErrors detail naming every wrong place; `path` is what the
// places are relative to, for instance "spec.versions[0].schema.openAPIV3Schema".
//
// A schema that can be read need not be structural: see CheckStructural.
Result<Schema> ParseSchema(const boost::json::value& document,
                           std::string_view path = "openAPIV3Schema");

// The document of a schema, for OpenAPI. Reading it again gives the same schema.
boost::json::object ToJson(const Schema& schema);

}  // namespace millwright::kube
