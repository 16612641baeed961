// Checking a value and everything in it.
#pragma once

#include <string>

#include <boost/json/value.hpp>

#include "kube/api/schema.h"
#include "kube/api/schema_findings.h"

namespace millwright::kube {

// Where a value is, and what was there before, if that can be told.
struct Spot {
  std::string path;
  const boost::json::value* old = nullptr;
};

Findings CheckValue(const Schema& schema, const boost::json::value& value, const Spot& spot);

// Like CheckValue, but a value that has not changed is not faulted.
Findings CheckChanged(const Schema& schema, const boost::json::value& value, const Spot& spot);

// allOf, anyOf, oneOf and not. They look at the value alone, changed or not.
Findings CheckLogic(const ValueChecks& checks, const boost::json::value& value,
                    const std::string& path);

}  // namespace millwright::kube
