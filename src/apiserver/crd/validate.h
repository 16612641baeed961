// What a CustomResourceDefinition has to be like, in the words of a kube-apiserver. Pure.
#pragma once

#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/crd/conditions.h"
#include "kube/api/schema_error.h"

namespace millwright::apiserver {

// `old` is null for a create. Expects defaults to be filled in.
std::vector<kube::FieldError> ValidateCrd(const boost::json::value& crd,
                                          const boost::json::value* old);

// Whether a definition in a group of Kubernetes itself says who approved of it; without a type if
// the group is nobody's concern.
CrdCondition ApprovalCondition(const boost::json::value& crd);

}  // namespace millwright::apiserver
