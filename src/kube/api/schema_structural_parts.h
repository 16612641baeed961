// The parts of CheckStructural, one subject each.
#pragma once

#include <string>

#include "kube/api/schema.h"
#include "kube/api/schema_findings.h"

namespace millwright::kube {

// allOf, anyOf, oneOf and not may only restrict values.
void CheckNestedSchemas(const Schema& schema, const std::string& path, Findings& out);

// What is restricted there has to be specified outside. A kube-apiserver asks this only of the
// root.
void CheckCompleteness(const Schema& root, const std::string& path, Findings& out);

// List and map types and the keys they need; uniqueItems; additionalProperties beside properties.
void CheckCollections(const Schema& schema, const std::string& path, Findings& out);

// x-kubernetes-validations as far as it can be told without CEL.
void CheckRules(const Schema& schema, const std::string& path, Findings& out);

// Defaults have to be valid and free of unknown fields. Those of values of maps are not looked at.
void CheckDefaults(const Schema& root, const std::string& path, Findings& out);

}  // namespace millwright::kube
