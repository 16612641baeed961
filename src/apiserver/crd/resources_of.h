// From a CustomResourceDefinition to the resources it defines.
#pragma once

#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "base/result.h"

namespace millwright::apiserver {

// One for each served version, under the names that were accepted (before any were: the wished
// ones). Fails with kInvalid on a definition that ValidateCrd would refuse.
Result<std::vector<ResourcePtr>> ResourcesOf(const boost::json::value& crd);

// What all versions have in common, served or not: names, scope, where objects are stored.
Result<Resource> CommonResource(const boost::json::value& crd);

}  // namespace millwright::apiserver
