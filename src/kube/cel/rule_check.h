// Whether the rules of a schema can be accepted in a CustomResourceDefinition.
#pragma once

#include <string>
#include <vector>

#include "kube/api/schema.h"
#include "kube/api/schema_error.h"

namespace millwright::kube::cel {

// What a kube-apiserver would refuse. Expects a structural schema; `path` is where it stands.
std::vector<FieldError> CheckRules(const Schema& schema, const std::string& path);

// The rules that are right and that we cannot run all the same, with why; empty as a rule.
std::vector<FieldError> UnsupportedRules(const Schema& schema, const std::string& path);

}  // namespace millwright::kube::cel
