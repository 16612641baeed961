// Data that a schema describes, as values of expressions.
#pragma once

#include <boost/json/value.hpp>

#include "base/result.h"
#include "kube/api/schema.h"
#include "kube/cel/value.h"

namespace millwright::kube::cel {

// Data and schema have to outlive the value; nothing is copied. Fails on data that does not fit.
Result<Value> ValueOfData(const Schema& schema, const boost::json::value& data);

}  // namespace millwright::kube::cel
