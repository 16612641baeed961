// JSON of any shape as values of CEL, and the type of an admission request.
#pragma once

#include <boost/json/value.hpp>

#include "kube/cel/type.h"
#include "kube/cel/value.h"

namespace millwright::apiserver {

// The data has to outlive the value.
kube::cel::Value CelData(const boost::json::value& data);

// `request`, all but its objects.
kube::cel::TypePtr AdmissionRequestType();

}  // namespace millwright::apiserver
