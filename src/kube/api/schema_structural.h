// Whether a schema is one that Kubernetes accepts for a kind.
#pragma once

#include <string>
#include <vector>

#include "kube/api/schema.h"
#include "kube/api/schema_error.h"

namespace millwright::kube {

// What a kube-apiserver would refuse a CustomResourceDefinition for, or report in its condition
// NonStructuralSchema, in order of the texts; empty if nothing. A schema is structural when types
// and fields are said outside of allOf, anyOf, oneOf and not, so that every value has exactly one
// place in it: pruning, defaulting and applying rest on that.
std::vector<FieldError> CheckStructural(const Schema& schema,
                                        const std::string& path = "openAPIV3Schema");

}  // namespace millwright::kube
