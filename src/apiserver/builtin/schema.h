// The kinds that Kubernetes brings along, and their schemas.
#pragma once

#include <string>
#include <vector>

#include "kube/api/group_version.h"
#include "kube/api/schema.h"

namespace millwright::apiserver {

// In a fixed order. DeleteOptions and its like and Status, which belong to every group, are not
// among them, but have schemas.
const std::vector<kube::GroupVersionKind>& BuiltinKinds();

// Null if the kind is none of ours. Without descriptions. Built when first asked for, and the same
// parts are shared by all kinds that have them. It may contain itself (the schema in a
// CustomResourceDefinition does): walk it along an object, or stop at what has a definition name.
//
// What is required or an enum is meant for OpenAPI documents: a real server checks objects of
// built-in kinds by other means, which are those of ValidateBuiltin.
kube::SchemaPtr BuiltinSchema(const kube::GroupVersionKind& kind);

// The name that OpenAPI documents refer to a part of a built-in schema by, such as
// "io.k8s.api.core.v1.PodSpec"; empty if it has none.
std::string BuiltinDefinitionName(const kube::Schema& part);

}  // namespace millwright::apiserver
