// The names that OpenAPI documents give to things. Pure.
#pragma once

#include <string>
#include <string_view>

#include "kube/api/group_version.h"

namespace millwright::apiserver::openapi {

// Of a kind that has no name from Go: "org.example.v1.Lathe".
std::string CustomDefinitionName(const kube::GroupVersionKind& kind);

// The part of an operation's name that stands for its place: "RbacAuthorizationV1", "CoreV1".
std::string OperationPlace(const kube::GroupVersionKind& kind);

// What groups operations: "rbacAuthorization_v1", "core_v1".
std::string OperationTag(const kube::GroupVersionKind& kind);

// With the first letter in upper case.
std::string Capitalized(std::string_view word);

}  // namespace millwright::apiserver::openapi
