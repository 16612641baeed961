// From a CustomResourceDefinition to the resources it defines.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <boost/json/value.hpp>

#include "apiserver/resources/resource.h"
#include "base/result.h"

namespace millwright::apiserver {

// What a definition alone does not tell.
struct Serving {
  std::shared_ptr<Converter> converter = nullptr;
  // The revision of the definition.
  std::int64_t since = 0;
};

// One for each served version, under the names that were accepted (before any were: the wished
// ones). Fails with kInvalid on a definition that ValidateCrd would refuse.
Result<std::vector<ResourcePtr>> ResourcesOf(const boost::json::value& crd,
                                             const Serving& serving = {});

// What all versions have in common, served or not: names, scope, where objects are stored.
Result<Resource> CommonResource(const boost::json::value& crd);

}  // namespace millwright::apiserver
